import { AnyCheck, check, Found } from '../check';
import { SetUp } from '../SetUp';
import { objectAt, Path, textAt, textsBelow, valueAt } from '../values';

const CORS_KEY = /^(?:allowed_?origins|AllowedOrigins|allowOrigins)$/i;

interface Copy {
  on: Found<'OriginsDisagree'>['on'];
  at: Path | string;
  origin: string;
  /** Name of the environment, where it has one. */
  environment?: string;
}

function originIn(text: string): string | undefined {
  return /^\s*["']?(https?:\/\/[\w.-]+(?::\d+)?)\/?["']?\s*,?\s*$/.exec(
    text,
  )?.[1];
}

/** Copies in objects: of variables, of settings, and of the rules of buckets. */
function copiesInObjects(setUp: SetUp, variable: string): Copy[] {
  return setUp.objects.flatMap(on =>
    [...textsBelow(on.object)].flatMap(({ text, path }) => {
      const isNamed =
        path.at(-1) === variable ||
        (path.at(-1) === 'value' &&
          textAt(valueAt(on.object, path.slice(0, -1)), 'name') === variable);
      const isRule = path.some(
        key => typeof key === 'string' && CORS_KEY.test(key),
      );
      const origin = isNamed || isRule ? originIn(text) : undefined;
      return origin === undefined
        ? []
        : [{ on, at: path, origin, environment: on.environment?.name }];
    }),
  );
}

/** Copies in files: `APP_ORIGIN: …`, `--build-arg APP_ORIGIN=…`, `ARG APP_ORIGIN=…`. */
function copiesInFiles({ files }: SetUp, variable: string): Copy[] {
  const name = variable.replace(/\W/g, '');
  const assignment = new RegExp(
    `\\b${name}["']?\\s*[:=]\\s*["']?(https?://[\\w.:-]+)`,
  );
  const rule =
    /\ballowed_?origins["']?\s*[:=]\s*\[?\s*["'](https?:\/\/[\w.:-]+)/i;
  return files.flatMap(on =>
    on.lines.flatMap((line, index) => {
      const origin = (assignment.exec(line) ?? rule.exec(line))?.[1];
      return origin === undefined
        ? []
        : [{ on, at: `line ${index + 1}`, origin }];
    }),
  );
}

/** Hosts of the routes of an environment, of which one has to be the origin's. */
function hostsOf(setUp: SetUp, environment: string | undefined): Set<string> {
  const hosts = new Set<string>();
  for (const route of setUp.ofKind('Ingress', 'HTTPRoute')) {
    if (route.environment?.name === environment) {
      for (const { text, path } of textsBelow(objectAt(route.object, 'spec'))) {
        if (path.includes('hostnames') || path.at(-1) === 'host') {
          hosts.add(text);
        }
      }
    }
  }
  return hosts;
}

function isRouted(origin: string, hosts: ReadonlySet<string>): boolean {
  const host = origin.replace(/^https?:\/\//, '').replace(/:\d+$/, '');
  return (
    hosts.size === 0 ||
    hosts.has(host) ||
    hosts.has(`*.${host.split('.').slice(1).join('.')}`)
  );
}

function found(odd: Copy, others: Iterable<string>): Found<'OriginsDisagree'> {
  return {
    on: odd.on,
    at: odd.at,
    value: odd.origin,
    params: { origins: [...new Set([odd.origin, ...others])] },
  };
}

/** Copies within one environment, of which one differs or is served nowhere. */
function oddOnes(setUp: SetUp, copies: readonly Copy[]) {
  const [first] = copies;
  const hosts = hostsOf(setUp, first.environment);
  const odd = copies.find(
    ({ origin }) => origin !== first.origin || !isRouted(origin, hosts),
  );
  return odd
    ? [
        found(odd, [
          first.origin,
          ...[...hosts].slice(0, 3).map(host => `https://${host}`),
        ]),
      ]
    : [];
}

/** One build input for each environment, and copies that agree with it. */
export const originChecks: AnyCheck[] = [
  check('OriginsDisagree', setUp => {
    const { originVariable } = setUp.context;
    if (originVariable === undefined) {
      return [];
    }
    const byEnvironment = new Map<string | undefined, Copy[]>();
    for (const copy of [
      ...copiesInFiles(setUp, originVariable),
      ...copiesInObjects(setUp, originVariable),
    ]) {
      const copies = byEnvironment.get(copy.environment) ?? [];
      byEnvironment.set(copy.environment, [...copies, copy]);
    }
    const loose = byEnvironment.get(undefined) ?? [];
    byEnvironment.delete(undefined);
    if (byEnvironment.size === 0) {
      return loose.length > 0 ? oddOnes(setUp, loose) : [];
    }
    // What says no environment has to be of one of them.
    const known = new Set(
      [...byEnvironment.values()].map(([{ origin }]) => origin),
    );
    return [
      ...[...byEnvironment.values()].flatMap(copies => oddOnes(setUp, copies)),
      ...loose
        .filter(({ origin }) => !known.has(origin))
        .map(copy => found(copy, known)),
    ];
  }),
];
