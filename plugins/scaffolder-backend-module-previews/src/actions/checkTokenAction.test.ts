import { createMockDirectory } from '@backstage/backend-test-utils';
import { InputError } from '@backstage/errors';
import { runAction } from '../__testUtils__/runAction';
import { createCheckTokenAction } from './checkTokenAction';

const workspace = createMockDirectory();

function check(expiresOn: string, now?: () => Date) {
  return runAction({
    action: createCheckTokenAction({ now }),
    workspacePath: workspace.path,
    input: { expiresOn },
  });
}

const noon = () => new Date('2026-11-30T12:00:00Z');

describe('previews:token:check', () => {
  it.each<[string, string, string]>([
    [
      'has passed',
      '2020-01-01',
      '2020-01-01 is no day to come, so the token has expired',
    ],
    [
      'has begun',
      '2026-11-30',
      '2026-11-30 is no day to come, so the token has expired',
    ],
    ['is none', '2027-02-30', 'is a day such as 2027-01-31'],
  ])('refuses a token whose day %s', async (_, expiresOn, message) => {
    const checking = check(expiresOn, noon);
    await expect(checking).rejects.toThrow(InputError);
    await expect(checking).rejects.toThrow(
      `The service cannot be onboarded: token.expiresOn: ${message}`,
    );
  });

  it('takes a token until the day on which it expires', async () => {
    expect(await check('2026-12-01', noon)).toEqual({
      expiresOn: '2026-12-01',
    });
  });

  it('reads the clock where no other time is given', async () => {
    await expect(check('2020-01-01')).rejects.toThrow('is no day to come');
    expect(await check('9999-12-31')).toEqual({ expiresOn: '9999-12-31' });
  });
});
