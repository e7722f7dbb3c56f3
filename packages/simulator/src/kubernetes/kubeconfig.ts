import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

/**
 * Writes a kubeconfig with one context. `kubectl` sends the token only to a URL
 * of HTTPS.
 *
 * @returns the path, in a new temporary folder unless given
 * @public
 */
export async function writeKubeconfig(options: {
  url: string;
  token: string;
  /** In PEM; needed where the URL is one of HTTPS. */
  certificateAuthority?: string;
  path?: string;
  name?: string;
  namespace?: string;
}): Promise<string> {
  const { url, token, name = 'simulator', namespace = 'default' } = options;
  const path =
    options.path ??
    join(await mkdtemp(join(tmpdir(), 'kubeconfig-')), 'config.yaml');
  const content = stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: {
          server: url,
          ...(options.certificateAuthority
            ? {
                'certificate-authority-data': Buffer.from(
                  options.certificateAuthority,
                ).toString('base64'),
              }
            : {}),
        },
      },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
    'current-context': name,
  });
  await writeFile(path, content, { mode: 0o600 });
  return path;
}
