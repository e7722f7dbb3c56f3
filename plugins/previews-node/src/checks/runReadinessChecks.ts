import {
  checkDefinitions,
  CheckId,
  CheckResult,
  checkSeverities,
  CheckSubject,
  cleanText,
  englishChecks,
  renderCheck,
} from '@previews/backstage-plugin-previews-common';
import { Found } from './check';
import { allChecks } from './allChecks';
import { withoutSecrets } from './secrets';
import { SetUp } from './SetUp';
import { CheckInput } from './types';
import { pathText, valueAt } from './values';

/** Most results of one check; more of the same help nobody. */
const MAXIMUM_RESULTS = 100;

type Params = CheckResult['params'];

function shown(text: string): string {
  return cleanText(withoutSecrets(text));
}

/** How people call it. */
function nameOf({ kind, namespace, name }: CheckSubject): string {
  if (kind === 'File') {
    return name;
  }
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** Only what is one value or a list of such: an object may hold a secret. */
function valueText(value: unknown): string | undefined {
  const values = Array.isArray(value) ? value.slice(0, 20) : [value];
  const texts = values.filter(item =>
    ['string', 'number', 'boolean'].includes(typeof item),
  );
  return texts.length > 0 ? shown(texts.join(', ')) : undefined;
}

function cleanParams(params: object): Params {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      if (Array.isArray(value)) {
        return [name, value.map(item => shown(String(item)))];
      }
      return [name, typeof value === 'string' ? shown(value) : value];
    }),
  );
}

function cleanSubject(subject: CheckSubject): CheckSubject {
  const { kind, name, namespace, path, cluster } = subject;
  return {
    kind: shown(kind),
    name: shown(name),
    ...(namespace !== undefined && { namespace: shown(namespace) }),
    ...(path !== undefined && { path: shown(path) }),
    ...(cluster !== undefined && { cluster: shown(cluster) }),
  };
}

function toResult(id: CheckId, found: Found<CheckId>): CheckResult {
  const { on, at } = found;
  const subject = cleanSubject(on.subject);
  const params = cleanParams({ object: nameOf(subject), ...found.params });
  const value =
    found.value ??
    (typeof at === 'string' ? undefined : valueAt(on.object, at));
  const text = valueText(value);
  const texts = renderCheck({ id, params }, { catalogue: englishChecks });
  return {
    id,
    severity: checkDefinitions[id].severity,
    subject,
    evidence: {
      path: shown(typeof at === 'string' ? at : pathText(at)),
      ...(text !== undefined && { value: text }),
    },
    params,
    message: texts?.problem ?? `${id}.`,
    fix: texts?.fix ?? `${id}.`,
  };
}

/**
 * Runs the readiness checks over a set-up: manifests of files and live objects
 * alike. The same list serves the validation of what a template writes, the
 * summary of an entity and the tab of one that has no previews yet.
 *
 * Pure, and never throws for what it is given to check: what is not understood is
 * left alone. That something is missing is only concluded from files, and of kinds
 * that the context says to be complete.
 *
 * @returns what was found, the worst first; nothing when the set-up is ready. At
 * most 100 results of a check.
 * @public
 */
export function runReadinessChecks(input: CheckInput): CheckResult[] {
  const setUp = SetUp.create(input);
  const results = allChecks.flatMap(({ id, find }) =>
    find(setUp)
      .slice(0, MAXIMUM_RESULTS)
      .map(found => toResult(id, found)),
  );
  return checkSeverities.flatMap(severity =>
    results.filter(result => result.severity === severity),
  );
}
