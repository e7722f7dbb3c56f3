import {
  ApplicationSummary,
  CertificateSummary,
} from '@previews/backstage-plugin-previews-common';
import { Tone } from './tones';

const certificateOrder: CertificateSummary['state'][] = [
  'expired',
  'failed',
  'waiting',
  'unknown',
  'ready',
];

export const certificateTones: Record<CertificateSummary['state'], Tone> = {
  expired: 'bad',
  failed: 'bad',
  waiting: 'moving',
  unknown: 'neutral',
  ready: 'good',
};

/** The certificate that most needs looking at; of ready ones the first to expire. */
export function worstCertificate(
  certificates: readonly CertificateSummary[],
): CertificateSummary | undefined {
  return [...certificates].sort(
    (left, right) =>
      certificateOrder.indexOf(left.state) -
        certificateOrder.indexOf(right.state) ||
      (left.notAfter ?? '').localeCompare(right.notAfter ?? ''),
  )[0];
}

const healthTones: Record<string, Tone> = {
  Healthy: 'good',
  Progressing: 'moving',
  Degraded: 'bad',
  Suspended: 'warning',
  Missing: 'warning',
  Unknown: 'neutral',
};

const syncTones: Record<string, Tone> = {
  Synced: 'good',
  OutOfSync: 'warning',
  Unknown: 'neutral',
};

export function healthTone(health: string): Tone {
  return Object.hasOwn(healthTones, health) ? healthTones[health] : 'neutral';
}

export function syncTone(sync: string): Tone {
  return Object.hasOwn(syncTones, sync) ? syncTones[sync] : 'neutral';
}

const toneOrder: Tone[] = ['bad', 'warning', 'moving', 'neutral', 'good'];

function rank(application: ApplicationSummary): number {
  return Math.min(
    toneOrder.indexOf(healthTone(application.health)),
    toneOrder.indexOf(syncTone(application.sync)),
  );
}

/** The Application that most needs looking at. */
export function worstApplication(
  applications: readonly ApplicationSummary[],
): ApplicationSummary | undefined {
  return [...applications].sort((left, right) => rank(left) - rank(right))[0];
}
