import { FurtherPolicy, FurtherReading, FurtherVerdict, World } from '../model';
import { Story } from '../testing/Story';
import { at, WorldBuilder } from '../testing/world';

const SOURCE = 'extension:quality-gate';

function verdict(patch: Partial<FurtherVerdict> = {}): FurtherVerdict {
  return {
    status: 'False',
    reason: 'Running',
    effect: 'waiting',
    params: { count: 3 },
    sentences: { en: '3 checks run.', ca: 'S’executen 3 comprovacions.' },
    ...patch,
  };
}

const blocked = verdict({ reason: 'Failed', effect: 'blocked' });
const passed = verdict({
  status: 'True',
  reason: 'Passed',
  effect: 'fulfilled',
});
const warned = verdict({ status: 'True', reason: 'Slow', effect: 'warning' });

type Answer = FurtherVerdict | 'failed' | undefined;

/** Passes over a world, with one condition that answers as it is told to. */
class FurtherStory extends Story {
  answer: Answer = passed;
  readonly #policy: FurtherPolicy;

  constructor(patch: Partial<FurtherPolicy> = {}) {
    super();
    this.#policy = {
      type: 'QualityGate',
      title: { en: 'Quality gate' },
      sourceId: SOURCE,
      readsSource: false,
      blocksLive: true,
      evaluate: () => this.answer,
      ...patch,
    };
    this.further = [this.#policy];
  }

  look(
    world: WorldBuilder,
    options: { answer?: Answer; now?: string; reading?: FurtherReading } = {},
  ): this {
    const now = options.now ?? at(0);
    if ('answer' in options) {
      this.answer = options.answer;
    }
    const built: World = world.readAt(now).build();
    return this.pass(
      { ...built, ...(options.reading && { further: [options.reading] }) },
      now,
    );
  }

  get gate() {
    return this.preview().furtherConditions?.[0];
  }
}

function reading(patch: Partial<FurtherReading> = {}): FurtherReading {
  return {
    sourceId: SOURCE,
    state: 'ready',
    completeAt: at(0),
    staleAfterSeconds: 180,
    facts: new Map(),
    unusable: new Set(),
    ...patch,
  };
}

describe('a further condition', () => {
  it('is shown with its sentences, and changes in the timeline', () => {
    const story = new FurtherStory().look(WorldBuilder.live());
    expect(story.gate).toMatchObject({
      type: 'QualityGate',
      status: 'True',
      reason: 'Passed',
      blocksLive: true,
      since: at(0),
      message: '3 checks run.',
    });
    story.look(WorldBuilder.live(), { answer: blocked, now: at(60) });
    expect(story.changes()).toContain('QualityGate True->False');
    expect(
      story
        .decision()
        .change.transitions.find(({ type }) => type === 'QualityGate'),
    ).toMatchObject({
      kind: 'condition',
      reason: 'Failed',
      sentences: { ca: expect.any(String) },
    });
    expect(story.gate?.since).toBe(at(60));
  });

  it('is absent where it does not apply, and from previews that nobody wants', () => {
    const story = new FurtherStory().look(WorldBuilder.live(), {
      answer: undefined,
    });
    expect(story.preview()).not.toHaveProperty('furtherConditions');
    story.look(WorldBuilder.live().mergeRequest({ state: 'closed' }), {
      answer: blocked,
    });
    expect(story.preview()).not.toHaveProperty('furtherConditions');
  });

  it.each<[string, Answer, string]>([
    ['holds', passed, 'Live'],
    ['holds and warns', warned, 'Live'],
    ['waits', verdict(), 'Deploying'],
    ['is blocked', blocked, 'Failed'],
    ['cannot be told', 'failed', 'Live'],
  ])(
    'that %s and holds the preview back makes its phase',
    (_, answer, phase) => {
      const story = new FurtherStory().look(WorldBuilder.live(), { answer });
      expect(story.preview().phase).toBe(phase);
    },
  );

  it('makes a preview that was live degraded', () => {
    const story = new FurtherStory()
      .look(WorldBuilder.live())
      .look(WorldBuilder.live(), { answer: blocked, now: at(60) });
    expect(story.preview()).toMatchObject({
      phase: 'Degraded',
      message: '3 checks run.',
      reason: { type: 'QualityGate', sentences: { en: '3 checks run.' } },
    });
  });

  it.each<[string, Answer]>([
    ['is blocked', blocked],
    ['waits', verdict()],
  ])('that %s and holds nothing back is a warning', (_, answer) => {
    const story = new FurtherStory({ blocksLive: false }).look(
      WorldBuilder.live(),
      { answer },
    );
    expect(story.preview()).toMatchObject({
      phase: 'Live',
      reason: { type: 'QualityGate' },
    });
  });

  it('that fails keeps what was known, and the phase that follows from it', () => {
    const story = new FurtherStory()
      .look(WorldBuilder.live(), { answer: blocked })
      .look(WorldBuilder.live(), { answer: 'failed', now: at(60) });
    expect(story.gate).toMatchObject({
      status: 'Unknown',
      reason: 'SourceUnavailable',
      message: expect.stringMatching(/^quality-gate does not answer/),
      lastKnown: { status: 'False', reason: 'Failed' },
      since: at(0),
    });
    expect(story.preview()).toMatchObject({
      phase: 'Failed',
      stale: [SOURCE],
      message: '3 checks run.',
    });
    expect(story.changes()).toEqual([]);
    // It is asked again soon, without any change.
    expect(story.decision().lookAgainAt).toBe(at(120));
    story.look(WorldBuilder.live(), { answer: blocked, now: at(120) });
    expect(story.changes()).toEqual([]);
    expect(story.preview().stale).toEqual([]);
  });

  describe('with a source', () => {
    const withSource = { readsSource: true };

    it('is given the facts of its preview', () => {
      const evaluate = jest.fn(() => passed);
      const story = new FurtherStory({ ...withSource, evaluate });
      const { id } = story
        .look(WorldBuilder.live(), { reading: reading() })
        .preview();
      story.look(WorldBuilder.live(), {
        reading: reading({ facts: new Map([[id, { ok: true }]]) }),
      });
      expect(evaluate).toHaveBeenLastCalledWith({
        preview: expect.objectContaining({
          id,
          mergeRequest: expect.objectContaining({ iid: 7, author: 'dev1' }),
          conditions: expect.arrayContaining([
            { type: 'Synced', status: 'True', reason: 'Synced' },
          ]),
        }),
        facts: { ok: true },
        now: at(0),
      });
    });

    it.each<[string, FurtherReading | undefined, string, string[]]>([
      ['was never there', undefined, 'NotReadYet', []],
      [
        'is being read for the first time',
        reading({ state: 'pending', completeAt: undefined }),
        'NotReadYet',
        [],
      ],
      [
        'failed from the beginning',
        reading({ state: 'failing', completeAt: undefined }),
        'SourceUnavailable',
        [SOURCE],
      ],
      [
        'is stale',
        reading({ completeAt: at(-180) }),
        'SourceUnavailable',
        [SOURCE],
      ],
    ])(
      'is unknown and blocks nothing while that %s',
      (_, given, reason, stale) => {
        const story = new FurtherStory(withSource).look(WorldBuilder.live(), {
          answer: blocked,
          reading: given,
        });
        expect(story.gate).toMatchObject({ status: 'Unknown', reason });
        expect(story.preview()).toMatchObject({ phase: 'Live', stale });
      },
    );

    it('is decided while the last reading failed and the one before is recent', () => {
      const story = new FurtherStory(withSource).look(WorldBuilder.live(), {
        reading: reading({ state: 'failing', completeAt: at(-179) }),
      });
      expect(story.gate?.status).toBe('True');
    });

    it('is unknown where the facts of its preview could not be used', () => {
      const story = new FurtherStory(withSource);
      const { id } = story
        .look(WorldBuilder.live(), { reading: reading() })
        .preview();
      story.look(WorldBuilder.live(), {
        reading: reading({ unusable: new Set([id]) }),
      });
      expect(story.gate).toMatchObject({
        status: 'Unknown',
        lastKnown: { reason: 'Passed' },
      });
    });
  });
});
