import {
  Entity,
  parseEntityRef,
  RELATION_OWNED_BY,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import { TierState } from '@previews/backstage-plugin-previews-common';

/** Answers that a template's form is filled in with, by the name of the field. */
export type Answers = Record<string, string>;

/** What both templates take as the name of a service. */
const SERVICE_NAME = /^(?!preview)[a-z]([a-z0-9-]*[a-z0-9])?$/;

/** Name that the objects of a service carry; undefined where the entity's is none. */
function serviceOf(entity: Entity): string | undefined {
  const { name } = entity.metadata;
  return SERVICE_NAME.test(name) ? name : undefined;
}

function ownerOf(entity: Entity): string | undefined {
  const related = entity.relations?.find(
    ({ type }) => type === RELATION_OWNED_BY,
  );
  if (related) {
    return related.targetRef;
  }
  const owner = entity.spec?.owner;
  if (typeof owner !== 'string' || owner === '') {
    return undefined;
  }
  try {
    return stringifyEntityRef(
      parseEntityRef(owner, {
        defaultKind: 'Group',
        defaultNamespace: entity.metadata.namespace,
      }),
    );
  } catch {
    // Not a name that the catalog could lead to: the form asks.
    return undefined;
  }
}

/** `gitlab.example.com?owner=group%2Fsubgroup&repo=gitops`, as the scaffolder's picker writes it. */
function repositoryUrl(pin: NonNullable<TierState['pin']>): string | undefined {
  const end = pin.repository.lastIndexOf('/');
  if (end < 1 || !pin.host) {
    return undefined;
  }
  const query = new URLSearchParams({
    owner: pin.repository.slice(0, end),
    repo: pin.repository.slice(end + 1),
  });
  return `${pin.host}?${query}`;
}

function known(answers: Record<string, string | undefined>): Answers {
  return Object.fromEntries(
    Object.entries(answers).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}

/** What is known of an entity that is to get previews. */
export function onboardingAnswers(entity: Entity): Answers {
  return known({
    entity: stringifyEntityRef(entity),
    service: serviceOf(entity),
    owner: ownerOf(entity),
  });
}

/**
 * What is known of a release of a tier; undefined where it is not known what a
 * release changes.
 *
 * @param value - what it is pinned to after that, for a revert.
 */
export function promotionAnswers(
  entity: Entity,
  tier: Pick<TierState, 'pin'>,
  value?: string,
): Answers | undefined {
  const { pin } = tier;
  return (
    pin &&
    known({
      entity: stringifyEntityRef(entity),
      service: serviceOf(entity),
      line: pin.line,
      path: pin.path,
      gitopsRepository: repositoryUrl(pin),
      gitopsBranch: pin.branch,
      value,
    })
  );
}

/** Address of a form with answers in it, as the scaffolder reads them. */
export function filledIn(form: string, answers: Answers): string {
  return `${form}?formData=${encodeURIComponent(JSON.stringify(answers))}`;
}

/** The two parts of `namespace/name`; undefined for anything else. */
export function parseTemplateName(
  value: string,
): { namespace: string; templateName: string } | undefined {
  const [, namespace, templateName] =
    /^([\w.-]+)\/([\w.-]+)$/.exec(value) ?? [];
  return namespace && templateName ? { namespace, templateName } : undefined;
}
