import {
  MetricAttributes,
  MetricOptions,
} from '@backstage/backend-plugin-api/alpha';
import {
  CheckSeverity,
  FindingSeverity,
  FindingType,
  Phase,
  SourceErrorReason,
  SourceState,
} from '@previews/backstage-plugin-previews-common';
import { SpanKind } from '../model';

/*
 * All metrics with their attributes. Attributes are names from the code, of
 * configured sources and of registered domains, so that their number is bounded: nothing of an MR, a project
 * or a person is among them.
 */

export interface PhaseAttributes extends MetricAttributes {
  phase: Phase;
}

export interface FindingAttributes extends MetricAttributes {
  type: FindingType;
  severity: FindingSeverity;
}

export interface CheckAttributes extends MetricAttributes {
  severity: CheckSeverity;
}

export interface SourceAttributes extends MetricAttributes {
  /** Such as `gitlab:gitlab.example.com` or `cluster:main`. */
  source: string;
  kind: SourceState['kind'];
}

export interface CallAttributes extends MetricAttributes {
  source: string;
  /** `ok`, or why the call did not give what was asked for. */
  outcome: 'ok' | SourceErrorReason;
}

export interface SpanAttributes extends MetricAttributes {
  kind: SpanKind;
  /** False for spans that no histogram has. */
  precise: boolean;
}

export interface PassAttributes extends MetricAttributes {
  outcome: 'done' | 'failed';
  over: 'everything' | 'changes';
}

export interface CertificateAttributes extends MetricAttributes {
  /** A registered domain, of which there are few. */
  domain: string;
}

interface Definition {
  name: string;
  options: MetricOptions;
}

function definition(name: string, options: MetricOptions): Definition {
  return { name, options };
}

export const metricDefinitions = {
  count: definition('previews.count', {
    description: 'Previews by phase',
    unit: '{preview}',
  }),
  findings: definition('previews.findings', {
    description:
      'Differences between merge requests and what is deployed, by type',
    unit: '{finding}',
  }),
  checks: definition('previews.checks', {
    description: 'Results of the readiness checks of all entities, by severity',
    unit: '{result}',
  }),
  certificatesLeft: definition('previews.certificates.left', {
    description:
      'New certificates that may be issued now, by registered domain',
    unit: '{certificate}',
  }),
  sourceAge: definition('previews.source.age', {
    description: 'Time since a source was last read completely',
    unit: 's',
  }),
  sourceFresh: definition('previews.source.fresh', {
    description: '1 while a source is fresh, else 0',
  }),
  upstreamCalls: definition('previews.upstream.calls', {
    description:
      'Calls to GitLab, clusters, Argo CD and sources of modules, by outcome',
    unit: '{call}',
  }),
  reconcileAge: definition('previews.reconcile.age', {
    description:
      'Time since a replica last reconciled, as this replica knows of it',
    unit: 's',
  }),
  reconcileDuration: definition('previews.reconcile.duration', {
    description:
      'How long a pass took on the writer, over all previews or what changed',
    unit: 's',
    advice: {
      explicitBucketBoundaries: [
        0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
      ],
    },
  }),
  spans: definition('previews.spans', {
    description: 'Spin-ups, teardowns, creations and first reviews that ended',
    unit: '{span}',
  }),
  spinUpDuration: definition('previews.spin_up.duration', {
    description: 'From being opened and selected to being live',
    unit: 's',
    advice: {
      explicitBucketBoundaries: [
        15, 30, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 3600,
        7200,
      ],
    },
  }),
  teardownDuration: definition('previews.teardown.duration', {
    description: 'From not being wanted to being gone',
    unit: 's',
    advice: {
      explicitBucketBoundaries: [
        5, 15, 30, 60, 90, 120, 180, 300, 600, 900, 1800, 3600, 7200,
      ],
    },
  }),
} as const;
