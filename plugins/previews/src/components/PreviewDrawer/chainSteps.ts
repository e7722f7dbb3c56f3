import {
  CertificateStep,
  CertificateSummary,
} from '@previews/backstage-plugin-previews-common';
import { secondsBetween } from '../../words';
import { certificateStateAt } from '../shared';

export type ChainStepId = CertificateStep['kind'];

export type ChainState = 'done' | 'waiting' | 'blocked' | 'failed' | 'unknown';

/** All objects of one kind on the way to a certificate. */
export interface ChainStep {
  id: ChainStepId;
  state: ChainState;
  /** Those that wait or fail first. */
  objects: readonly CertificateStep[];
  done: number;
  /** What the certificate waits for; what is above only waits for it. */
  deciding: boolean;
  /** How long the deciding step has lasted. */
  elapsedSeconds?: number;
}

const order: readonly ChainStepId[] = [
  'Certificate',
  'CertificateRequest',
  'Order',
  'Challenge',
];

const statusOrder: readonly CertificateStep['status'][] = [
  'failed',
  'waiting',
  'done',
];

function worstFirst(objects: CertificateStep[]): CertificateStep[] {
  return objects.sort(
    (left, right) =>
      statusOrder.indexOf(left.status) - statusOrder.indexOf(right.status),
  );
}

/** What a waiting object is held up by is only told by the certificate as a whole. */
function decidingState(
  certificate: CertificateSummary,
  options: { status: CertificateStep['status']; now: number },
): ChainState {
  const { status, now } = options;
  if (status === 'failed') {
    return 'failed';
  }
  const { state, concern } = certificateStateAt(certificate, now);
  if (state === 'unknown') {
    return 'unknown';
  }
  return state === 'failed' ||
    state === 'expired' ||
    concern === 'renewalFailing'
    ? 'blocked'
    : 'waiting';
}

/**
 * The steps of a certificate at a moment (milliseconds), one for each kind that
 * there is something of. The deepest that is not done decides; where all are done
 * and the certificate is of no use all the same, as an expired one, it is the first.
 */
export function toChain(
  certificate: CertificateSummary,
  now: number,
): ChainStep[] {
  const { chain = [] } = certificate;
  const kinds = order
    .map(id => ({
      id,
      objects: worstFirst(chain.filter(({ kind }) => kind === id)),
    }))
    .filter(({ objects }) => objects.length > 0);
  const isReady = certificateStateAt(certificate, now).state === 'ready';
  const deepest = kinds
    .map(({ objects }) => objects[0].status !== 'done')
    .lastIndexOf(true);
  const deciding = deepest === -1 && !isReady ? 0 : deepest;
  return kinds.map(({ id, objects }, index) => {
    const [{ status, since }] = objects;
    const isDeciding = index === deciding;
    const elapsedSeconds =
      isDeciding && status !== 'done' ? secondsBetween(since, now) : undefined;
    return {
      id,
      state: isDeciding ? decidingState(certificate, { status, now }) : status,
      objects,
      done: objects.filter(object => object.status === 'done').length,
      deciding: isDeciding,
      ...(elapsedSeconds !== undefined && { elapsedSeconds }),
    };
  });
}
