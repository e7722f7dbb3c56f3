import { InputError } from '@backstage/errors';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod/v3';
import type { RepositoryFile } from '../edit';
import type { OnboardingInput } from './input';
import { onboardingNames } from './names';

const MAXIMUM_NAMED = 3;
const DEFAULT_GITLAB = 'https://gitlab.com';

const setSchema = z.object({
  kind: z.literal('ApplicationSet'),
  metadata: z.object({ name: z.string(), namespace: z.string().optional() }),
  spec: z.object({ generators: z.array(z.unknown()) }),
});
const nestedSchema = z.object({ generators: z.array(z.unknown()) });
const generatorSchema = z.object({
  pullRequest: z
    .object({
      gitlab: z
        .object({
          api: z.string().optional(),
          project: z.union([z.string(), z.number()]),
        })
        .optional(),
    })
    .optional(),
  matrix: nestedSchema.optional(),
  merge: nestedSchema.optional(),
});

/** What a generator says of whose merge requests it lists. */
interface ListedProject {
  api: string;
  /** Its number or path. */
  project: string;
}

/** An ApplicationSet of a repository. */
interface PresentSet {
  path: string;
  name: string;
  projects: ListedProject[];
}

function projectsOf(generator: unknown): ListedProject[] {
  const { data } = generatorSchema.safeParse(generator);
  const gitlab = data?.pullRequest?.gitlab;
  const nested = data?.matrix ?? data?.merge;
  return [
    ...(gitlab
      ? [
          {
            api: gitlab.api || DEFAULT_GITLAB,
            project: String(gitlab.project),
          },
        ]
      : []),
    ...(nested?.generators ?? []).flatMap(projectsOf),
  ];
}

/** Objects of a file as far as they can be told: what is a template is no YAML yet. */
function objectsOf({ content }: RepositoryFile): unknown[] {
  const documents = parseAllDocuments(content, {
    merge: true,
    logLevel: 'silent',
  });
  return documents.flatMap(document => {
    try {
      return document.errors.length > 0 ? [] : [document.toJS() as unknown];
    } catch {
      // Too many aliases: nothing that somebody wrote.
      return [];
    }
  });
}

function setsOf(files: readonly RepositoryFile[]): PresentSet[] {
  return files
    .filter(
      ({ path, content }) =>
        /\.ya?ml$/.test(path) && content.includes('ApplicationSet'),
    )
    .flatMap(file =>
      objectsOf(file).flatMap(object => {
        const { data } = setSchema.safeParse(object);
        if (!data) {
          return [];
        }
        const { name, namespace } = data.metadata;
        return {
          path: file.path,
          name: namespace ? `${namespace}/${name}` : name,
          projects: data.spec.generators.flatMap(projectsOf),
        };
      }),
    );
}

function baseOf(url: string): string {
  return url
    .replace(/\/+$/, '')
    .replace(/\/api\/v4$/, '')
    .toLocaleLowerCase('en-US');
}

function isOf(input: OnboardingInput, listed: ListedProject): boolean {
  const { id, path } = input.project;
  return (
    baseOf(listed.api) === baseOf(input.gitlabUrl) &&
    (listed.project === String(id) ||
      listed.project.toLocaleLowerCase('en-US') ===
        path.toLocaleLowerCase('en-US'))
  );
}

/**
 * Refuses to onboard what another file of the GitOps repository gives previews to already, and to replace
 * files that onboarding did not write. What onboarding wrote for the same project is brought up to date.
 *
 * An ApplicationSet that is not in this repository, or is rendered only by Helm or Kustomize, is not seen.
 *
 * @throws InputError that names the ApplicationSet, or the files
 */
export function refuseConflicts(options: {
  input: OnboardingInput;
  /** What would be written to the repository. */
  files: readonly RepositoryFile[];
  /** What the repository has: its YAML, and of the files that would be written those that are there. */
  present: readonly RepositoryFile[];
}): void {
  const { input, files, present } = options;
  const { service, project, gitops } = input;
  const own = `${onboardingNames(input).argocdFolder}/applicationset.yaml`;
  const sets = setsOf(present).filter(({ projects }) =>
    projects.some(listed => isOf(input, listed)),
  );
  const other = sets.find(({ path }) => path !== own);
  if (other) {
    throw new InputError(
      `${project.path} has previews already: the ApplicationSet ${other.name} in ${other.path} of ${gitops.project} makes them, and a second one would make them again. Change that one, or remove it first`,
    );
  }
  if (sets.length > 0) {
    return;
  }
  const contents = new Map(present.map(({ path, content }) => [path, content]));
  const replaced = files
    .filter(
      ({ path, content }) =>
        contents.has(path) && contents.get(path) !== content,
    )
    .map(({ path }) => path);
  if (replaced.length > 0) {
    const more = replaced.length - MAXIMUM_NAMED;
    throw new InputError(
      `${
        gitops.project
      } has files of the name "${service}" already, which no onboarding of ${
        project.path
      } wrote, and which would be replaced: ${replaced
        .slice(0, MAXIMUM_NAMED)
        .join(', ')}${
        more > 0 ? ` and ${more} more` : ''
      }. If they are another service’s, fill in another name; else move them away first`,
    );
  }
}
