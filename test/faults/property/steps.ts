import fc from 'fast-check';
import { platformFaults, sourceFaults } from './injections';

/** The services of a lane, whose sets select and name in different ways. */
export const serviceNames = [
  'plain',
  'labelled',
  'slugs',
  'titled',
  'values',
] as const;

export type ServiceName = (typeof serviceNames)[number];

/** Names one of the MRs of the sequence: the `mr`th that was opened, counted round. */
interface OfMergeRequest {
  mr: number;
}

/** One thing that happens. What cannot happen in the state reached is left out. */
export type Step =
  | {
      do: 'open';
      service: ServiceName;
      labelled: boolean;
      shown: boolean;
      draft: boolean;
      fork: boolean;
    }
  /** A new MR on the branch of one that is over. */
  | ({ do: 'openAgain' } & OfMergeRequest)
  | ({ do: 'push'; force: boolean } & OfMergeRequest)
  | ({ do: 'label'; on: boolean } & OfMergeRequest)
  | ({ do: 'draft'; on: boolean } & OfMergeRequest)
  | ({ do: 'retitle'; shown: boolean } & OfMergeRequest)
  | ({ do: 'lock'; on: boolean } & OfMergeRequest)
  | ({
      do: 'close' | 'reopen' | 'merge' | 'delete' | 'approve';
    } & OfMergeRequest)
  | ({ do: 'stick'; kind: 'Application' | 'Namespace' } & OfMergeRequest)
  | ({ do: 'deleteByHand'; kind: 'Application' | 'Namespace' } & OfMergeRequest)
  | { do: 'breakSource'; fault: string }
  | { do: 'breakPlatform'; fault: string }
  | { do: 'heal' }
  /** `killed` leaves no time to put anything in order, nor to give the lease back. */
  | { do: 'restartPortal'; how: 'stopped' | 'killed' }
  /** Lets what is under way get further, by as much as it gets in this time. */
  | { do: 'pause'; milliseconds: number };

const mr = fc.nat({ max: 3 });
const kind = fc.constantFrom('Application' as const, 'Namespace' as const);
/** Of two cases the first one, as a rule. */
const mostly = fc.oneof(
  { weight: 4, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
);
const seldom = mostly.map(value => !value);

const open = fc.record({
  do: fc.constant('open' as const),
  service: fc.constantFrom(...serviceNames),
  labelled: mostly,
  shown: mostly,
  draft: seldom,
  fork: seldom,
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: open },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('openAgain' as const), mr }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('push' as const),
      force: seldom,
      mr,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('label' as const),
      on: fc.boolean(),
      mr,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('draft' as const),
      on: fc.boolean(),
      mr,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('retitle' as const),
      shown: fc.boolean(),
      mr,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('lock' as const),
      on: fc.boolean(),
      mr,
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'close' as const,
        'close' as const,
        'close' as const,
        'reopen' as const,
        'reopen' as const,
        'merge' as const,
        'merge' as const,
        'delete' as const,
        'approve' as const,
      ),
      mr,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('stick' as const), kind, mr }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('deleteByHand' as const),
      kind,
      mr,
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('breakSource' as const),
      fault: fc.constantFrom(...Object.keys(sourceFaults)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('breakPlatform' as const),
      fault: fc.constantFrom(...Object.keys(platformFaults)),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ do: 'heal' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('restartPortal' as const),
      how: fc.constantFrom('stopped' as const, 'killed' as const),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('pause' as const),
      milliseconds: fc.integer({ min: 10, max: 800 }),
    }),
  },
);

/** Sequences that begin with an MR, without which little can happen. */
export const sequences: fc.Arbitrary<Step[]> = fc
  .tuple(open, fc.array(step, { minLength: 2, maxLength: 16 }))
  .map(([first, rest]) => [first, ...rest]);

/** A step in a line, for the report of a failure. */
export function describeStep(described: Step): string {
  const { do: what, ...rest } = described;
  const details = Object.entries(rest)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
  return details ? `${what} ${details}` : what;
}
