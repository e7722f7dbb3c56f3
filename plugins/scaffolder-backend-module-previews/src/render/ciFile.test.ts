import { NotFoundError } from '@backstage/errors';
import { ciFile, stopAfter } from './ciFile';
import type { OnboardingInput } from './input';

describe('stopAfter', () => {
  it.each([
    ['P1D', '1 day'],
    ['P7D', '7 days'],
    ['P2W', '2 weeks'],
    ['PT12H', '12 hours'],
    ['P1DT12H', '1 day 12 hours'],
    ['never', 'never'],
  ])('says %s in the words of GitLab: %s', (duration, words) => {
    expect(stopAfter(duration)).toBe(words);
  });
});

describe('ciFile', () => {
  it('says which file the skeleton lacks', () => {
    expect(() => ciFile({} as OnboardingInput, [])).toThrow(
      new NotFoundError(
        'The skeleton has no service/.gitlab/previews.gitlab-ci.yml',
      ),
    );
  });
});
