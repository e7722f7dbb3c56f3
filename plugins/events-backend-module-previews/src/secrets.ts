import { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';

/** Prefix of signing keys, as Standard Webhooks writes them. */
const SIGNING_KEY_PREFIX = 'whsec_';

/** What a webhook can prove itself with, over all hosts. */
export interface WebhookSecrets {
  /** Sent along in `X-Gitlab-Token`. */
  tokens: readonly string[];
  /** Keys of HMAC-SHA256 signatures. */
  signingKeys: readonly Buffer[];
}

function readSigningKey(secret: string, key: string): Buffer {
  const encoded = secret.slice(SIGNING_KEY_PREFIX.length);
  const decoded = Buffer.from(encoded, 'base64');
  // Node.js skips what is not base64 instead of refusing it.
  const unpadded = (text: string) => text.replace(/=+$/, '');
  if (
    decoded.length === 0 ||
    unpadded(decoded.toString('base64')) !== unpadded(encoded)
  ) {
    throw new InputError(
      `Config value at '${key}' starts with ${SIGNING_KEY_PREFIX} but is no base64 after that`,
    );
  }
  return decoded;
}

/**
 * Reads `previews.gitlab[].webhookSecrets`.
 *
 * @throws InputError that names the key when a secret is malformed, or when there
 * is none at all: an ingress that anyone can post to must not open.
 */
export function readWebhookSecrets(config: Config): WebhookSecrets {
  const tokens: string[] = [];
  const signingKeys: Buffer[] = [];
  const hosts = config.getOptionalConfigArray('previews.gitlab') ?? [];
  hosts.forEach((host, hostIndex) => {
    const secrets = host.getOptionalStringArray('webhookSecrets') ?? [];
    secrets.forEach((secret, index) => {
      const key = `previews.gitlab[${hostIndex}].webhookSecrets[${index}]`;
      if (secret.startsWith(SIGNING_KEY_PREFIX)) {
        signingKeys.push(readSigningKey(secret, key));
      } else if (secret.trim() === '') {
        throw new InputError(`Config value at '${key}' is empty`);
      } else {
        tokens.push(secret);
      }
    });
  });
  if (tokens.length + signingKeys.length === 0) {
    throw new InputError(
      "Config value at 'previews.gitlab[].webhookSecrets' is missing: the webhook ingress for previews needs at least one secret. Set it, or remove the events module for previews to go without webhooks.",
    );
  }
  return { tokens, signingKeys };
}
