import { CustomErrorBase } from '@backstage/errors';

/**
 * The writer's term is over: another replica took the lease, or it was released.
 * Nothing was written. The writer stops and takes part in the next election; this
 * is a normal result and no failure.
 */
export class LeaseLostError extends CustomErrorBase {
  name = 'LeaseLostError' as const;
}
