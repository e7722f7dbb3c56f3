import { MergeRequestFact, NamespaceFact } from '../../model';
import {
  GeneratorUse,
  nameTemplate,
  parametersFor,
  renderNumbered,
  renderParameter,
  SlugRule,
} from '../generator';
import { isTrackedBy } from '../tracking';
import { NumberedUse } from './NumberedNamespaces';

/**
 * What more than the name says that a set made a namespace for an MR:
 * - `number`: something on it that is another's for every other number;
 * - `set`: all that the set writes on its namespaces, whatever the number;
 * - `unclear`: it has what could be rendered, and more would have to be known;
 * - `none`: nothing does.
 */
export type NamespaceMark = 'number' | 'set' | 'unclear' | 'none';

/** Labels that tell a controller what to do with a namespace, not whose it is: many namespaces have the same. */
const POLICY_DOMAINS = [
  'kubernetes.io',
  'k8s.io',
  'argoproj.io',
  'istio.io',
  'linkerd.io',
  'cilium.io',
  'kyverno.io',
  'gatekeeper.sh',
  'cert-manager.io',
  'openshift.io',
  'k8s.aws',
  'gke.io',
  'kuma.io',
  'fairwinds.com',
];
const POLICY_LABELS = ['istio-injection', 'app.kubernetes.io/managed-by'];

/** Two numbers that no label is the same for by chance. */
const OTHER_NUMBERS = ['31415926', '27182818'];

/**
 * @param mergeRequest - the MR of that number in one of the projects, if it is read.
 */
export function markOn(
  fact: NamespaceFact,
  { use, iid }: NumberedUse,
  mergeRequest?: MergeRequestFact,
): NamespaceMark {
  return isTracked(fact, { use, iid })
    ? 'number'
    : markByLabels(fact, { use, iid }, mergeRequest);
}

function isTracked(fact: NamespaceFact, { use, iid }: NumberedUse): boolean {
  const template = nameTemplate(use.set);
  const application =
    template === undefined
      ? undefined
      : renderNumbered(use, template, String(iid));
  return (
    application !== undefined &&
    isTrackedBy(
      { group: '', kind: 'Namespace', meta: fact.meta },
      { meta: { namespace: use.set.meta.namespace, name: application } },
      {},
    )
  );
}

function markByLabels(
  { meta }: NamespaceFact,
  { use, iid }: NumberedUse,
  mergeRequest: MergeRequestFact | undefined,
): NamespaceMark {
  let isUnclear = false;
  let hasNumber = false;
  let hasOwn = false;
  for (const [label, template] of Object.entries(labelsOfNamespaces(use))) {
    const value = meta.labels[label];
    const expected =
      typeof template === 'string'
        ? valuesOf(template, { use, iid }, mergeRequest)
        : [];
    if (
      value === undefined ||
      (expected.length > 0 && !expected.includes(value))
    ) {
      return 'none';
    }
    isUnclear ||= expected.length === 0;
    hasNumber ||= typeof template === 'string' && isNumbered(use, template);
    hasOwn ||= !isPolicy(label);
  }
  if (!hasNumber && !hasOwn) {
    return 'none';
  }
  if (isUnclear) {
    return 'unclear';
  }
  return hasNumber ? 'number' : 'set';
}

/** Under both slug rules, where it needs more of the MR than the number. Empty where it cannot be told. */
function valuesOf(
  template: string,
  { use, iid }: NumberedUse,
  mergeRequest: MergeRequestFact | undefined,
): string[] {
  const numbered = renderNumbered(use, template, String(iid));
  if (numbered !== undefined) {
    return [numbered];
  }
  const rules: readonly SlugRule[] = mergeRequest ? ['current', 'former'] : [];
  return rules.flatMap(rule => {
    const parameters = parametersFor(use, mergeRequest!, rule);
    const value = renderParameter(use.set, template, parameters);
    return value === undefined ||
      value.includes('{{') ||
      value.includes('<no value>')
      ? []
      : [value];
  });
}

function isNumbered(use: GeneratorUse, template: string): boolean {
  const [one, other] = OTHER_NUMBERS.map(number =>
    renderNumbered(use, template, number),
  );
  return one !== undefined && other !== undefined && one !== other;
}

function isPolicy(label: string): boolean {
  const domain = label.includes('/') ? label.split('/')[0].toLowerCase() : '';
  return (
    POLICY_LABELS.includes(label) ||
    // The labels of this one say whose something is.
    (domain !== 'app.kubernetes.io' &&
      POLICY_DOMAINS.some(
        known => domain === known || domain.endsWith(`.${known}`),
      ))
  );
}

/** Argo CD writes them on the Namespaces that it creates, and on no other. */
function labelsOfNamespaces({ set }: GeneratorUse): Record<string, unknown> {
  const { spec } = set.template as {
    spec?: {
      syncPolicy?: {
        managedNamespaceMetadata?: { labels?: Record<string, unknown> };
      };
    };
  };
  return spec?.syncPolicy?.managedNamespaceMetadata?.labels ?? {};
}
