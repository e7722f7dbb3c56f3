import type { KubernetesObject } from '../kubernetes';
import { kubernetesTime } from '../controllers/platform';
import {
  CERTIFICATE_NAME,
  decode,
  namesOf,
  renewalTime,
  type IssuerReference,
  type SigningRequest,
  type StoredCertificate,
} from './chain';

/** All that is looked at to tell the state of a Certificate. */
export interface PolicyInput {
  certificate: KubernetesObject;
  secret: KubernetesObject | undefined;
  /** The CertificateRequest of the current revision, if it is still there. */
  currentRequest: KubernetesObject | undefined;
  now: Date;
}

/** Why a Certificate is not as it should be. */
export interface Violation {
  reason: string;
  message: string;
}

type Policy = (input: PolicyInput) => Violation | undefined;

/** The certificate in a Secret. */
export function storedIn(
  secret: KubernetesObject | undefined,
): StoredCertificate | undefined {
  return secret?.data?.['tls.crt']
    ? decode<StoredCertificate>(secret.data['tls.crt'])
    : undefined;
}

/** `2026-01-31 12:00:00 +0000 UTC`, as Go prints a time. */
function goTime(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`;
}

function issuerName({ kind, group, name }: IssuerReference): string {
  return `${kind ?? 'Issuer'}.${group ?? 'cert-manager.io'}/${name}`;
}

const secretDoesNotExist: Policy = ({ secret }) =>
  secret
    ? undefined
    : {
        reason: 'DoesNotExist',
        message: 'Issuing certificate as Secret does not exist',
      };

const secretIsMissingData: Policy = ({ secret }) => {
  if (!secret?.data?.['tls.key']) {
    return {
      reason: 'MissingData',
      message: `Issuing certificate as Secret does not contain ${
        secret?.data ? 'a private key' : 'any data'
      }`,
    };
  }
  return secret.data['tls.crt']
    ? undefined
    : {
        reason: 'MissingData',
        message: 'Issuing certificate as Secret does not contain a certificate',
      };
};

const certificateIsInvalid: Policy = ({ secret }) =>
  storedIn(secret)
    ? undefined
    : {
        reason: 'InvalidCertificate',
        message:
          'Issuing certificate as Secret contains an invalid certificate: error decoding certificate PEM block',
      };

const issuerDiffers: Policy = ({ certificate, secret }) => {
  const annotations = secret?.metadata.annotations ?? {};
  const name = annotations['cert-manager.io/issuer-name'];
  if (name === undefined) {
    return undefined;
  }
  const before = issuerName({
    name,
    kind: annotations['cert-manager.io/issuer-kind'],
    group: annotations['cert-manager.io/issuer-group'],
  });
  return before === issuerName(certificate.spec?.issuerRef as IssuerReference)
    ? undefined
    : {
        reason: 'IncorrectIssuer',
        message: `Issuing certificate as Secret was previously issued by "${before}"`,
      };
};

const certificateDiffers: Policy = ({ certificate, secret }) => {
  const name = secret?.metadata.annotations?.[CERTIFICATE_NAME];
  return name === undefined || name === certificate.metadata.name
    ? undefined
    : {
        reason: 'IncorrectCertificate',
        message: `Secret was issued for "${name}". If this message is not transient, you might have two conflicting Certificates pointing to the same secret.`,
      };
};

const specDiffers: Policy = ({ certificate, secret, currentRequest }) => {
  const names = [...namesOf(certificate)].sort().join();
  const requested = currentRequest
    ? decode<SigningRequest>(currentRequest.spec?.request)?.dnsNames
    : storedIn(secret)?.dnsNames;
  if (!requested || [...requested].sort().join() === names) {
    return undefined;
  }
  return currentRequest
    ? {
        reason: 'RequestChanged',
        message:
          'Fields on existing CertificateRequest resource not up to date: [spec.dnsNames]',
      }
    : {
        reason: 'SecretMismatch',
        message:
          'Issuing certificate as Existing issued Secret is not up to date for spec: [spec.dnsNames]',
      };
};

const nearsExpiry: Policy = ({ secret, now }) => {
  const stored = storedIn(secret);
  if (!stored) {
    return undefined;
  }
  const renewal = renewalTime(stored);
  return renewal > now
    ? undefined
    : {
        reason: 'Renewing',
        message: `Renewing certificate as renewal was scheduled at ${goTime(
          new Date(kubernetesTime(renewal)),
        )}`,
      };
};

const hasExpired: Policy = ({ secret, now }) => {
  const stored = storedIn(secret);
  return stored && now > new Date(stored.notAfter)
    ? {
        reason: 'Expired',
        message: `Certificate expired on ${new Date(stored.notAfter)
          .toUTCString()
          .replace('GMT', 'UTC')}`,
      }
    : undefined;
};

const common = [
  secretDoesNotExist,
  secretIsMissingData,
  certificateIsInvalid,
  issuerDiffers,
  certificateDiffers,
  specDiffers,
];

function firstOf(
  policies: Policy[],
  input: PolicyInput,
): Violation | undefined {
  for (const policy of policies) {
    const violation = policy(input);
    if (violation) {
      return violation;
    }
  }
  return undefined;
}

/** Why a Certificate is to be issued now. */
export function issuanceReason(input: PolicyInput): Violation | undefined {
  return firstOf([...common, nearsExpiry], input);
}

/** Why a Certificate is not ready. */
export function unreadiness(input: PolicyInput): Violation | undefined {
  return firstOf([...common, hasExpired], input);
}
