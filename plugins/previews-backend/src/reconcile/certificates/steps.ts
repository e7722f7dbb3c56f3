import { CertificateStep } from '@previews/backstage-plugin-previews-common';
import {
  CertificateFact,
  CertificateRequestFact,
  ChallengeFact,
  ObjectMeta,
  OrderFact,
} from '../../model';
import { ObservedCertificate } from './types';

const FAILED = ['invalid', 'expired', 'errored'];

/** The chain as it is shown: from the Certificate down to its Challenges. */
export function stepsOf({
  fact,
  chain: { request, order, challenges },
}: ObservedCertificate): CertificateStep[] {
  return [
    ofCertificate(fact),
    ...(request ? [ofRequest(request)] : []),
    ...(order ? [ofOrder(order)] : []),
    ...challenges.map(ofChallenge),
  ];
}

function step(
  kind: CertificateStep['kind'],
  { name, createdAt }: ObjectMeta,
  rest: Omit<CertificateStep, 'kind' | 'name' | 'since'>,
): CertificateStep {
  const fields = { kind, name, ...rest, since: createdAt };
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && value !== '',
    ),
  ) as unknown as CertificateStep;
}

function ofCertificate({
  meta,
  ready,
  issuing,
}: CertificateFact): CertificateStep {
  const failed = issuing?.status === 'False' ? issuing : undefined;
  const told = failed ?? ready;
  let status: CertificateStep['status'] = failed ? 'failed' : 'waiting';
  if (ready?.status === 'True') {
    status = 'done';
  }
  return step('Certificate', meta, {
    status,
    state: told?.reason,
    reason: status === 'done' ? undefined : told?.message,
  });
}

function ofRequest({
  meta,
  ready,
  denied,
  invalid,
}: CertificateRequestFact): CertificateStep {
  const refused = [denied, invalid].find(found => found?.status === 'True');
  let status: CertificateStep['status'] = 'waiting';
  if (ready?.status === 'True') {
    status = 'done';
  } else if (refused || ready?.reason === 'Failed') {
    status = 'failed';
  }
  return step('CertificateRequest', meta, {
    status,
    state: refused?.reason ?? ready?.reason,
    reason: status === 'done' ? undefined : refused?.message ?? ready?.message,
  });
}

function statusOf(state: string): CertificateStep['status'] {
  if (FAILED.includes(state)) {
    return 'failed';
  }
  return state === 'valid' ? 'done' : 'waiting';
}

function ofOrder({ meta, state, reason }: OrderFact): CertificateStep {
  return step('Order', meta, { status: statusOf(state), state, reason });
}

function ofChallenge({
  meta,
  state,
  reason,
  host,
  type,
}: ChallengeFact): CertificateStep {
  return step('Challenge', meta, {
    status: statusOf(state),
    state,
    reason,
    host,
    type,
  });
}
