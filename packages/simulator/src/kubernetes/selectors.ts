import { badRequest } from './errors';
import type { KubernetesObject } from './object';

/** Decides whether an object is selected. */
export type ObjectPredicate = (object: KubernetesObject) => boolean;

const KEY = '[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?';
const VALUE = '[-A-Za-z0-9_.]*';
const SET = new RegExp(`^(${KEY})\\s+(in|notin)\\s+\\(([^()]*)\\)$`);
const EQUALITY = new RegExp(`^(${KEY})\\s*(==|=|!=)\\s*(${VALUE})$`);
const COMPARISON = new RegExp(`^(${KEY})\\s*(>|<)\\s*(-?\\d+)$`);
const EXISTENCE = new RegExp(`^(!?)\\s*(${KEY})$`);

/**
 * Parses a label selector: equality, set-based, existence, comparison; all
 * requirements must hold. A malformed one is refused with 400.
 */
export function parseLabelSelector(text: string | undefined): ObjectPredicate {
  const requirements = splitOutsideParentheses(text ?? '').map(part =>
    parseLabelRequirement(part, text ?? ''),
  );
  return object => {
    const labels = object.metadata.labels ?? {};
    return requirements.every(holds => holds(labels));
  };
}

type LabelRequirement = (labels: Record<string, string>) => boolean;

function parseLabelRequirement(part: string, whole: string): LabelRequirement {
  const set = SET.exec(part);
  if (set) {
    const [, key, , operator, list] = set;
    const values = new Set(list.split(',').map(value => value.trim()));
    // As in Kubernetes, "notin" and "!=" also select objects without the label.
    return operator === 'in'
      ? labels => key in labels && values.has(labels[key])
      : labels => !(key in labels) || !values.has(labels[key]);
  }
  const equality = EQUALITY.exec(part);
  if (equality) {
    const [, key, , operator, value] = equality;
    return operator === '!='
      ? labels => labels[key] !== value
      : labels => labels[key] === value;
  }
  const comparison = COMPARISON.exec(part);
  if (comparison) {
    const [, key, , operator, bound] = comparison;
    return labels => {
      const value = Number.parseInt(labels[key] ?? '', 10);
      return operator === '>' ? value > Number(bound) : value < Number(bound);
    };
  }
  const existence = EXISTENCE.exec(part);
  if (existence) {
    const [, negated, key] = existence;
    return labels => key in labels !== Boolean(negated);
  }
  throw badRequest(
    `unable to parse requirement: found '${part}' in label selector "${whole}"`,
  );
}

function splitOutsideParentheses(text: string): string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map(part => part.trim())
    .filter(part => part !== '');
}

/** Fields that may be selected by, next to name and namespace. */
const FIELDS_BY_KIND: Record<string, string[]> = {
  Pod: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.serviceAccountName',
    'status.phase',
    'status.podIP',
  ],
  Namespace: ['status.phase'],
  Secret: ['type'],
  Event: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  Job: ['status.successful'],
  ReplicaSet: ['status.replicas'],
  Node: ['spec.unschedulable'],
};

/**
 * Parses a field selector for objects of a kind. A field that the kind cannot
 * be selected by is refused with 400, as the API server does.
 */
export function parseFieldSelector(
  text: string | undefined,
  kind: string,
): ObjectPredicate {
  const requirements = (text ?? '')
    .split(',')
    .filter(part => part !== '')
    .map(part => {
      const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(part);
      if (!match) {
        throw badRequest(
          `invalid selector: '${text}'; can't understand '${part}'`,
        );
      }
      const [, field, operator, value] = match;
      const known =
        field === 'metadata.name' ||
        field === 'metadata.namespace' ||
        FIELDS_BY_KIND[kind]?.includes(field);
      if (!known) {
        throw badRequest(`field label not supported: ${field}`);
      }
      const path = field.split('.');
      return (object: KubernetesObject) =>
        (valueAt(object, path) === value) === (operator !== '!=');
    });
  return object => requirements.every(holds => holds(object));
}

/**
 * The name that a field selector pins down, if it does: lets RBAC rules with
 * `resourceNames` cover a list or watch of one object.
 */
export function selectedName(
  fieldSelector: string | undefined,
): string | undefined {
  return /(?:^|,)metadata\.name==?([^,]+)/.exec(fieldSelector ?? '')?.[1];
}

function valueAt(object: KubernetesObject, path: string[]): string {
  let value: any = object;
  for (const key of path) {
    value = value?.[key];
  }
  if (path[0] === 'source' && typeof value === 'object') {
    return value.component ?? '';
  }
  return value === undefined || value === null ? '' : String(value);
}
