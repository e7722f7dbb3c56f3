import type { OnboardingInput } from '../input';

/** A patch as Kustomize and an Application's source take it. */
export interface KustomizePatch {
  target: { group?: string; kind: string };
  patch: string;
}

function replace(values: Record<string, string>): string {
  return Object.entries(values)
    .map(
      ([path, value]) => `- op: replace\n  path: ${path}\n  value: ${value}\n`,
    )
    .join('');
}

/** Patches that put the host of an environment everywhere the base has its own. */
export function hostPatches(
  input: OnboardingInput,
  host: string,
): KustomizePatch[] {
  const gateway = input.route.kind === 'gateway';
  const perHost = input.certificate.kind === 'perMergeRequest';
  return [
    {
      target: { kind: 'Deployment' },
      patch: replace({
        '/spec/template/spec/containers/0/env/1/value': `https://${host}`,
      }),
    },
    gateway
      ? {
          target: { kind: 'HTTPRoute' },
          patch: replace({ '/spec/hostnames/0': host }),
        }
      : {
          target: { kind: 'Ingress' },
          patch: replace({
            '/spec/rules/0/host': host,
            '/spec/tls/0/hosts/0': host,
          }),
        },
    ...(gateway && perHost
      ? [
          {
            target: { kind: 'ListenerSet' },
            patch: replace({ '/spec/listeners/0/hostname': host }),
          },
        ]
      : []),
    ...(perHost
      ? [
          {
            target: { kind: 'Certificate' },
            patch: replace({ '/spec/dnsNames/0': host }),
          },
        ]
      : []),
  ];
}
