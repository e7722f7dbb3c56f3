import { CertManager } from '../certmanager/certManager';
import { ContinuousIntegration } from '../continuousIntegration/continuousIntegration';
import { ApplicationController } from './application';
import { ApplicationSetController } from './applicationSet';
import { ExternalDns } from './externalDns';
import { ExternalSecretsController } from './externalSecrets';
import { DisruptionController } from './disruption';
import { GatewayController } from './gateway';
import { JobController } from './job';
import { Kubelet } from './kubelet';
import type { Platform } from './platform';
import { watchTerminations } from './terminations';
import { WorkloadController } from './workload';

/** Everything that acts on its own. */
export interface Controllers {
  /** Resolves when nothing is under way that ends by itself. */
  quiet(): Promise<void>;
  stop(): void;
}

const CATCH_UP_POLL_MILLISECONDS = 20;

/** Starts all controllers of a platform; objects created before are not seen. */
export function startControllers(platform: Platform): Controllers {
  const kubelets = platform.clusters.map(
    ({ cluster }) => new Kubelet(platform, cluster),
  );
  const stopWatching = watchTerminations(platform);
  const others = [
    new ContinuousIntegration(platform),
    new ApplicationController(platform),
    new ApplicationSetController(platform),
    ...platform.clusters.flatMap(({ cluster }) => [
      new WorkloadController(platform, cluster),
      new JobController(platform, cluster),
      new DisruptionController(platform, cluster),
      new CertManager(platform, cluster),
      new GatewayController(platform, cluster),
      new ExternalDns(platform, cluster),
      new ExternalSecretsController(platform, cluster),
    ]),
  ];
  return {
    quiet: async () => {
      await platform.activity.quiet();
      while (kubelets.some(kubelet => kubelet.isCatchingUp)) {
        await new Promise<void>(resolve => {
          setTimeout(resolve, CATCH_UP_POLL_MILLISECONDS);
        });
        await platform.activity.quiet();
      }
    },
    stop: () => {
      [...others, ...kubelets].forEach(part => part.stop());
      stopWatching();
    },
  };
}
