import { AnyCheck, check, Found } from '../check';
import { secretIn } from '../secrets';
import { CheckedObject, SetUp } from '../SetUp';
import {
  asObject,
  objectAt,
  Path,
  textAt,
  textsBelow,
  valueAt,
} from '../values';

/** What is filled in when it is deployed, or is not there at all. */
const PLACEHOLDER =
  /^\s*(?:|<[^>]*>|\{\{.*\}\}|\$\{?[\w.-]+\}?|ENC\[.*|\*+)\s*$/s;

const SECRET_NAME =
  /(?:^|_)(?:PASSWORD|PASSWD|TOKEN|SECRET|SECRET_KEY|API_KEY|ACCESS_KEY|PRIVATE_KEY)$/i;

function hasValues({ object }: CheckedObject): boolean {
  return [
    ...Object.values(objectAt(object, 'data')),
    ...Object.values(objectAt(object, 'stringData')),
  ].some(value => typeof value === 'string' && !PLACEHOLDER.test(value));
}

/** Variables of containers that are called a secret and have their value beside. */
function namedSecrets(on: CheckedObject): { at: Path }[] {
  return [...textsBelow(on.object)]
    .filter(
      ({ text, path }) => path.at(-1) === 'name' && SECRET_NAME.test(text),
    )
    .map(({ path }) => path.slice(0, -1))
    .filter(path => {
      const value = valueAt(on.object, [...path, 'value']);
      return typeof value === 'string' && !PLACEHOLDER.test(value);
    })
    .map(path => ({ at: [...path, 'value'] }));
}

/** The token with which Argo CD calls a plugin; `$name` refers to a Secret. */
function pluginTokens(on: CheckedObject): { at: Path }[] {
  const data = objectAt(on.object, 'data');
  const token = textAt(data, 'token');
  return on.kind === 'ConfigMap' &&
    textAt(data, 'baseUrl') !== '' &&
    token !== '' &&
    !token.startsWith('$')
    ? [{ at: ['data', 'token'] }]
    : [];
}

function inObject(on: CheckedObject): Found<'TokenInPlainText'>[] {
  if (['Secret', 'SealedSecret'].includes(on.kind)) {
    return [];
  }
  const known = [...textsBelow(on.object)].flatMap(({ text, path }) => {
    const secret = secretIn(text);
    return secret === undefined ? [] : [{ at: path, value: secret }];
  });
  const named = [...namedSecrets(on), ...pluginTokens(on)].map(({ at }) => ({
    at,
    // Of a secret without a known shape not even a part is shown.
    value: '…',
  }));
  return [...known, ...named]
    .slice(0, 1)
    .map(found => ({ on, ...found, params: {} }));
}

function inFiles({ files }: SetUp): Found<'TokenInPlainText'>[] {
  return files.flatMap(on => {
    // A secret in a comment is as readable.
    const lines = on.text.slice(0, 500_000).split(/\r?\n/);
    const index = lines.findIndex(line => secretIn(line) !== undefined);
    return index < 0
      ? []
      : [
          {
            on,
            at: `line ${index + 1}`,
            value: secretIn(lines[index]),
            params: {},
          },
        ];
  });
}

/** Where secrets can be read that should not be. */
export const secretChecks: AnyCheck[] = [
  check('TokenInPlainText', setUp => [
    ...setUp.objects.flatMap(inObject),
    ...inFiles(setUp),
  ]),
  check('SecretInGit', setUp =>
    setUp
      .ofKind('Secret')
      .filter(
        on =>
          on.isFile && asObject(on.object.sops) === undefined && hasValues(on),
      )
      .map(on => {
        const at = Object.hasOwn(on.object, 'stringData')
          ? 'stringData'
          : 'data';
        return {
          on,
          at: [at],
          value: Object.keys(objectAt(on.object, at)).join(', '),
          params: {},
        };
      }),
  ),
];
