import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SERVICEACCOUNT_CA_PATH } from '@backstage/plugin-kubernetes-common';
import { Agent, Dispatcher, ProxyAgent } from 'undici';
import { ClusterAccess } from '../../config';
import { KubeconfigEntry, readKubeconfig } from './kubeconfig';
import { KubernetesRequestError } from './KubernetesRequestError';

/** Beside the certificate authority, as the kubelet mounts both. */
const SERVICE_ACCOUNT_TOKEN_PATH = join(
  dirname(SERVICEACCOUNT_CA_PATH),
  'token',
);

/** How long a token from a file is used before the file is read again. */
const TOKEN_KEPT = 60 * 1000;

type Environment = Readonly<Record<string, string | undefined>>;

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new KubernetesRequestError({
      reason: 'NotConfigured',
      message: 'The file of the certificate authority cannot be read.',
      cause: error,
    });
  }
}

async function resolveAccess(
  access: ClusterAccess,
  env: Environment,
): Promise<KubeconfigEntry> {
  if (access.type === 'kubeconfig') {
    return readKubeconfig({ ...access, env });
  }
  if (access.type === 'url') {
    let ca: string | undefined;
    if (access.caData !== undefined) {
      ca = Buffer.from(access.caData, 'base64').toString('utf8');
    } else if (access.caFile !== undefined) {
      ca = await readPem(access.caFile);
    }
    return {
      server: access.url,
      skipTlsVerify: access.skipTlsVerify,
      ca,
      token: access.token,
      tokenFile: access.tokenFile,
    };
  }
  const host = env.KUBERNETES_SERVICE_HOST;
  if (!host) {
    throw new KubernetesRequestError({
      reason: 'NotConfigured',
      message: 'The backend does not run in a cluster.',
    });
  }
  const port = env.KUBERNETES_SERVICE_PORT ?? '443';
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    skipTlsVerify: false,
    ca: await readPem(SERVICEACCOUNT_CA_PATH),
    tokenFile: SERVICE_ACCOUNT_TOKEN_PATH,
  };
}

/** How one cluster's API is called: where, over what, and as whom. */
export class ClusterConnection {
  /** Without a trailing slash. */
  readonly server: string;
  readonly dispatcher: Dispatcher;
  readonly #entry: KubeconfigEntry;
  readonly #clock: () => Date;
  #fileToken?: { token: string; readAt: number };

  private constructor(options: { entry: KubeconfigEntry; clock: () => Date }) {
    const { entry } = options;
    this.#entry = entry;
    this.#clock = options.clock;
    this.server = entry.server;
    const tls = {
      ...(entry.ca && { ca: entry.ca }),
      ...(entry.clientCertificate && { cert: entry.clientCertificate }),
      ...(entry.clientKey && { key: entry.clientKey }),
      ...(entry.tlsServerName && { servername: entry.tlsServerName }),
      ...(entry.skipTlsVerify && { rejectUnauthorized: false }),
    };
    // Watches are silent for minutes, and watched over by their reader.
    const timeouts = { bodyTimeout: 0, headersTimeout: 0 };
    this.dispatcher = entry.proxyUrl
      ? new ProxyAgent({ uri: entry.proxyUrl, requestTls: tls, ...timeouts })
      : new Agent({ connect: tls, ...timeouts });
  }

  /** @throws KubernetesRequestError with the reason `NotConfigured`. */
  static async open(options: {
    access: ClusterAccess;
    clock: () => Date;
    env?: Environment;
  }): Promise<ClusterConnection> {
    const { access, clock, env = process.env } = options;
    return new ClusterConnection({
      entry: await resolveAccess(access, env),
      clock,
    });
  }

  /**
   * The header that authenticates.
   *
   * @throws KubernetesRequestError when the token's file cannot be read.
   */
  async authorization(): Promise<Record<string, string>> {
    const { token, tokenFile, basic } = this.#entry;
    if (tokenFile !== undefined) {
      return {
        authorization: `Bearer ${await this.#tokenOfFile(tokenFile)}`,
      };
    }
    if (token !== undefined) {
      return { authorization: `Bearer ${token}` };
    }
    if (basic) {
      const credentials = Buffer.from(
        `${basic.username}:${basic.password}`,
      ).toString('base64');
      return { authorization: `Basic ${credentials}` };
    }
    return {};
  }

  /** The token was not accepted: its file may hold a newer one. */
  forgetToken(): void {
    this.#fileToken = undefined;
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  async #tokenOfFile(file: string): Promise<string> {
    const now = this.#clock().getTime();
    if (!this.#fileToken || now - this.#fileToken.readAt >= TOKEN_KEPT) {
      try {
        const token = (await readFile(file, 'utf8')).trim();
        this.#fileToken = { token, readAt: now };
      } catch (error) {
        throw new KubernetesRequestError({
          reason: 'NotConfigured',
          message: 'The file of the token cannot be read.',
          cause: error,
        });
      }
    }
    return this.#fileToken.token;
  }
}
