import {
  CheckResult,
  CheckSeverity,
  EntityChecks,
} from '@previews/backstage-plugin-previews-common';
import { entityChecks } from './checkSetUp';
import { supersede } from './supersede';

function result(
  name: string,
  severity: CheckSeverity,
  kind = 'ApplicationSet',
): CheckResult {
  return {
    id: 'StateUnset',
    severity,
    subject: { kind, name },
    evidence: { path: 'spec' },
    params: {},
    message: '',
    fix: '',
  };
}

function checks(
  results: CheckResult[],
  options: { checkedAt?: string; incomplete?: string[] } = {},
): EntityChecks {
  return entityChecks(results, {
    checkedAt: options.checkedAt ?? '2026-11-29T12:00:00.000Z',
    incomplete: options.incomplete ?? [],
  });
}

const names = ({ results }: EntityChecks) =>
  results.map(({ subject }) => subject.name);

const broken = result('shop', 'error');
const tags = result('group/shop', 'warning', 'Repository');

describe('what a new round of checks replaces', () => {
  const later = { checkedAt: '2026-11-29T12:10:00.000Z' };

  it('is all of the last one, where everything was read', () => {
    const after = checks([], later);
    expect(supersede(checks([broken]), after)).toBe(after);
  });

  it('is nothing at first, whatever was read', () => {
    const after = checks([], { ...later, incomplete: ['cluster:main'] });
    expect(supersede(undefined, after)).toBe(after);
  });

  it('is nothing while a cluster that was read before is silent', () => {
    const before = checks([broken]);
    const after = checks([], { ...later, incomplete: ['cluster:main'] });
    expect(supersede(before, after)).toBe(before);
  });

  it('is what the others tell where a cluster was silent before as well', () => {
    const incomplete = ['cluster:main'];
    const after = checks([], { ...later, incomplete });
    expect(supersede(checks([broken], { incomplete }), after)).toBe(after);
  });

  it('is not what was found in repositories while GitLab is silent', () => {
    const stood = supersede(
      checks([broken, tags]),
      checks([result('other', 'error'), result('third', 'info')], {
        ...later,
        incomplete: ['gitlab:gitlab.example.com'],
      }),
    );
    expect(names(stood)).toEqual(['other', 'group/shop', 'third']);
    expect(stood).toMatchObject({
      counts: { error: 1, warning: 1, info: 1 },
      checkedAt: later.checkedAt,
      incomplete: [],
    });
  });

  it('keeps that over many rounds', () => {
    const silent = checks([], {
      ...later,
      incomplete: ['gitlab:gitlab.example.com'],
    });
    const stood = supersede(supersede(checks([tags]), silent), silent);
    expect(names(stood)).toEqual(['group/shop']);
    expect(names(supersede(stood, checks([])))).toEqual([]);
  });
});
