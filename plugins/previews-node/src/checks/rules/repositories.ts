import { AnyCheck, check, Found } from '../check';
import { SetUp } from '../SetUp';
import { CheckedRepository } from '../types';
import { asObject, objectsAt, textAt } from '../values';

/** Access levels of GitLab. */
const NO_ONE = 0;
const MAINTAINER = 40;

function subjectOf({ path }: CheckedRepository) {
  return { subject: { kind: 'Repository', name: path } };
}

/** As GitLab matches names of branches and tags: `*` crosses everything. */
function covers(pattern: string, name: string): boolean {
  const parts = pattern
    .split('*')
    .map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}

/** Who may by themselves, whatever their level; null where it is a level alone. */
const GRANTED_TO = ['user_id', 'group_id', 'deploy_key_id'];

/** Whether every level is allowed; a user, a group or a key by itself is not. */
function levelsAllow(
  protection: unknown,
  options: { key: string; isAllowed: (level: number) => boolean },
): boolean {
  const levels = objectsAt(protection, options.key);
  return (
    levels.length > 0 &&
    levels.every(
      ({ object }) =>
        typeof object.access_level === 'number' &&
        GRANTED_TO.every(who => (object[who] ?? null) === null) &&
        options.isAllowed(object.access_level),
    )
  );
}

function unprotectedBranches({ context }: SetUp): Found<'BranchUnprotected'>[] {
  return (context.repositories ?? []).flatMap(repository => {
    const { role, defaultBranch, protectedBranches } = repository;
    if (
      role !== 'gitops' ||
      defaultBranch === undefined ||
      protectedBranches === undefined
    ) {
      return [];
    }
    const rules = protectedBranches
      .map(asObject)
      .filter(rule => covers(textAt(rule, 'name'), defaultBranch));
    // GitLab grants what the most permissive rule grants.
    const isProtected =
      rules.length > 0 &&
      rules.every(
        rule =>
          levelsAllow(rule, {
            key: 'push_access_levels',
            isAllowed: level => level === NO_ONE,
          }) &&
          levelsAllow(rule, {
            key: 'merge_access_levels',
            isAllowed: level => level === NO_ONE || level >= MAINTAINER,
          }),
      );
    return isProtected
      ? []
      : [
          {
            on: subjectOf(repository),
            at: 'protected_branches',
            params: { branch: defaultBranch },
          },
        ];
  });
}

function unprotectedTags({ context }: SetUp): Found<'TagsUnprotected'>[] {
  return (context.repositories ?? [])
    .filter(
      ({ role, protectedTags }) =>
        role === 'service' &&
        protectedTags !== undefined &&
        !protectedTags.some(
          rule =>
            covers(textAt(rule, 'name'), 'v1.0.0') &&
            levelsAllow(rule, {
              key: 'create_access_levels',
              isAllowed: level => level === NO_ONE || level >= MAINTAINER,
            }),
        ),
    )
    .map(repository => ({
      on: subjectOf(repository),
      at: 'protected_tags',
      params: {},
    }));
}

/** What GitLab Free can protect. */
export const repositoryChecks: AnyCheck[] = [
  check('BranchUnprotected', unprotectedBranches),
  check('TagsUnprotected', unprotectedTags),
];
