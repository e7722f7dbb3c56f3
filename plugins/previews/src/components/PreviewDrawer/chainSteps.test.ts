import { CertificateSummary } from '@previews/backstage-plugin-previews-common';
import { certificateSituations, createChain } from '../../testing/certificates';
import { fixtureNow } from '../../testing/fixtures';
import { toChain } from './chainSteps';

function certificateOf(
  situation: keyof typeof certificateSituations,
  change: Partial<CertificateSummary> = {},
): CertificateSummary {
  return { ...certificateSituations[situation]().certificates[0], ...change };
}

function statesOf(certificate: CertificateSummary): string[] {
  return toChain(certificate, fixtureNow).map(
    ({ id, state, deciding }) => `${id} ${state}${deciding ? ' decides' : ''}`,
  );
}

describe('the steps of a certificate', () => {
  it.each<[string, CertificateSummary, string[]]>([
    [
      'wait for the deepest of them',
      certificateOf('waitingForDns'),
      [
        'Certificate waiting',
        'CertificateRequest waiting',
        'Order waiting',
        'Challenge waiting decides',
      ],
    ],
    [
      'are blocked at the one that waits for a person',
      certificateOf('accessDenied'),
      [
        'Certificate waiting',
        'CertificateRequest waiting',
        'Order waiting',
        'Challenge blocked decides',
      ],
    ],
    [
      'fail at the deepest that failed',
      certificateOf('rateLimited'),
      [
        'Certificate failed',
        'CertificateRequest failed',
        'Order failed decides',
      ],
    ],
    [
      'are all done when it is issued, and none decides',
      certificateOf('ready'),
      ['Certificate done', 'CertificateRequest done', 'Order done'],
    ],
    [
      'show what of a renewal fails under a valid certificate',
      certificateOf('renewalFailing'),
      ['Certificate done', 'CertificateRequest failed', 'Order failed decides'],
    ],
    [
      'are blocked at the renewal that does not get on',
      certificateOf('renewalFailing', {
        chain: createChain({
          Certificate: { status: 'done' },
          CertificateRequest: {},
        }),
      }),
      ['Certificate done', 'CertificateRequest blocked decides'],
    ],
    [
      'do not hide behind the controller that says Ready of an expired one',
      certificateOf('expiredWhileReady'),
      ['Certificate blocked decides'],
    ],
    [
      'are unknown where the cluster is not read',
      certificateOf('waitingForDns', { state: 'unknown' }),
      [
        'Certificate waiting',
        'CertificateRequest waiting',
        'Order waiting',
        'Challenge unknown decides',
      ],
    ],
    ['are none where none is read', certificateOf('expiresSoon'), []],
  ])('%s', (_, certificate, expected) => {
    expect(statesOf(certificate)).toEqual(expected);
  });

  it('are one for all Challenges, with the one that waits first', () => {
    const [, , order, challenge] = certificateOf('waitingForDns').chain!;
    const [, step] = toChain(
      certificateOf('waitingForDns', {
        chain: [
          order,
          { ...challenge, name: 'first', status: 'done' },
          { ...challenge, name: 'second' },
        ],
      }),
      fixtureNow,
    );
    expect(step).toMatchObject({ id: 'Challenge', state: 'waiting', done: 1 });
    expect(step.objects.map(({ name }) => name)).toEqual(['second', 'first']);
  });

  it('tell how long the one that decides has lasted, and of no other', () => {
    expect(
      toChain(certificateOf('waitingForDns'), fixtureNow).map(
        ({ elapsedSeconds }) => elapsedSeconds,
      ),
    ).toEqual([undefined, undefined, undefined, 67]);
  });
});
