import { AwsError } from '../aws/errors';
import type { DnsZones, RecordSet } from '../aws/zones';
import type { KubernetesObject } from '../kubernetes';
import type { Random } from '../random';

const TTL_SECONDS = 10;
const ROLE_SESSION = 'arn:aws:sts::123456789012:assumed-role/cert-manager';
const REDACTED =
  '<redacted AWS SDK error: http.ResponseError: see events and logs for details>';

/** A failure of the solver: whole for the Event, and as the status has it. */
export class SolverError extends Error {
  /** Without what changes from one call to the next. */
  readonly stable: string;

  constructor(message: string, stable: string = message) {
    super(message);
    this.name = 'SolverError';
    this.stable = stable;
  }
}

/** The name at which a challenge is answered. */
export function challengeName(challenge: KubernetesObject): string {
  return `_acme-challenge.${challenge.spec?.dnsName}.`;
}

function recordOf(challenge: KubernetesObject): RecordSet {
  const value = `"${challenge.spec?.key}"`;
  return {
    name: challengeName(challenge),
    type: 'TXT',
    ttl: TTL_SECONDS,
    multiValueAnswer: true,
    setIdentifier: value,
    values: [value],
  };
}

/** cert-manager's solver for Route 53. */
export class DnsSolver {
  private readonly zones: DnsZones;
  private readonly random: Random;

  constructor(options: { zones: DnsZones; random: Random }) {
    this.zones = options.zones;
    this.random = options.random;
  }

  /** @throws SolverError */
  present(
    challenge: KubernetesObject,
    fault: 'zoneNotFound' | 'accessDenied' | undefined,
  ): void {
    const zone = this.zoneFor(challenge, fault);
    this.zones.change(zone, [
      { action: 'UPSERT', recordSet: recordOf(challenge) },
    ]);
  }

  /** Takes the record away; one that is gone already is no error. @throws SolverError */
  cleanUp(
    challenge: KubernetesObject,
    fault: 'zoneNotFound' | 'accessDenied' | undefined,
  ): void {
    const zone = this.zoneFor(challenge, fault);
    try {
      this.zones.change(zone, [
        { action: 'DELETE', recordSet: recordOf(challenge) },
      ]);
    } catch (error) {
      if (!(error instanceof AwsError) || error.code !== 'InvalidChangeBatch') {
        throw error;
      }
    }
  }

  /** Whether the record is there for the ACME server to see. */
  isPresent(challenge: KubernetesObject): boolean {
    return this.zones
      .lookup(challengeName(challenge))
      .some(({ values }) => values?.includes(`"${challenge.spec?.key}"`));
  }

  private zoneFor(
    challenge: KubernetesObject,
    fault: 'zoneNotFound' | 'accessDenied' | undefined,
  ): string {
    const name = challengeName(challenge);
    const zone =
      fault === 'zoneNotFound' ? undefined : this.zones.zoneFor(name);
    if (!zone) {
      throw new SolverError(
        `failed to determine Route 53 hosted zone ID: zone  not found in Route 53 for domain ${name}`,
      );
    }
    if (fault === 'accessDenied') {
      throw this.accessDenied(zone.id);
    }
    return zone.id;
  }

  private accessDenied(zone: string): SolverError {
    const requestId = [8, 4, 4, 4, 12]
      .map(digits => this.random.hex(digits))
      .join('-');
    const session = `16${this.random.integer(1e8, 9e8)}${this.random.integer(
      1e8,
      9e8,
    )}`;
    const action = 'route53:ChangeResourceRecordSets';
    const start =
      'failed to change Route 53 record set: operation error Route 53: ChangeResourceRecordSets, ';
    return new SolverError(
      `${start}https response error StatusCode: 403, RequestID: ${requestId}, api error AccessDenied: User: ${ROLE_SESSION}/${session} is not authorized to perform: ${action} on resource: arn:aws:route53:::hostedzone/${zone} because no identity-based policy allows the ${action} action`,
      `${start}${REDACTED}`,
    );
  }
}
