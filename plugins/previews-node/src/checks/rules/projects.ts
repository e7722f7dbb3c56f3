import { AnyCheck, check } from '../check';
import { CheckedObject, SetUp } from '../SetUp';
import { objectsAt, textAt, textsAt } from '../values';

/** A namespace that belongs to a preview of no project that there is. */
const FOREIGN_PREVIEW = 'preview-mr-999999999999-1';

function isAny(pattern: string): boolean {
  return /^\*+$/.test(pattern);
}

/** As Argo CD matches: `*` crosses everything. */
function admits(pattern: string, name: string): boolean {
  const parts = pattern
    .split(/\*+/)
    .map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}

function destinationsOf(project: CheckedObject) {
  return objectsAt(project.object, 'spec', 'destinations').map(
    ({ object, path }) => ({
      path,
      namespace: textAt(object, 'namespace'),
      cluster: textAt(object, 'server') || textAt(object, 'name'),
    }),
  );
}

function isOpen(project: CheckedObject): boolean {
  return destinationsOf(project).some(({ namespace }) => isAny(namespace));
}

/** Projects that previews are in, or would be in by default. */
function projectsOfPreviews(setUp: SetUp): CheckedObject[] {
  const used = new Set(
    setUp.previewSets.map(({ template }) =>
      textAt(template, 'spec', 'project'),
    ),
  );
  return setUp
    .ofKind('AppProject')
    .filter(
      project =>
        used.has(project.name) ||
        project.name === 'default' ||
        /preview/.test(project.name) ||
        destinationsOf(project).some(({ namespace }) =>
          /preview/.test(namespace),
        ),
    );
}

/** What previews may reach. */
export const projectChecks: AnyCheck[] = [
  check('DefaultProject', setUp =>
    setUp.previewSets
      .filter(
        ({ on, template }) =>
          textAt(template, 'spec', 'project') === 'default' &&
          !setUp
            .with(on, 'AppProject')
            .some(project => project.name === 'default' && !isOpen(project)),
      )
      .map(({ on }) => ({
        on,
        at: ['spec', 'template', 'spec', 'project'],
        params: {},
      })),
  ),
  check('ProjectDestinationsOpen', setUp =>
    projectsOfPreviews(setUp).flatMap(on =>
      destinationsOf(on)
        .filter(
          ({ namespace, cluster }) =>
            !namespace.startsWith('!') &&
            !cluster.startsWith('!') &&
            (isAny(namespace) || isAny(cluster)),
        )
        .slice(0, 1)
        .map(({ path, namespace }) => ({
          on,
          at: [...path, isAny(namespace) ? 'namespace' : 'server'],
          params: {},
        })),
    ),
  ),
  check('ProjectSourcesOpen', setUp =>
    projectsOfPreviews(setUp)
      .filter(on => textsAt(on.object, 'spec', 'sourceRepos').some(isAny))
      .map(on => ({ on, at: ['spec', 'sourceRepos'], params: {} })),
  ),
  check('ProjectKindsOpen', setUp =>
    projectsOfPreviews(setUp)
      .filter(on =>
        objectsAt(on.object, 'spec', 'clusterResourceWhitelist').some(
          ({ object }) =>
            isAny(textAt(object, 'kind')) && isAny(textAt(object, 'group')),
        ),
      )
      .map(on => ({
        on,
        at: ['spec', 'clusterResourceWhitelist'],
        value: '*/*',
        params: {},
      })),
  ),
  check('ProjectReachesOthers', setUp =>
    projectsOfPreviews(setUp).flatMap(on =>
      destinationsOf(on)
        .filter(
          ({ namespace }) =>
            !isAny(namespace) && admits(namespace, FOREIGN_PREVIEW),
        )
        .map(({ path, namespace }) => ({
          on,
          at: [...path, 'namespace'],
          params: { destination: namespace },
        })),
    ),
  ),
];
