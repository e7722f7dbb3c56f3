import { DiffStory } from '../testing/DiffStory';
import { at, generatedBy, WorldBuilder } from '../testing/world';
import { addSeconds } from './time';

describe('adding seconds', () => {
  it.each([
    ['2026-11-29T12:00:00.000Z', 90, '2026-11-29T12:01:30.000Z'],
    ['2026-11-29T12:00:00Z', -90, '2026-11-29T11:58:30.000Z'],
    ['2026-11-29T12:00:00Z', 9e15, '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59Z', 3600, '9999-12-31T23:59:59.999Z'],
    ['2026-11-29T12:00:00Z', Infinity, '9999-12-31T23:59:59.999Z'],
  ])('%s and %d gives %s', (time, seconds, sum) => {
    expect(addSeconds(time, seconds)).toBe(sum);
  });
});

describe('a set that looks once in many million years', () => {
  const rare = () =>
    WorldBuilder.live().applicationSet(
      generatedBy({}, { requeueAfterSeconds: Number.MAX_SAFE_INTEGER }),
    );

  it('keeps no pass from ending', () => {
    const diff = new DiffStory()
      .pass(rare())
      .pass(rare().mergeRequest({ state: 'closed', closed_at: at(5) }), at(10));
    expect(diff.story.preview().phase).toBe('TearingDown');
    diff.pass(rare().without('applications'), at(20));
    diff.pass(rare().without('applications'), at(10_000));
    expect(diff.story.preview().phase).toBe('Waiting');
    expect(diff.types()).toEqual([]);
  });
});
