import {
  ApplicationSummary,
  Phase,
} from '@previews/backstage-plugin-previews-common';
import { hasEnded } from './ended';
import { Tone } from './tones';

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

/** How Argo CD's words are to be read in the phase of their preview. */
export function applicationTones(
  application: ApplicationSummary,
  phase: Phase,
): { sync: Tone; health: Tone } {
  const toneOf = (tone: Tone) =>
    tone === 'good' && hasEnded(phase) ? 'neutral' : tone;
  return {
    sync: toneOf(syncTone(application.sync)),
    health: toneOf(healthTone(application.health)),
  };
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
