import { mockServices } from '@backstage/backend-test-utils';
import { PreviewsConditionProvider } from '@previews/backstage-plugin-previews-node';
import { FurtherPolicy, PreviewSubject } from '../../model';
import { createPolicy } from './createPolicy';
import { ExtensionErrors } from './ExtensionErrors';

const NOW = '2026-03-01T12:00:00.000Z';

const base: PreviewsConditionProvider = {
  type: 'QualityGate',
  title: { en: 'Quality gate', ca: 'Porta de qualitat' },
  source: 'quality-gate',
  blocksLive: true,
  reasons: {
    Failed: {
      effect: 'blocked',
      sentence: { en: '{count} of {name} failed {other}.', fr: '{count} !' },
    },
  },
  evaluate: () => ({
    status: 'False',
    reason: 'Failed',
    params: { count: 3, name: 'shop' },
  }),
};

function policy(patch: object = {}) {
  const errors = new ExtensionErrors();
  const logger = mockServices.logger.mock();
  return {
    errors,
    logger,
    policy: createPolicy({ ...base, ...patch }, { errors, logger }),
  };
}

function evaluate({ policy: subject }: { policy: FurtherPolicy }) {
  return subject.evaluate({
    preview: { id: 'p-1' } as PreviewSubject,
    facts: undefined,
    now: NOW,
  });
}

describe('createPolicy', () => {
  it('gives the verdict with its sentence in the languages of the module', () => {
    const made = policy();
    expect(made.policy).toMatchObject({
      type: 'QualityGate',
      sourceId: 'extension:quality-gate',
      readsSource: true,
      blocksLive: true,
    });
    expect(evaluate(made)).toEqual({
      status: 'False',
      reason: 'Failed',
      effect: 'blocked',
      params: { count: 3, name: 'shop' },
      sentences: { en: '3 of shop failed {other}.', fr: '3 !' },
    });
    expect(made.errors.at(new Date(NOW))).toEqual([]);
  });

  it('is its own source where it reads none', () => {
    expect(policy({ source: undefined }).policy).toMatchObject({
      sourceId: 'extension:QualityGate',
      readsSource: false,
    });
  });

  it('does not apply where the module says nothing', () => {
    expect(evaluate(policy({ evaluate: () => undefined }))).toBeUndefined();
  });

  it.each<[string, () => unknown]>([
    ['null', () => null],
    ['a text', () => 'False'],
    ['a promise', async () => ({ status: 'True', reason: 'Failed' })],
    [
      'a promise that rejects',
      async () => {
        throw new Error('late');
      },
    ],
    ['another status', () => ({ status: 'Maybe', reason: 'Failed' })],
    ['a reason that is not declared', () => ({ status: 'True', reason: 'X' })],
    [
      'a name of every object',
      () => ({ status: 'True', reason: 'constructor' }),
    ],
  ])('fails with %s, says so once in the log and in its errors', (_, give) => {
    const made = policy({ evaluate: give });
    expect(evaluate(made)).toBe('failed');
    expect(evaluate(made)).toBe('failed');
    expect(made.logger.warn).toHaveBeenCalledTimes(1);
    expect(made.errors.at(new Date(NOW))).toMatchObject([
      { reason: 'UnexpectedAnswer', subject: 'QualityGate', since: NOW },
    ]);
  });

  it('fails with what it throws, whose words stay in the log', () => {
    const made = policy({
      evaluate: () => {
        throw new Error('token=secret-value');
      },
    });
    expect(evaluate(made)).toBe('failed');
    const errors = made.errors.at(new Date(NOW));
    expect(errors).toMatchObject([
      { reason: 'ServerError', subject: 'QualityGate' },
    ]);
    expect(JSON.stringify(errors)).not.toContain('secret-value');
  });

  it('cuts what is too much to size, and leaves out what no sentence can show', () => {
    const found = evaluate(
      policy({
        evaluate: () => ({
          status: 'False',
          reason: 'Failed',
          params: {
            name: 'x'.repeat(100_000),
            count: Number.NaN,
            'not a name': 'x',
            object: { nested: true },
            ...Object.fromEntries(
              Array.from({ length: 100 }, (__, index) => [`p${index}`, index]),
            ),
          },
          lookAgainAt: 'soon',
        }),
      }),
    );
    expect(JSON.stringify(found).length).toBeLessThan(2_000);
    expect(found).not.toHaveProperty('lookAgainAt');
    expect(found).not.toHaveProperty('params.object');
  });

  it('shows markup and invisible characters as the text they are', () => {
    expect(
      evaluate(
        policy({
          evaluate: () => ({
            status: 'False',
            reason: 'Failed',
            params: { name: '<b>\u202eshop</b>\n', count: 1 },
          }),
        }),
      ),
    ).toMatchObject({ sentences: { en: '1 of <b>shop</b> failed {other}.' } });
  });

  it('is not looked at again sooner than after ten seconds', () => {
    expect(
      evaluate(
        policy({
          evaluate: () => ({
            status: 'False',
            reason: 'Failed',
            lookAgainAt: NOW,
          }),
        }),
      ),
    ).toMatchObject({ lookAgainAt: '2026-03-01T12:00:10.000Z' });
  });

  it('forgets an error that does not come again', () => {
    const made = policy({ evaluate: () => null });
    evaluate(made);
    expect(made.errors.at(new Date('2026-03-01T12:02:59Z'))).toHaveLength(1);
    expect(made.errors.at(new Date('2026-03-01T12:03:00Z'))).toEqual([]);
  });
});
