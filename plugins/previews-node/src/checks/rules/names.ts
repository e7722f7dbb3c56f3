import { AnyCheck, check } from '../check';
import { PreviewSet } from '../previewSets';
import { SetUp } from '../SetUp';
import {
  actionsOf,
  fixedText,
  hostsIn,
  labelsOf,
  longestLength,
  normalForm,
  PARAMETERS,
  parametersOf,
  withValues,
} from '../templates';
import { listAt, objectAt, Path, textAt, textsAt, textsBelow } from '../values';

/** A label of a host, and the name of a namespace. */
const LONGEST_LABEL = 63;

/** The name of the Application becomes the release's, which Helm refuses beyond. */
const LONGEST_RELEASE = 53;

/** Words that many services have in their names alike. */
const COMMON_WORDS =
  /^(?:app|apps|application|branch|env|environment|ephemeral|feature|gitlab|mr|pr|preview|previews|pull|request|merge|review|reviews|sandbox|temp|test)$/;

const NAME: Path = ['spec', 'template', 'metadata', 'name'];
const NAMESPACE: Path = [
  'spec',
  'template',
  'spec',
  'destination',
  'namespace',
];

function namesMergeRequest(template: string, set: PreviewSet): boolean {
  const parameters = parametersOf(withValues(template, set), set);
  return parameters.some(
    name => name === 'number' || name === '(number)' || name === 'head_sha',
  );
}

/** Whether something in it is of the project: its number, a word, another parameter. */
function namesProject(template: string, set: PreviewSet): boolean {
  const whole = withValues(template, set);
  const words = fixedText(whole)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => /^(?:\d+|\w{2,})$/.test(word) && !COMMON_WORDS.test(word));
  const further = parametersOf(whole, set).filter(
    name => !PARAMETERS.includes(name.replace(/[()]/g, '')),
  );
  return (
    further.length > 0 ||
    words.some(
      word =>
        !/^\d+$/.test(word) ||
        set.generators.some(({ project }) => project === word),
    )
  );
}

function withNames(
  { previewSets }: SetUp,
  isFound: (set: PreviewSet) => boolean,
) {
  return previewSets
    .filter(set => set.name !== '' && isFound(set))
    .map(({ on }) => ({ on, at: NAME, params: {} }));
}

function withNamespaces(
  { previewSets }: SetUp,
  isFound: (set: PreviewSet) => boolean,
) {
  return previewSets
    .filter(set => set.namespace !== '' && isFound(set))
    .map(({ on, namespace }) => ({ on, at: NAMESPACE, params: { namespace } }));
}

/** What two sets must not share: names in one namespace, namespaces in one cluster. */
function claimsOf({ on, name, namespace, template }: PreviewSet): string[] {
  const where = textAt(template, 'spec', 'destination', 'server');
  const cluster = textAt(template, 'spec', 'destination', 'name');
  return [
    ...(name === ''
      ? []
      : [`name ${on.cluster} ${on.namespace} ${normalForm(name)}`]),
    ...(actionsOf(namespace).length > 0
      ? [`namespace ${where} ${cluster} ${normalForm(namespace)}`]
      : []),
  ];
}

function hostsOf(set: PreviewSet): { at: Path; host: string }[] {
  return [
    ...textsBelow(objectAt(set.template, 'spec'), ['spec', 'template', 'spec']),
    { text: set.patch, path: ['spec', 'templatePatch'] },
  ].flatMap(({ text, path }) =>
    hostsIn(text).map(host => ({ at: path, host })),
  );
}

/** Whether the branch stands there by itself, without anything that cleans it. */
function hasRawBranch(template: string): boolean {
  return actionsOf(template).some(action =>
    /^\.?(?:target_)?branch$/.test(action),
  );
}

/** Whether the name of the Application is the one that Helm gets. */
function namesRelease(set: PreviewSet): boolean {
  const spec = objectAt(set.template, 'spec');
  const sources = [
    objectAt(spec, 'source'),
    ...[0, 1, 2].map(index => objectAt(spec, 'sources', index)),
  ];
  return sources.some(
    source =>
      (Object.hasOwn(source, 'helm') || textAt(source, 'chart') !== '') &&
      textAt(source, 'helm', 'releaseName') === '',
  );
}

function tooLongOfSet(set: PreviewSet) {
  const limit = namesRelease(set) ? LONGEST_RELEASE : LONGEST_LABEL;
  const hosts = hostsOf(set).flatMap(({ at, host }) =>
    labelsOf(host).map(label => ({
      at,
      name: host,
      text: label,
      limit: LONGEST_LABEL,
    })),
  );
  const seen = new Set<string>();
  return [
    { at: NAME, name: 'metadata.name', text: set.name, limit },
    {
      at: NAMESPACE,
      name: 'destination.namespace',
      text: set.namespace,
      limit: LONGEST_LABEL,
    },
    ...hosts,
  ]
    .map(({ text, ...rest }) => ({
      ...rest,
      length: longestLength(text, set),
      value: text,
    }))
    .filter(
      ({ length, limit: most, name }) =>
        length > most && !seen.has(name) && seen.add(name),
    )
    .map(({ at, value, name, length, limit: most }) => ({
      on: set.on,
      at,
      value,
      params: { name, length, limit: most },
    }));
}

/** Hosts and names of objects that are rendered already. */
function tooLongOfObjects(setUp: SetUp) {
  const routes = setUp.ofKind('HTTPRoute').map(on => ({
    on,
    path: ['spec', 'hostnames'],
    names: textsAt(on.object, 'spec', 'hostnames'),
  }));
  const certificates = setUp.ofKind('Certificate').map(on => ({
    on,
    path: ['spec', 'dnsNames'],
    names: textsAt(on.object, 'spec', 'dnsNames'),
  }));
  const ingresses = setUp.ofKind('Ingress').map(on => ({
    on,
    path: ['spec', 'rules'],
    names: listAt(on.object, 'spec', 'rules').map(rule => textAt(rule, 'host')),
  }));
  const namespaces = setUp.ofKind('Namespace').map(on => ({
    on,
    path: ['metadata', 'name'],
    names: [on.name],
  }));
  return [...routes, ...certificates, ...ingresses, ...namespaces].flatMap(
    ({ on, path, names }) =>
      names
        .map(name => ({
          name,
          longest: Math.max(...name.split('.').map(label => label.length)),
        }))
        .filter(({ longest }) => longest > LONGEST_LABEL)
        .map(({ name, longest }) => ({
          on,
          at: path,
          value: name,
          params: { name, length: longest, limit: LONGEST_LABEL },
        })),
  );
}

/** Names that must not meet, and must not grow too long. */
export const nameChecks: AnyCheck[] = [
  check('NameWithoutMergeRequest', setUp =>
    withNames(setUp, set => !namesMergeRequest(set.name, set)),
  ),
  check('NameWithoutProject', setUp =>
    withNames(
      setUp,
      set => namesMergeRequest(set.name, set) && !namesProject(set.name, set),
    ),
  ),
  check('NamespaceShared', setUp =>
    withNamespaces(setUp, set => !namesMergeRequest(set.namespace, set)),
  ),
  check('NamespaceWithoutProject', setUp =>
    withNamespaces(
      setUp,
      set =>
        namesMergeRequest(set.namespace, set) &&
        !namesProject(set.namespace, set),
    ),
  ),
  check('NamesCollide', ({ previewSets }) => {
    const byClaim = new Map<string, PreviewSet[]>();
    for (const set of previewSets) {
      for (const claim of claimsOf(set)) {
        byClaim.set(claim, [...(byClaim.get(claim) ?? []), set]);
      }
    }
    return previewSets.flatMap(set => {
      const claim = claimsOf(set).find(
        key => (byClaim.get(key)?.length ?? 0) > 1,
      );
      if (claim === undefined) {
        return [];
      }
      const others = byClaim.get(claim)!.filter(other => other !== set);
      return [
        {
          on: set.on,
          at: claim.startsWith('name ') ? NAME : NAMESPACE,
          params: {
            others: others.map(
              ({ on }) =>
                `${on.namespace === '' ? '' : `${on.namespace}/`}${on.name}`,
            ),
          },
        },
      ];
    });
  }),
  check('BranchUnslugged', ({ previewSets }) =>
    previewSets.flatMap(set => {
      const labels = objectAt(set.template, 'metadata', 'labels');
      const places = [
        { at: NAME, name: 'metadata.name', text: set.name },
        { at: NAMESPACE, name: 'destination.namespace', text: set.namespace },
        ...Object.keys(labels).map(label => ({
          at: ['spec', 'template', 'metadata', 'labels', label],
          name: `metadata.labels.${label}`,
          text: textAt(labels, label),
        })),
        ...hostsOf(set).map(({ at, host }) => ({ at, name: host, text: host })),
      ];
      return places
        .filter(({ text }) => hasRawBranch(withValues(text, set)))
        .slice(0, 5)
        .map(({ at, name, text }) => ({
          on: set.on,
          at,
          value: text,
          params: { name },
        }));
    }),
  ),
  check('NameTooLong', setUp => [
    ...setUp.previewSets.flatMap(tooLongOfSet),
    ...tooLongOfObjects(setUp),
  ]),
];
