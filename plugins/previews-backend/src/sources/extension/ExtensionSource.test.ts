import { mockServices } from '@backstage/backend-test-utils';
import { PreviewsSourceProvider } from '@previews/backstage-plugin-previews-node';
import { PreviewSubject } from '../../model';
import { ExtensionErrors } from './ExtensionErrors';
import { ExtensionSource } from './ExtensionSource';

const PREVIEWS = ['p-1', 'p-2'].map(id => ({ id } as PreviewSubject));

describe('ExtensionSource', () => {
  let now: Date;
  let stop: AbortController;
  const calls: string[] = [];

  beforeEach(() => {
    now = new Date('2026-03-01T12:00:00.000Z');
    stop = new AbortController();
    calls.length = 0;
  });

  afterEach(() => stop.abort());

  async function started(
    read: PreviewsSourceProvider['read'],
    patch: Partial<PreviewsSourceProvider> = {},
  ) {
    const source = ExtensionSource.create({
      provider: { id: 'quality-gate', everySeconds: 3600, ...patch, read },
      errors: new ExtensionErrors(),
      logger: mockServices.logger.mock(),
      onCall: ({ outcome }) => calls.push(outcome),
      clock: () => now,
    });
    source.previewsFrom(() => PREVIEWS);
    source.start({ signal: stop.signal });
    await source.refresh();
    return source;
  }

  it('gives the facts of the previews that it was asked about, and of no others', async () => {
    const read = jest.fn(
      async () =>
        new Map([
          ['p-1', { ok: true }],
          ['x', { ok: true }],
        ]),
    );
    const source = await started(read);
    expect(read).toHaveBeenCalledWith({
      previews: PREVIEWS,
      now: now.toISOString(),
      signal: expect.any(AbortSignal),
    });
    expect(source.reading()).toMatchObject({
      sourceId: 'extension:quality-gate',
      state: 'ready',
      completeAt: now.toISOString(),
      staleAfterSeconds: 3 * 3600,
      facts: new Map([['p-1', { ok: true }]]),
    });
    expect(source.state(now)).toEqual({
      id: 'extension:quality-gate',
      kind: 'extension',
      name: 'quality-gate',
      status: 'fresh',
      lastCompleteAt: now.toISOString(),
      errors: [],
      notes: [],
    });
    expect(calls).toContain('ok');
  });

  it('keeps facts that are the same as the same object, which nobody can change', async () => {
    const source = await started(async () => new Map([['p-1', { list: [1] }]]));
    const first = source.reading().facts.get('p-1') as { list: number[] };
    await source.refresh();
    expect(source.reading().facts.get('p-1')).toBe(first);
    expect(() => first.list.push(2)).toThrow(TypeError);
  });

  it('keeps what it had when a reading fails, and is stale after three', async () => {
    let isBroken = false;
    const source = await started(async () => {
      if (isBroken) {
        throw new Error('password=secret-value');
      }
      return new Map([['p-1', 1]]);
    });
    isBroken = true;
    await source.refresh();
    expect(source.reading()).toMatchObject({
      state: 'failing',
      facts: new Map([['p-1', 1]]),
    });
    const state = source.state(now);
    expect(state).toMatchObject({
      status: 'failing',
      errors: [{ reason: 'ServerError', since: now.toISOString() }],
    });
    expect(JSON.stringify(state)).not.toContain('secret-value');
    expect(source.state(new Date(now.getTime() + 3 * 3_600_000)).status).toBe(
      'stale',
    );
    isBroken = false;
    await source.refresh();
    expect(source.state(now)).toMatchObject({ status: 'fresh', errors: [] });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['an object', { 'p-1': 1 }],
    ['a list', [['p-1', 1]]],
  ])('cannot use %s for an answer', async (_, answer) => {
    const source = await started(async () => answer as never);
    expect(source.reading().state).toBe('failing');
    expect(source.state(now)).toMatchObject({
      status: 'failing',
      errors: [{ reason: 'UnexpectedAnswer' }],
    });
  });

  it('survives one that throws at once', async () => {
    const source = await started((() => {
      throw new Error('at once');
    }) as never);
    expect(source.state(now).errors).toMatchObject([{ reason: 'ServerError' }]);
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;

  it.each<[string, unknown]>([
    ['too large', 'x'.repeat(20_000)],
    ['without an end', circular],
    ['with a number that no JSON has', 1n],
    ['a function', () => 1],
  ])('leaves out facts that are %s, and no others', async (_, facts) => {
    const source = await started(
      async () =>
        new Map<string, unknown>([
          ['p-1', facts],
          ['p-2', 2],
        ]),
    );
    const reading = source.reading();
    expect(reading.facts).toEqual(new Map([['p-2', 2]]));
    expect([...reading.unusable]).toEqual(['p-1']);
    expect(source.state(now).errors).toMatchObject([
      { reason: 'UnexpectedAnswer', subject: 'facts' },
    ]);
  });

  it('gives up one that does not answer, and does not ask it again meanwhile', async () => {
    const read = jest.fn(() => new Promise<never>(() => {}));
    const source = await started(read, { timeoutSeconds: 0.02 });
    expect(source.reading().state).toBe('failing');
    expect(source.state(now).errors).toMatchObject([{ reason: 'TimedOut' }]);
    await source.refresh();
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('begins afresh when it is started again', async () => {
    const source = await started(async () => new Map([['p-1', 1]]));
    stop.abort();
    stop = new AbortController();
    source.start({ signal: stop.signal });
    expect(source.reading()).toMatchObject({
      state: 'pending',
      facts: new Map(),
    });
    expect(source.state(now).status).toBe('pending');
  });
});
