import type { OnboardingInput } from './input';
import { onboardingNames } from './names';
import { toYaml } from './toYaml';

/** The token of the pull request generator, by reference to the secret store. */
export function tokenSecret(input: OnboardingInput): string {
  const names = onboardingNames(input);
  const { token } = input;
  return toYaml({
    value: {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata: {
        name: names.tokenSecret,
        namespace: input.argocdNamespace,
        annotations: {
          'argocd.argoproj.io/sync-wave': '-1',
          'previews/token-expires-on': token.expiresOn,
        },
      },
      spec: {
        refreshInterval: '1h',
        secretStoreRef: {
          kind: 'ClusterSecretStore',
          name: token.secretStore,
        },
        target: {
          name: names.tokenSecret,
          creationPolicy: 'Owner',
          template: {
            metadata: {
              labels: { 'argocd.argoproj.io/secret-type': 'scm-creds' },
            },
          },
        },
        data: [
          {
            secretKey: 'token',
            remoteRef: { key: token.remoteKey, property: token.property },
          },
        ],
      },
    },
    comment: `The one credential that has to be renewed by hand: a bot's token with read_api, until ${token.expiresOn}.\nOnce it has expired nothing is generated and nothing is deleted any more.`,
    notes: {
      'metadata.annotations':
        'Before the ApplicationSet, which without its token fails, and tries again only minutes later.',
      'spec.target.template.metadata.labels':
        'Argo CD reads no other Secrets where its strict mode for tokens is on.',
    },
  });
}
