import { AnyCheck, check } from '../check';
import { CheckedObject } from '../SetUp';
import { asObject, JsonObject, Path } from '../values';

/** Statements of a policy document of AWS that allow something. */
function allowedBy({
  object,
}: CheckedObject): { statement: JsonObject; path: Path }[] {
  const { Statement: statements } = object;
  const list = Array.isArray(statements) ? statements : [statements];
  return list.flatMap((item, index) => {
    const statement = asObject(item);
    return statement?.Effect === 'Allow'
      ? [
          {
            statement,
            path: Array.isArray(statements)
              ? ['Statement', index]
              : ['Statement'],
          },
        ]
      : [];
  });
}

function textsIn(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter(
    item => typeof item === 'string',
  );
}

/** Keys of the conditions that pin a value exactly or by pattern, with their values. */
function conditionsOf(
  statement: JsonObject,
): [key: string, values: string[]][] {
  return Object.entries(asObject(statement.Condition) ?? {}).flatMap(
    ([operator, conditions]) =>
      // `IfExists` lets requests through that do not carry the key.
      /IfExists$/.test(operator)
        ? []
        : Object.entries(asObject(conditions) ?? {}).map(
            ([key, value]): [string, string[]] => [key, textsIn(value)],
          ),
  );
}

function isPinned(statement: JsonObject, key: RegExp): boolean {
  return conditionsOf(statement).some(
    ([name, values]) =>
      key.test(name) &&
      values.length > 0 &&
      values.every(value => !/^\*$|:\*$/.test(value)),
  );
}

function writesRecords(statement: JsonObject): boolean {
  return textsIn(statement.Action).some(action =>
    /^(?:\*|route53:\*|route53:Change\*|route53:ChangeResourceRecordSets)$/i.test(
      action,
    ),
  );
}

function isLimitedToChallenges(statement: JsonObject): boolean {
  const conditions = conditionsOf(statement);
  const names = conditions.find(([key]) =>
    /^route53:ChangeResourceRecordSetsNormalizedRecordNames$/i.test(key),
  )?.[1];
  return (
    textsIn(statement.Resource).every(
      resource => !/^\*$|hostedzone\/\*$/.test(resource),
    ) &&
    Boolean(names?.every(name => name.startsWith('_acme-challenge'))) &&
    conditions.some(
      ([key, values]) =>
        /^route53:ChangeResourceRecordSetsRecordTypes$/i.test(key) &&
        values.every(value => value === 'TXT'),
    )
  );
}

/** What the cluster may do at AWS without a key. */
export const accountChecks: AnyCheck[] = [
  check('DnsPolicyOpen', ({ objects }) =>
    objects.flatMap(on =>
      allowedBy(on)
        .filter(
          ({ statement }) =>
            writesRecords(statement) && !isLimitedToChallenges(statement),
        )
        .slice(0, 1)
        .map(({ path }) => ({ on, at: [...path, 'Resource'], params: {} })),
    ),
  ),
  check('RoleTrustOpen', ({ objects }) =>
    objects.flatMap(on =>
      allowedBy(on)
        .filter(
          ({ statement }) =>
            textsIn(statement.Action).includes(
              'sts:AssumeRoleWithWebIdentity',
            ) &&
            !(isPinned(statement, /:aud$/) && isPinned(statement, /:sub$/)),
        )
        .slice(0, 1)
        .map(({ path }) => ({ on, at: [...path, 'Action'], params: {} })),
    ),
  ),
];
