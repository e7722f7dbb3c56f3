import { VisibilityCriteria } from '../store';
import { meetsCriteria, toCriteria } from './toCriteria';

const owned: Record<string, string[]> = {
  'group:default/web': ['component:default/web', 'component:default/api'],
};
const ownedBy = async (owners: readonly string[]) =>
  owners.flatMap(owner => owned[owner] ?? []);

describe('toCriteria', () => {
  it('resolves owners anywhere in nested criteria', async () => {
    expect(
      await toCriteria(
        {
          anyOf: [
            { entityRefs: ['component:default/x'] },
            {
              allOf: [
                { owners: ['group:default/web', 'group:default/none'] },
                { not: { owners: ['group:default/none'] } },
              ],
            },
          ],
        },
        { ownedBy },
      ),
    ).toEqual({
      anyOf: [
        { entityRefs: ['component:default/x'] },
        {
          allOf: [
            { entityRefs: owned['group:default/web'] },
            { not: { entityRefs: [] } },
          ],
        },
      ],
    });
  });
});

describe('meetsCriteria', () => {
  const a: VisibilityCriteria = { entityRefs: ['component:default/a'] };
  const b: VisibilityCriteria = { entityRefs: ['component:default/b'] };

  it.each<[string, VisibilityCriteria, boolean]>([
    ['one of its entities', a, true],
    ['none of its entities', b, false],
    ['no entities', { entityRefs: [] }, false],
    ['all of two', { allOf: [a, b] }, false],
    ['any of two', { anyOf: [b, a] }, true],
    ['the opposite of what fits', { not: a }, false],
    ['the opposite of what does not', { not: b }, true],
    ['all of none', { allOf: [] }, true],
    ['any of none', { anyOf: [] }, false],
  ])('judges %s as the store does', (_name, criteria, expected) => {
    expect(meetsCriteria(criteria, ['component:default/a'])).toBe(expected);
  });
});
