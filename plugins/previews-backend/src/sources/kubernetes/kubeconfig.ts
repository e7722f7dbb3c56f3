import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { asObject, JsonObject, objectAt, objectsOf } from '../objects/values';
import { KubernetesRequestError } from './KubernetesRequestError';

/** What a kubeconfig says of one cluster and its user. */
export interface KubeconfigEntry {
  server: string;
  tlsServerName?: string;
  skipTlsVerify: boolean;
  proxyUrl?: string;
  /** PEM. */
  ca?: string;
  clientCertificate?: string;
  clientKey?: string;
  token?: string;
  tokenFile?: string;
  basic?: { username: string; password: string };
}

function notConfigured(message: string, cause?: unknown) {
  return new KubernetesRequestError({
    reason: 'NotConfigured',
    message,
    cause,
  });
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

async function load(file: string): Promise<JsonObject> {
  try {
    const content = asObject(parse(await readFile(file, 'utf8')));
    if (content) {
      return makePathsAbsolute(content, dirname(resolve(file)));
    }
  } catch (error) {
    throw notConfigured('The kubeconfig cannot be read.', error);
  }
  throw notConfigured('The kubeconfig is not one.');
}

/** Paths in a kubeconfig are relative to the file they stand in. */
function makePathsAbsolute(content: JsonObject, folder: string): JsonObject {
  const change = (list: unknown, member: string, keys: string[]) =>
    objectsOf(list, Infinity).map(item => {
      const changed = { ...objectAt(item, member) };
      for (const key of keys) {
        const path = text(changed[key]);
        if (path !== undefined) {
          changed[key] = resolve(folder, path);
        }
      }
      return { ...item, [member]: changed };
    });
  return {
    ...content,
    clusters: change(content.clusters, 'cluster', ['certificate-authority']),
    users: change(content.users, 'user', [
      'client-certificate',
      'client-key',
      'tokenFile',
    ]),
  };
}

async function pem(
  entry: JsonObject,
  key: string,
): Promise<string | undefined> {
  const data = text(entry[`${key}-data`]);
  if (data !== undefined) {
    return Buffer.from(data, 'base64').toString('utf8');
  }
  const file = text(entry[key]);
  try {
    return file === undefined ? undefined : await readFile(file, 'utf8');
  } catch (error) {
    throw notConfigured(`The file of '${key}' cannot be read.`, error);
  }
}

/**
 * Reads the entry of a context. Programs that a kubeconfig wants to run for a
 * token are not run.
 *
 * @throws KubernetesRequestError with the reason `NotConfigured`.
 */
export async function readKubeconfig(options: {
  file?: string;
  context?: string;
  env: Readonly<Record<string, string | undefined>>;
}): Promise<KubeconfigEntry> {
  const { file, env } = options;
  const files = file
    ? [file]
    : env.KUBECONFIG?.split(delimiter).filter(Boolean) ?? [
        join(homedir(), '.kube', 'config'),
      ];
  const contents = await Promise.all(files.map(load));
  // As kubectl merges them: the first one that has a name wins.
  const find = (list: string, name: unknown) =>
    contents
      .flatMap(content => objectsOf(content[list], Infinity))
      .find(item => item.name === name);

  const contextName =
    options.context ??
    contents.flatMap(content => text(content['current-context']) ?? [])[0];
  const context = objectAt(find('contexts', contextName), 'context');
  const cluster = objectAt(find('clusters', context.cluster), 'cluster');
  const user = objectAt(find('users', context.user), 'user');
  const server = text(cluster.server);
  if (!server || !URL.canParse(server)) {
    throw notConfigured(
      'The kubeconfig has no cluster for the context that is asked for.',
    );
  }
  if (asObject(user.exec) || asObject(user['auth-provider'])) {
    throw notConfigured(
      'The user of the kubeconfig gets a token by a program, which is not run: give a token in previews.clusters.',
    );
  }
  const username = text(user.username);
  const password = text(user.password);
  return {
    server: server.replace(/\/+$/, ''),
    tlsServerName: text(cluster['tls-server-name']),
    skipTlsVerify: cluster['insecure-skip-tls-verify'] === true,
    proxyUrl: text(cluster['proxy-url']),
    ca: await pem(cluster, 'certificate-authority'),
    clientCertificate: await pem(user, 'client-certificate'),
    clientKey: await pem(user, 'client-key'),
    token: text(user.token),
    tokenFile: text(user.tokenFile),
    ...(username !== undefined &&
      password !== undefined && { basic: { username, password } }),
  };
}
