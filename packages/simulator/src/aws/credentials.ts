import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock';
import type { Random } from '../random';
import { AwsError, type AwsPrincipal } from './errors';

/** Credentials as STS hands them out. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

interface KnownKey {
  principal: AwsPrincipal;
  sessionToken?: string;
  expiresAt?: Date;
}

const SESSION_SECONDS = 3600;
const KEY_DIGITS = 16;

/** The access keys that AWS knows. Signatures are not verified; that one is there, by a known key, is. */
export class AwsKeys {
  private readonly clock: Clock;
  private readonly random: Random;
  private readonly keys = new Map<string, KnownKey>();

  constructor(options: { clock: Clock; random: Random }) {
    this.clock = options.clock;
    this.random = options.random;
  }

  /** Makes a key of a user known. */
  add(options: { accessKeyId: string; arn: string }): void {
    this.keys.set(options.accessKeyId, { principal: { arn: options.arn } });
  }

  /** Credentials of a role's session, good for an hour. */
  assumeRole(options: {
    roleArn: string;
    sessionName: string;
  }): AwsCredentials & { expiresAt: Date; arn: string } {
    const { roleArn, sessionName } = options;
    const role = /^arn:aws:iam::(\d{12}):role\/(.+)$/.exec(roleArn);
    if (!role) {
      throw new AwsError({
        status: 400,
        code: 'ValidationError',
        message: `${roleArn} is invalid`,
      });
    }
    const arn = `arn:aws:sts::${role[1]}:assumed-role/${role[2]}/${sessionName}`;
    const credentials = {
      accessKeyId: `ASIA${this.random.hex(KEY_DIGITS).toUpperCase()}`,
      secretAccessKey: this.random.hex(40),
      sessionToken: this.random.hex(64),
    };
    const expiresAt = new Date(
      this.clock.now().getTime() + SESSION_SECONDS * 1000,
    );
    this.keys.set(credentials.accessKeyId, {
      principal: { arn },
      sessionToken: credentials.sessionToken,
      expiresAt,
    });
    return { ...credentials, expiresAt, arn };
  }

  /**
   * Whom a signed request is from.
   *
   * @throws AwsError MissingAuthenticationToken, IncompleteSignature, InvalidClientTokenId or ExpiredToken
   */
  authenticate(request: IncomingMessage): AwsPrincipal {
    const header = request.headers.authorization;
    if (!header) {
      throw new AwsError({
        status: 403,
        code: 'MissingAuthenticationToken',
        message: 'Request is missing Authentication Token',
      });
    }
    const signature =
      /^AWS4-HMAC-SHA256 Credential=([A-Z0-9]+)\/\d{8}\/[a-z0-9-]+\/[a-z0-9]+\/aws4_request, ?SignedHeaders=[^,]+, ?Signature=[0-9a-f]{64}$/.exec(
        header,
      );
    if (!signature || request.headers['x-amz-date'] === undefined) {
      throw new AwsError({
        status: 403,
        code: 'IncompleteSignature',
        message: `Authorization header requires 'Credential', 'Signature', 'SignedHeaders' and a date. Authorization=${header}`,
      });
    }
    const key = this.keys.get(signature[1]);
    if (
      !key ||
      (key.sessionToken !== undefined &&
        request.headers['x-amz-security-token'] !== key.sessionToken)
    ) {
      throw new AwsError({
        status: 403,
        code: 'InvalidClientTokenId',
        message: 'The security token included in the request is invalid',
      });
    }
    if (key.expiresAt && key.expiresAt <= this.clock.now()) {
      throw new AwsError({
        status: 403,
        code: 'ExpiredToken',
        message: 'The security token included in the request is expired',
      });
    }
    return key.principal;
  }
}
