import { StoredPreview } from '../model';
import { storedPreview } from '../testing/__testUtils__/storedPreviews';
import { isSame } from './sameness';

const preview = () => storedPreview({ iid: 7 });

function changed(change: (stored: StoredPreview) => void): StoredPreview {
  const stored = preview();
  change(stored);
  return stored;
}

describe('isSame', () => {
  it.each<[string, StoredPreview]>([
    ['an equal preview', preview()],
    ['one that went through JSON', JSON.parse(JSON.stringify(preview()))],
    [
      'one with another read time',
      changed(({ preview: { conditions } }) => {
        conditions[0].observedAt = '2027-01-01T00:00:00.000Z';
      }),
    ],
    [
      'one with an undefined field',
      changed(stored => {
        stored.preview.liveAt = undefined;
      }),
    ],
    [
      'one with its keys in another order',
      {
        ...preview(),
        preview: Object.fromEntries(
          Object.entries(preview().preview).reverse(),
        ) as unknown as StoredPreview['preview'],
      },
    ],
  ])('takes %s for the same', (_, other) => {
    expect(isSame(preview(), other)).toBe(true);
    expect(isSame(other, preview())).toBe(true);
  });

  it.each<[string, StoredPreview]>([
    [
      'another title',
      changed(one => {
        one.preview.mergeRequest.title = 'x';
      }),
    ],
    [
      'one label less',
      changed(one => {
        one.preview.mergeRequest.labels = [];
      }),
    ],
    [
      'one condition less',
      changed(one => {
        one.preview.conditions.pop();
      }),
    ],
    [
      'another since',
      changed(one => {
        one.preview.conditions[0].since = '';
      }),
    ],
    [
      'a time that it had not',
      changed(one => {
        one.preview.liveAt = 'x';
      }),
    ],
    [
      'another memory',
      changed(one => {
        one.memory.served = false;
      }),
    ],
    [
      'a list in place of an object',
      changed(one => {
        one.preview.commit = [] as never;
      }),
    ],
    [
      'nothing in place of an object',
      changed(one => {
        one.preview.commit = null as never;
      }),
    ],
  ])('tells %s', (_, other) => {
    expect(isSame(preview(), other)).toBe(false);
    expect(isSame(other, preview())).toBe(false);
  });
});
