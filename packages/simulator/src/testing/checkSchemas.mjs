// Validates Kubernetes objects against the published schemas of their kinds. The schemas come as
// modules that Jest cannot load, hence a process of its own: objects as JSON on standard input,
// problems as JSON on standard output.
import * as argo from '@kubernetes-models/argo-cd/argoproj.io/v1alpha1';
import * as acme from '@kubernetes-models/cert-manager/acme.cert-manager.io/v1';
import * as certManager from '@kubernetes-models/cert-manager/cert-manager.io/v1';
import * as gateway from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';

const models = { ...gateway, ...certManager, ...acme, ...argo };

let text = '';
for await (const chunk of process.stdin) {
  text += chunk;
}
const problems = new Set();
for (const object of JSON.parse(text)) {
  try {
    new models[object.kind](object).validate();
  } catch (error) {
    problems.add(`${object.kind} ${object.metadata.name}: ${error.message}`);
  }
}
process.stdout.write(JSON.stringify([...problems]));
