// Validates custom resources against the published schemas of their kinds, by apiVersion and kind. The
// schemas come as modules that Jest cannot load, hence a process of its own: objects as JSON on standard
// input, problems as JSON on standard output. A kind that has no schema here is a problem, too.
import * as argo from '@kubernetes-models/argo-cd/argoproj.io/v1alpha1';
import * as certManager from '@kubernetes-models/cert-manager/cert-manager.io/v1';
import * as gateway from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
import * as gatewayBeta from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1beta1';

const models = {
  'argoproj.io/v1alpha1': argo,
  'cert-manager.io/v1': certManager,
  'gateway.networking.k8s.io/v1': gateway,
  'gateway.networking.k8s.io/v1beta1': gatewayBeta,
};

let text = '';
for await (const chunk of process.stdin) {
  text += chunk;
}
const problems = new Set();
for (const object of JSON.parse(text)) {
  try {
    const Model = models[object.apiVersion]?.[object.kind];
    if (!Model) {
      throw new Error(`no schema of ${object.apiVersion}`);
    }
    new Model(object).validate();
  } catch (error) {
    problems.add(`${object.kind} ${object.metadata.name}: ${error.message}`);
  }
}
process.stdout.write(JSON.stringify([...problems]));
