// The document is no public part of the package, and is what the page is held to.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import { openApiDocument } from '@previews/backstage-plugin-previews-backend/src/api';
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import {
  kindDefinitions,
  setUpKindDefinitions,
} from '@previews/backstage-plugin-previews-backend/src/sources/objects';
import {
  checkDefinitions,
  checkIds,
  conditionTypes,
  englishChecks,
  findingDefinitions,
  phases,
  previewsPermissions,
  reasons,
} from '@previews/backstage-plugin-previews-common';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { faultNames } from 'simulator';
import { parse, parseAllDocuments } from 'yaml';

/** What the documentation says is held to what the code has. */
const root = join(__dirname, '../..');

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function pagesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(
    entry => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        return pagesBelow(path);
      }
      return path.endsWith('.md') ? [path] : [];
    },
  );
}

/** Text below a heading of the second level, up to the next one. */
function section(page: string, heading: string): string {
  const after = read(page).split(`\n## ${heading}\n`)[1];
  return after?.split('\n## ')[0] ?? '';
}

/** First and second cell of the rows of all tables, without backticks. */
function rows(text: string): [string, string][] {
  return text
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line => line.split('|').map(cell => cell.replace(/`/g, '').trim()))
    .map(([, first, second]) => [first, second]);
}

/** Anchor that a heading gets. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
}

const common = rows(section('docs/conditions.md', 'Of every condition'));

describe('docs/conditions.md', () => {
  it.each(conditionTypes)('has every reason of %s with its effect', type => {
    const documented = [
      ...rows(section('docs/conditions.md', type)),
      ...common,
    ];
    const declared = Object.entries(reasons[type]).map(([name, { effect }]) => [
      name,
      effect,
    ]);
    expect(documented.sort()).toEqual(declared.sort());
  });
});

describe('docs/findings.md', () => {
  it('has every type with its severity', () => {
    const [table] = read('docs/findings.md').split('\n## ');
    expect(rows(table)).toEqual(
      Object.entries(findingDefinitions).map(([type, { severity }]) => [
        type,
        severity,
      ]),
    );
  });
});

describe('docs/checks.md', () => {
  const cells = read('docs/checks.md')
    .split('\n')
    .filter(line => /^\| `[A-Z]/.test(line))
    .map(line => line.split('|').map(cell => cell.replace(/`/g, '').trim()))
    .map(([, id, severity, , fix]) => ({ id, severity, fix }));

  it('has every check with its severity, in order', () => {
    expect(cells.map(({ id, severity }) => [id, severity])).toEqual(
      checkIds.map(id => [id, checkDefinitions[id].severity]),
    );
  });

  it('says what to do in the words that the portal uses', () => {
    expect(cells.map(({ fix }) => fix)).toEqual(
      checkIds.map(id => englishChecks.checks[id].fix),
    );
  });
});

describe('docs/concepts.md', () => {
  it('has every phase', () => {
    const table = section('docs/concepts.md', 'Phase');
    phases.forEach(phase => expect(table).toContain(`\`${phase}\``));
  });
});

describe('docs/configuration.md', () => {
  it('has every key of the schema', () => {
    const keys = [
      ...read('plugins/previews-backend/config.d.ts').matchAll(
        /^\s+(\w+)\??: /gm,
      ),
    ].map(([, key]) => key);
    const page = read('docs/configuration.md');
    const missing = keys.filter(
      key =>
        key !== 'previews' &&
        !new RegExp(`^## ${key}$|\`[\\w.[\\]]*\\b${key}\\b`, 'm').test(page),
    );
    expect(keys.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });
});

describe('README.md', () => {
  it('begins with the two commands that there are, and CI runs the one of them that tests', () => {
    const { scripts } = JSON.parse(read('package.json')) as {
      scripts: Record<string, string>;
    };
    const firstScreen = read('README.md').split('\n').slice(0, 30).join('\n');
    for (const script of ['start', 'test']) {
      expect(firstScreen).toContain(`\`npm ${script}\``);
      expect(scripts[script]).toContain('with-toolchain.mjs');
    }
    expect(read('.ci/run')).toMatch(/^npm test$/m);
  });
});

describe('docs/rbac.yaml', () => {
  it('allows to get, list and watch exactly what is read, and nothing else', () => {
    const documents = parseAllDocuments(read('docs/rbac.yaml')).map(
      document =>
        document.toJS() as {
          kind: string;
          rules?: Record<'apiGroups' | 'resources' | 'verbs', string[]>[];
        },
    );
    const rules = documents.flatMap(document => document.rules ?? []);
    const allowed = rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap(group =>
        resources.map(resource => `${group}/${resource} ${verbs.join()}`),
      ),
    );
    const needed = [
      ...Object.values(kindDefinitions),
      ...Object.values(setUpKindDefinitions),
    ].map(({ group, plural }) => `${group}/${plural} get,list,watch`);
    expect(allowed.sort()).toEqual([...new Set(needed)].sort());
  });
});

describe('docs/getting-started.md', () => {
  it('has every package that goes into a portal', () => {
    const listed = section('docs/getting-started.md', 'The packages')
      .split('\n')
      .filter(line => line.startsWith('| `'))
      .flatMap(line => line.match(/@previews\/[\w-]+/g) ?? []);
    const published = readdirSync(join(root, 'plugins')).map(
      folder => JSON.parse(read(`plugins/${folder}/package.json`)).name,
    );
    expect(listed.sort()).toEqual(published.sort());
  });
});

describe('docs/permissions.md', () => {
  it('has exactly the permissions that are checked', () => {
    const [table] = read('docs/permissions.md').split('\n## ');
    expect(rows(table).map(([name]) => name)).toEqual(
      previewsPermissions.map(({ name }) => name),
    );
  });
});

describe('docs/api.md', () => {
  it('has exactly the routes of the OpenAPI document', () => {
    const [table] = read('docs/api.md').split('\n## ');
    const declared = Object.entries(openApiDocument.paths).flatMap(
      ([path, methods]) =>
        Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    );
    expect(
      rows(table)
        .map(([route]) => route)
        .sort(),
    ).toEqual(declared.sort());
  });

  it('has exactly the parameters of lists', () => {
    const { parameters } = openApiDocument.paths['/v1/previews'].get;
    expect(
      rows(section('docs/api.md', 'Lists'))
        .map(([name]) => name)
        .sort(),
    ).toEqual(parameters.map(({ name }) => name).sort());
  });
});

describe('docs/simulator.md', () => {
  it('has every fault', () => {
    const table = section('docs/simulator.md', 'Faults');
    Object.keys(faultNames).forEach(name =>
      expect(table).toContain(`\`${name}\``),
    );
  });
});

describe('pages', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...pagesBelow('docs'),
    ...readdirSync(join(root, 'plugins'))
      .map(name => `plugins/${name}/README.md`)
      .filter(path => existsSync(join(root, path))),
  ];

  it.each(pages)('%s has no link that leads nowhere', page => {
    const links = [
      ...read(page).matchAll(/(?<!!)\[[^\]]+\]\(([^)\s]+)\)/g),
    ].map(([, target]) => target);
    const broken = links.filter(target => {
      if (/^https?:/.test(target)) {
        return false;
      }
      const [file, anchor] = target.split('#');
      const path = file ? join(dirname(page), file) : page;
      if (!existsSync(join(root, path))) {
        return true;
      }
      const headings = [...read(path).matchAll(/^#+ (.+)$/gm)].map(
        ([, heading]) => anchorOf(heading),
      );
      return anchor !== undefined && !headings.includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('of the documentation are all in its navigation', () => {
    const listed: string[] = JSON.stringify(
      parse(read('mkdocs.yml')).nav,
    ).match(/[\w/-]+\.md/g)!;
    expect([...listed].sort()).toEqual(
      pagesBelow('docs')
        .map(path => relative('docs', path))
        .sort(),
    );
  });
});
