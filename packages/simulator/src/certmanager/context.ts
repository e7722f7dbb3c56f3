import type { EventRecorder } from '../controllers/events';
import type { Platform } from '../controllers/platform';
import type { PlatformFaultValues } from '../controllers/faults';
import type { Cluster, KubernetesObject } from '../kubernetes';
import type { Random } from '../random';
import type { Steps } from './steps';

/** A fault of certificates. */
export type CertificateFault = PlatformFaultValues['certificate'];

/** What the reconcilers of cert-manager share. */
export interface CertManagerContext {
  platform: Platform;
  cluster: Cluster;
  random: Random;
  steps: Steps;
  events: EventRecorder;
  /** Reconciles an object soon. */
  enqueue(object: KubernetesObject): void;
  /** The fault that meets an object of a chain: by its Certificate, its namespace or its names. */
  faultOf(object: KubernetesObject): CertificateFault | undefined;
}
