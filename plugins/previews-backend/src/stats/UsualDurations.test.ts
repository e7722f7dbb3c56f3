import { serviceOfPreview, UsualDurations } from '.';

const START = Date.parse('2026-11-29T12:00:00Z');

function transition(
  previewId: string,
  seconds: number,
  type: string,
  to: string,
) {
  const at = new Date(START + seconds * 1000).toISOString();
  return { previewId, kind: 'condition' as const, type, to, at };
}

function built(previewId: string, seconds: number) {
  return [
    transition(previewId, 0, 'ImageBuilt', 'False'),
    transition(previewId, seconds, 'ImageBuilt', 'True'),
  ];
}

describe('UsualDurations', () => {
  const usual = (...previews: ReturnType<typeof built>[]) => {
    const durations = new UsualDurations();
    durations.add(previews.flat(), serviceOfPreview);
    return durations.of('aa-1');
  };

  it('says nothing before three were seen', () => {
    expect(usual(built('aa-1-1', 100), built('aa-1-2', 100))).toEqual({});
  });

  it('is the median, so that one slow pipeline does not count', () => {
    expect(
      usual(built('aa-1-1', 100), built('aa-1-2', 5000), built('aa-1-3', 110)),
    ).toEqual({ ImageBuilt: 110 });
  });

  it('counts from the first word that the step is not done, over all its reasons', () => {
    const waits = (id: string) => [
      transition(id, 0, 'Available', 'False'),
      transition(id, 30, 'Available', 'False'),
      transition(id, 60, 'Available', 'True'),
    ];
    expect(usual(waits('aa-1-1'), waits('aa-1-2'), waits('aa-1-3'))).toEqual({
      Available: 60,
    });
  });

  it('starts anew with a new head', () => {
    const durations = new UsualDurations();
    const pushed = (id: string) => [
      transition(id, 0, 'ImageBuilt', 'False'),
      {
        previewId: id,
        kind: 'head' as const,
        to: 'f00',
        at: new Date(START + 900_000).toISOString(),
      },
      transition(id, 900, 'ImageBuilt', 'False'),
      transition(id, 960, 'ImageBuilt', 'True'),
    ];
    durations.add(
      [pushed('aa-1-1'), pushed('aa-1-2'), pushed('aa-1-3')].flat(),
      serviceOfPreview,
    );
    expect(durations.of('aa-1')).toEqual({ ImageBuilt: 60 });
  });

  it('keeps services apart, and iids of one service together', () => {
    expect(serviceOfPreview('0a8a74dc-1000-6')).toBe('0a8a74dc-1000');
    expect(
      usual(built('bb-2-1', 10), built('bb-2-2', 10), built('bb-2-3', 10)),
    ).toEqual({});
  });

  it('follows a service that becomes faster', () => {
    const slow = Array.from({ length: 20 }, (_, index) =>
      built(`aa-1-${index}`, 600),
    );
    const fast = Array.from({ length: 20 }, (_, index) =>
      built(`aa-1-${index + 50}`, 60),
    );
    expect(usual(...slow, ...fast)).toEqual({ ImageBuilt: 60 });
  });

  it.each([
    ['an outage of a day', 86_400],
    ['a clock that went back', -5],
  ])('leaves %s out', (_, seconds) => {
    expect(
      usual(
        built('aa-1-1', seconds),
        built('aa-1-2', seconds),
        built('aa-1-3', seconds),
      ),
    ).toEqual({});
  });

  it('does not time whether an MR is open or selected', () => {
    const durations = new UsualDurations();
    const ids = ['aa-1-1', 'aa-1-2', 'aa-1-3'];
    durations.add(
      ids.flatMap(id => [
        transition(id, 0, 'Selected', 'False'),
        transition(id, 60, 'Selected', 'True'),
      ]),
      serviceOfPreview,
    );
    expect(durations.of('aa-1')).toEqual({});
  });
});
