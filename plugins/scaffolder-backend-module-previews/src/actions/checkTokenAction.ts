import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';
import { refuseExpiredToken } from '../render';

/** Id of the action. */
export const CHECK_TOKEN_ACTION = 'previews:token:check';

const examples = [
  {
    description:
      'Refuse a token that has expired, before anything else is done',
    example: stringify({
      steps: [
        {
          id: 'token',
          action: CHECK_TOKEN_ACTION,
          name: 'Check the day of the token',
          input: { expiresOn: '${{ parameters.token.expiresOn }}' },
        },
      ],
    }),
  },
];

/**
 * The action `previews:token:check`: what a form cannot tell of the generator's token, since its patterns know
 * no clock. It is a step of its own because the scaffolder blots out the word "token" in all that is said
 * from the first step on that hands on a secret under this name.
 */
export function createCheckTokenAction(
  options: {
    /** The time by which the token must not have expired; the clock's by default. */
    now?: () => Date;
  } = {},
) {
  const { now = () => new Date() } = options;
  return createTemplateAction({
    id: CHECK_TOKEN_ACTION,
    description: 'Refuses a token of the generator that has expired',
    examples,
    supportsDryRun: true,
    schema: {
      input: {
        expiresOn: z =>
          z
            .string()
            .describe('Day on which the token expires, such as 2027-01-31'),
      },
      output: {
        expiresOn: z => z.string().describe('The same day, which is to come'),
      },
    },
    async handler(context) {
      const { expiresOn } = context.input;
      refuseExpiredToken({ expiresOn, now: now() });
      context.output('expiresOn', expiresOn);
    },
  });
}
