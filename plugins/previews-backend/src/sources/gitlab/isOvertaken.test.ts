import { isOvertaken } from './isOvertaken';

describe('an answer', () => {
  const now = new Date('2026-03-01T12:00:00.000Z');

  it.each([
    ['the first one', undefined, false],
    ['one after what is known', '2026-03-01T11:58:00.000Z', false],
    ['one of the same time', '2026-03-01T11:59:00.000Z', false],
    ['one before what is known', '2026-03-01T11:59:30.000Z', true],
    ['one by a clock that was set back', '2026-03-01T12:30:00.000Z', false],
  ])('that is %s is overtaken: %s, %s', (_, known, expected) => {
    expect(
      isOvertaken({ known, askedAt: '2026-03-01T11:59:00.000Z', now }),
    ).toBe(expected);
  });
});
