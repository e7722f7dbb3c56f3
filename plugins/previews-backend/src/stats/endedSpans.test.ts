import { Transition } from '@previews/backstage-plugin-previews-common';
import { ObservationGap, Span } from '../model';
import {
  storedPreview,
  StoredPreviewOptions,
} from '../testing/__testUtils__/storedPreviews';
import { endedSpans, TimelineEvent } from './endedSpans';

/** Minutes after the MR was opened. */
function at(minutes: number): string {
  return new Date(
    Date.parse('2026-11-01T08:00:00.000Z') + minutes * 60_000,
  ).toISOString();
}

function phase(minutes: number, to: string): TimelineEvent {
  return { kind: 'phase', to, at: at(minutes) };
}

function condition(
  minutes: number,
  type: Transition['type'],
  change: string,
): TimelineEvent {
  const [from, to] = change.split('>');
  return {
    kind: 'condition',
    type,
    ...(from && { from }),
    to,
    at: at(minutes),
  };
}

/** Opened with its label, seen after a minute, live after ten. */
const ordinary: TimelineEvent[] = [
  condition(1, 'MergeRequestOpen', '>True'),
  condition(1, 'Selected', '>True'),
  phase(1, 'Waiting'),
  phase(2, 'Building'),
  condition(5, 'ApplicationGenerated', '>True'),
  phase(5, 'Deploying'),
  phase(8, 'Securing'),
  phase(10, 'Live'),
];

const merged: TimelineEvent[] = [
  condition(60, 'MergeRequestOpen', 'True>False'),
  condition(60, 'Selected', 'True>False'),
  phase(60, 'TearingDown'),
  condition(65, 'CleanedUp', 'False>True'),
  phase(65, 'Gone'),
];

function spansOf(
  timeline: TimelineEvent[],
  options: {
    preview?: Partial<StoredPreviewOptions>;
    known?: number;
    gaps?: ObservationGap[];
  } = {},
): Span[] {
  return endedSpans({
    stored: storedPreview({ iid: 7, ...options.preview }),
    timeline,
    known: options.known ?? 0,
    approvedBefore: false,
    gaps: options.gaps ?? [],
    noticedWithinSeconds: 180,
  });
}

function minutesOf(span: Span | undefined) {
  return (
    span && {
      from: (Date.parse(span.startedAt) - Date.parse(at(0))) / 60_000,
      to: (Date.parse(span.endedAt) - Date.parse(at(0))) / 60_000,
      imprecise: span.imprecise,
    }
  );
}

function find(kind: Span['kind'], spans: Span[]) {
  return minutesOf(spans.find(span => span.kind === kind));
}

describe('the spin-up', () => {
  it("goes from GitLab's time of opening to the first Live, with the part of every stage", () => {
    const [created, spinUp, ...others] = spansOf(ordinary);
    expect(others).toEqual([]);
    expect(created.kind).toBe('created');
    expect(spinUp).toEqual({
      previewId: storedPreview({ iid: 7 }).preview.id,
      host: 'gitlab.example.com',
      projectId: 101,
      project: 'shop/web',
      kind: 'spinUp',
      startedAt: at(0),
      endedAt: at(10),
      imprecise: false,
      stages: {
        Noticing: 60,
        Waiting: 60,
        Building: 180,
        Deploying: 180,
        Securing: 120,
      },
    });
  });

  it('begins when it is selected, where that is later', () => {
    const timeline = [
      condition(1, 'Selected', '>False'),
      phase(1, 'NotSelected'),
      condition(30, 'Selected', 'False>True'),
      phase(30, 'Waiting'),
      phase(40, 'Live'),
    ];
    expect(find('spinUp', spansOf(timeline))).toEqual({
      from: 30,
      to: 40,
      imprecise: false,
    });
  });

  it('begins anew when the label goes and comes back before anything served', () => {
    const timeline = [
      condition(1, 'Selected', '>True'),
      phase(1, 'Waiting'),
      condition(5, 'Selected', 'True>False'),
      phase(5, 'NotSelected'),
      condition(90, 'Selected', 'False>True'),
      phase(90, 'Waiting'),
      phase(95, 'Live'),
    ];
    const [spinUp] = spansOf(timeline);
    expect(minutesOf(spinUp)).toMatchObject({ from: 90, to: 95 });
    expect(spinUp.stages).toEqual({ Waiting: 300 });
  });

  it('begins when the MR is reopened, where that is later', () => {
    const timeline = [
      condition(1, 'MergeRequestOpen', '>True'),
      condition(1, 'Selected', '>True'),
      phase(1, 'Waiting'),
      condition(20, 'MergeRequestOpen', 'True>False'),
      condition(50, 'MergeRequestOpen', 'False>True'),
      phase(58, 'Live'),
    ];
    expect(find('spinUp', spansOf(timeline))).toMatchObject({
      from: 50,
      to: 58,
    });
  });

  it('is measured once, not again after an update', () => {
    const timeline = [...ordinary, phase(30, 'Updating'), phase(35, 'Live')];
    expect(spansOf(timeline, { known: ordinary.length })).toEqual([]);
  });

  it('is measured again when the environment went and came back', () => {
    const before = [...ordinary, ...merged];
    const timeline = [
      ...before,
      condition(100, 'MergeRequestOpen', 'False>True'),
      condition(100, 'Selected', 'False>True'),
      phase(100, 'Waiting'),
      condition(101, 'ApplicationGenerated', 'False>True'),
      phase(104, 'Live'),
    ];
    const spans = spansOf(timeline, { known: before.length });
    expect(find('spinUp', spans)).toEqual({
      from: 100,
      to: 104,
      imprecise: false,
    });
    expect(spans.map(({ kind }) => kind)).toEqual(['created', 'spinUp']);
  });

  it('is the same whether a restart came in between or not', () => {
    const all = spansOf(ordinary);
    const inParts = ordinary.flatMap((_, index) =>
      spansOf(ordinary.slice(0, index + 1), { known: index }),
    );
    expect(inParts).toEqual(all);
  });

  it('is imprecise when the MR was first seen long after it was opened', () => {
    const late = [condition(600, 'Selected', '>True'), phase(600, 'Live')];
    expect(find('spinUp', spansOf(late))).toMatchObject({ imprecise: true });
  });

  it('never lasts less than nothing, whatever the clocks say', () => {
    const early = [condition(-2, 'Selected', '>True'), phase(-2, 'Live')];
    const [spinUp] = spansOf(early);
    expect(spinUp.startedAt).toBe(spinUp.endedAt);
    expect(spinUp.stages).toEqual({});
  });

  it.each<[string, string, boolean]>([
    ['nobody was at work', '*', true],
    ['its project could not be read', 'gitlab:gitlab.example.com/101', true],
    ['its cluster could not be read', 'cluster:main', true],
    ['another project could not be read', 'gitlab:gitlab.example.com/9', false],
    ['another cluster could not be read', 'cluster:other', false],
  ])('is imprecise when meanwhile %s: %s', (_, scope, imprecise) => {
    const gaps = [{ scope, startedAt: at(3), endedAt: at(5) }];
    expect(find('spinUp', spansOf(ordinary, { gaps }))).toMatchObject({
      imprecise,
    });
  });

  it('is precise when what was not observed is before or after it', () => {
    const gaps = [
      { scope: '*', startedAt: at(-10), endedAt: at(-1) },
      { scope: '*', startedAt: at(11), endedAt: at(15) },
    ];
    expect(find('spinUp', spansOf(ordinary, { gaps }))).toMatchObject({
      imprecise: false,
    });
  });
});

describe('the teardown', () => {
  it("goes from GitLab's time of merging to nothing being left", () => {
    const [teardown] = spansOf([...ordinary, ...merged], {
      known: ordinary.length,
      preview: {
        phase: 'Gone',
        mergeRequest: { state: 'merged', mergedAt: at(59) },
      },
    });
    expect(teardown).toMatchObject({
      kind: 'teardown',
      startedAt: at(59),
      endedAt: at(65),
      imprecise: false,
      stages: { Noticing: 60, TearingDown: 300 },
    });
  });

  it('begins when the label goes, although the MR is merged later', () => {
    const timeline = [
      ...ordinary,
      condition(40, 'Selected', 'True>False'),
      phase(40, 'TearingDown'),
      condition(60, 'MergeRequestOpen', 'True>False'),
      phase(65, 'Gone'),
    ];
    expect(
      find(
        'teardown',
        spansOf(timeline, {
          preview: { mergeRequest: { state: 'merged', mergedAt: at(59) } },
        }),
      ),
    ).toEqual({ from: 40, to: 65, imprecise: false });
  });

  it('does not exist when it is wanted again before all is gone', () => {
    const timeline = [
      ...ordinary,
      condition(40, 'Selected', 'True>False'),
      phase(40, 'TearingDown'),
      condition(42, 'Selected', 'False>True'),
      phase(42, 'Live'),
    ];
    expect(spansOf(timeline, { known: ordinary.length })).toEqual([]);
  });

  it('is imprecise where nobody saw since when it is not wanted', () => {
    const timeline = [
      condition(600, 'Selected', '>False'),
      phase(600, 'TearingDown'),
      phase(605, 'Gone'),
    ];
    expect(find('teardown', spansOf(timeline))).toMatchObject({
      imprecise: true,
    });
  });
});

describe('what is created', () => {
  it("is dated by Kubernetes' own time of the first Application", () => {
    const { preview } = storedPreview({ iid: 7 });
    const [application] = preview.applications;
    const applications = [4.5, 4, 6].map(minutes => ({
      ...application,
      createdAt: at(minutes),
    }));
    expect(
      find(
        'created',
        spansOf(ordinary, { preview: { preview: { applications } } }),
      ),
    ).toEqual({ from: 4, to: 4, imprecise: false });
  });

  it('counts once, also when an Application is missing for a while', () => {
    const timeline = [
      ...ordinary,
      condition(20, 'ApplicationGenerated', 'True>False'),
      condition(21, 'ApplicationGenerated', 'False>True'),
    ];
    expect(spansOf(timeline, { known: ordinary.length })).toEqual([]);
  });
});

describe('the review', () => {
  it('goes from opening to the first approval, by GitLab', () => {
    const preview = { mergeRequest: { approvedAt: at(45) } };
    expect(
      find('review', spansOf(ordinary, { preview, known: ordinary.length })),
    ).toEqual({ from: 0, to: 45, imprecise: false });
  });

  it('is told once', () => {
    expect(
      endedSpans({
        stored: storedPreview({
          iid: 7,
          mergeRequest: { approvedAt: at(45) },
        }),
        timeline: ordinary,
        known: ordinary.length,
        approvedBefore: true,
        gaps: [],
        noticedWithinSeconds: 180,
      }),
    ).toEqual([]);
  });
});
