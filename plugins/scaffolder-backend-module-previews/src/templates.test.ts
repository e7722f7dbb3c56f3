import { startTestBackend } from '@backstage/backend-test-utils';
import {
  scaffolderActionsExtensionPoint,
  type TemplateAction,
} from '@backstage/plugin-scaffolder-node';
import { templateEntityV1beta3Validator } from '@backstage/plugin-scaffolder-common';
import { validate } from 'jsonschema';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import scaffolderModulePreviews, { parseOnboardingInput } from '.';
import { templatesFolder as folder } from './__testUtils__/onboarding';

/** The templates ask what the actions take, and hand on what there is. */
const names = ['onboard-service', 'promote-release'];
const DIGEST = `sha256:${'4f'.repeat(32)}`;

/** What the official actions take that the templates use, and put out. */
const official: Record<string, { input: string[]; output: string[] }> = {
  'fetch:plain': { input: ['url', 'targetPath', 'token'], output: [] },
  'catalog:fetch': { input: ['entityRef', 'optional'], output: ['entity'] },
};

type Field = Record<string, any>;

function read(name: string): Field {
  return parse(readFileSync(join(folder, name, 'template.yaml'), 'utf8'));
}

/** All fields of a form, with those that only show for a choice. */
function fieldsOf(schema: Field): [string, Field][] {
  const choices = [
    ...(schema.oneOf ?? []),
    ...Object.values<Field>(schema.dependencies ?? {}).flatMap(
      ({ oneOf }) => oneOf,
    ),
  ];
  return [
    ...Object.entries<Field>(schema.properties ?? {}),
    ...choices.flatMap(fieldsOf),
  ];
}

function formOf(template: Field): Map<string, Field> {
  // A choice is repeated where it decides what else shows, with its value alone.
  return new Map(
    template.spec.parameters
      .flatMap(fieldsOf)
      .filter(([, field]: [string, Field]) => field.type !== undefined),
  );
}

/** All fields within fields, too, by their path. */
function allFields(schema: Field, path: string[] = []): [string[], Field][] {
  return fieldsOf(schema)
    .filter(([, field]) => field.type !== undefined)
    .flatMap(([name, field]) => [
      [[...path, name], field] as [string[], Field],
      ...allFields(field, [...path, name]),
    ]);
}

function expressionsIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/\$\{\{\s*(.+?)\s*\}\}/g)].map(
    ([, expression]) => expression,
  );
}

/**
 * Tells which field goes where. That the scaffolder itself evaluates them so is shown where it runs the
 * templates, in test/contract.
 */
function evaluate(expression: string, scope: Field): unknown {
  const conditional = /^(\S+) if (\S+)(?: (==|!=) '(\w+)')? else (\S+)$/.exec(
    expression,
  );
  if (conditional) {
    const [, value, tested, comparison, constant, other] = conditional;
    const found = evaluate(tested, scope);
    const holds = comparison
      ? (found === constant) === (comparison === '==')
      : Boolean(found);
    return evaluate(holds ? value : other, scope);
  }
  return expression
    .split('.')
    .reduce<any>((object, key) => object?.[key], scope);
}

function rendered(value: unknown, scope: Field): any {
  return JSON.parse(JSON.stringify(value), (_, item) => {
    if (typeof item !== 'string') {
      return item;
    }
    const single = /^\$\{\{\s*([^{}]+?)\s*\}\}$/.exec(item);
    return single
      ? evaluate(single[1], scope)
      : item.replace(/\$\{\{\s*([^{}]+?)\s*\}\}/g, (__, expression) =>
          String(evaluate(expression, scope) ?? ''),
        );
  });
}

async function ourActions(): Promise<Map<string, TemplateAction<any, any>>> {
  const actions = new Map<string, TemplateAction<any, any>>();
  await startTestBackend({
    extensionPoints: [
      [
        scaffolderActionsExtensionPoint,
        {
          addActions: (...added) =>
            added.forEach(action => actions.set(action.id, action)),
        },
      ],
    ],
    features: [scaffolderModulePreviews],
  });
  return actions;
}

/** What somebody fills in who leaves out what may be left out. */
const answers: Record<string, Field> = {
  'onboard-service': {
    service: 'shop',
    owner: 'group:default/web',
    from: 'entity',
    entity: 'component:default/shop',
    image: 'registry.example.com/web/shop',
    pipelines: 'mergeRequests',
    stage: 'build',
    packaging: 'helm',
    port: 8080,
    healthPath: '/healthz',
    resources: {
      requests: { cpu: '50m', memory: '128Mi' },
      limits: { memory: '256Mi' },
    },
    splitNamespaces: false,
    withDatabase: false,
    // From before the choice was taken back.
    database: { secretStore: 'Not a name' },
    gitopsRepository: 'gitlab.example.com?owner=platform&repo=gitops',
    gitopsBranch: 'main',
    domain: 'example.com',
    destination: { server: 'https://kubernetes.default.svc' },
    argocdNamespace: 'argocd',
    route: {
      kind: 'gateway',
      name: 'edge',
      namespace: 'edge',
      edgeNamespace: 'envoy-gateway-system',
    },
    certificate: { kind: 'wildcard' },
    idleTtl: 'P7D',
    token: {
      secretStore: 'platform',
      remoteKey: 'gitlab/previews',
      property: 'token',
      expiresOn: '2027-03-01',
    },
    withDev: true,
    dev: { image: { tag: 'dev-9e107d9d', digest: DIGEST } },
    withProd: false,
  },
  'promote-release': {
    service: 'shop',
    line: 'targetRevision',
    path: 'argocd/shop/application-prod.yaml',
    value: 'shop-v1.5.0',
    entity: 'component:default/shop',
    gitopsRepository: 'gitlab.example.com?owner=platform&repo=gitops',
  },
};

const repositoryOf = (path: string, branch: string) => ({
  path,
  branch,
  repository: `gitlab.example.com?owner=${path.split('/')[0]}&repo=${
    path.split('/')[1]
  }`,
  treeUrl: `https://gitlab.example.com/${path}/-/tree/${branch}`,
  repositoryUrl: `https://gitlab.example.com/${path}.git`,
});

/** What each expression of steps before may refer to. */
const scopeOf = (template: Field, form: Field): Field => ({
  parameters: form,
  secrets: {},
  steps: Object.fromEntries(
    template.spec.steps.map(({ id }: Field) => [
      id,
      {
        output: {
          changed: true,
          branchName: 'previews/x',
          title: 'x',
          previous: 'shop-v1',
          description: 'x',
          entity: {},
          ...(id === 'resolve' && {
            service: form.service,
            owner: form.owner,
            entityName: form.entityName,
            image: form.image,
            gitlabUrl: 'https://gitlab.example.com',
            project: {
              id: 42,
              ...repositoryOf('web/shop', form.serviceBranch ?? 'main'),
            },
            gitops: {
              id: 7,
              ...repositoryOf('platform/gitops', form.gitopsBranch ?? 'main'),
            },
          }),
        },
      },
    ]),
  ),
});

describe.each(names)('templates/%s', name => {
  const template = read(name);
  const form = formOf(template);
  const steps: Field[] = template.spec.steps;

  it('is a template as the catalog takes it', async () => {
    await expect(
      templateEntityV1beta3Validator.check(template as never),
    ).resolves.toBe(true);
  });

  it('asks for nothing that it does not use, and uses nothing that it does not ask for', () => {
    const used = expressionsIn(template.spec).flatMap(expression =>
      [...expression.matchAll(/parameters\.(\w+)/g)].map(([, key]) => key),
    );
    expect([...new Set(used)].sort()).toEqual([...form.keys()].sort());
  });

  it('requires only what it asks for on the same page', () => {
    for (const page of template.spec.parameters) {
      const own = fieldsOf(page).map(([key]) => key);
      expect(own).toEqual(expect.arrayContaining(page.required ?? []));
    }
  });

  it('has only steps that there are actions for, with the inputs that these take', async () => {
    const actions = await ourActions();
    for (const { id, action, input } of steps) {
      const own = actions.get(action);
      const known = own
        ? Object.keys(own.schema?.input?.properties ?? {})
        : official[action]?.input;
      expect([id, known]).toEqual([
        id,
        expect.arrayContaining(Object.keys(input)),
      ]);
      const required = own?.schema?.input?.required;
      expect(Object.keys(input)).toEqual(
        expect.arrayContaining(Array.isArray(required) ? required : []),
      );
    }
  });

  it('refers only to outputs of steps that came before', async () => {
    const actions = await ourActions();
    const check = (value: unknown, before: Field[]) => {
      for (const expression of expressionsIn(value)) {
        for (const [, step, output] of expression.matchAll(
          /steps\.(\w+)\.output\.(\w+)/g,
        )) {
          const action = before.find(({ id }) => id === step)?.action;
          const outputs =
            official[action]?.output ??
            Object.keys(actions.get(action)?.schema?.output?.properties ?? {});
          expect([step, outputs]).toEqual([
            step,
            expect.arrayContaining([output]),
          ]);
        }
      }
    };
    steps.forEach((step, index) => check(step, steps.slice(0, index)));
    check(template.spec.output, steps);
  });

  it('hands on what is filled in as the actions take it', async () => {
    const actions = await ourActions();
    const scope = scopeOf(template, answers[name]);
    const own = steps.filter(({ action }) => actions.has(action));
    expect(own.length).toBeGreaterThan(0);
    for (const { id, action, input } of own) {
      const schema = actions.get(action)!.schema!.input;
      const { errors } = validate(rendered(input, scope), schema);
      expect([id, errors.map(String)]).toEqual([id, []]);
    }
  });

  it('fetches what a step needs that comes later', () => {
    const fetched = steps.map(({ input }) => input.targetPath).filter(Boolean);
    const wanted = steps.map(({ input }) => input.repositoryPath);
    expect(fetched).toEqual(expect.arrayContaining(wanted.filter(Boolean)));
    const own = steps
      .map(({ input }) => String(input.url))
      .filter(url => url.startsWith('./'));
    expect(own.filter(url => !existsSync(join(folder, name, url)))).toEqual([]);
  });

  it('proposes only files of its own, and asks GitLab as the person who asked', () => {
    const proposing = steps.filter(
      ({ action }) => action === 'previews:gitlab:merge-request',
    );
    expect(proposing).toHaveLength(name === 'onboard-service' ? 2 : 1);
    for (const { input } of proposing) {
      expect(['gitops', 'service']).toContain(input.sourcePath);
    }
    const asking = steps.filter(
      ({ input }) =>
        input.repoUrl || input.gitopsRepository || /^\$/.test(input.url ?? ''),
    );
    expect(asking.length).toBeGreaterThan(proposing.length);
    for (const { id, input } of asking) {
      expect([id, input.token]).toEqual([
        id,
        '${{ secrets.USER_OAUTH_TOKEN }}',
      ]);
    }
  });

  it('asks for what GitLab knows only as an exception', () => {
    const required = template.spec.parameters.flatMap(
      (page: Field) => page.required ?? [],
    );
    for (const key of [
      ...['projectId', 'gitlabUrl', 'image', 'serviceBranch', 'gitopsBranch'],
      ...(name === 'onboard-service' ? ['service', 'owner'] : []),
    ]) {
      expect(required).not.toContain(key);
    }
    expect(form.has('gitlabUrl') || form.has('projectId')).toBe(false);
  });

  it('checks texts as one types, by patterns that are regular expressions', () => {
    const texts = template.spec.parameters
      .flatMap((page: Field) => allFields(page))
      .filter(
        ([path, field]: [string[], Field]) =>
          field.type === 'string' &&
          !field.enum &&
          !field.const &&
          !field['ui:field'] &&
          !['mergeRequests', 'of'].includes(path.at(-1)!),
      );
    expect(texts.length).toBeGreaterThan(2);
    for (const [path, field] of texts as [string[], Field][]) {
      expect([path, field.pattern]).toEqual([path, expect.any(String)]);
      expect(() => new RegExp(field.pattern, 'u')).not.toThrow();
      expect(field.default ?? '').toMatch(
        field.default === undefined ? /^$/ : new RegExp(field.pattern),
      );
    }
  });
});

describe.each(names)('the form of templates/%s', name => {
  const fields: [string[], Field][] = read(name).spec.parameters.flatMap(
    (page: Field) => allFields(page),
  );

  it('gives each answer a title of its own, by which the review shows it once', () => {
    // Of a choice only one is shown, and an object is shown by what is in it.
    const titles = new Map(
      fields
        .filter(([, { type }]) => type !== 'object')
        .map(([path, { title }]) => [path.join('.'), title]),
    );
    expect(
      [...titles].filter(([, title]) => typeof title !== 'string'),
    ).toEqual([]);
    expect([...new Set(titles.values())]).toEqual([...titles.values()]);
  });

  it('reviews what was chosen in words, not as it is handed on', () => {
    const chosen = fields.filter(([, field]) => field.const !== undefined);
    const listed = fields.filter(([, field]) => field.enum !== undefined);
    expect(chosen).toHaveLength(name === 'onboard-service' ? 4 : 0);
    for (const [path, field] of chosen) {
      const { mask } = field['ui:backstage'].review;
      expect([path, mask]).toEqual([path, expect.stringMatching(/^[A-Z]/)]);
    }
    for (const [path, field] of listed) {
      expect([path, field.enumNames]).toEqual([
        path,
        field.enum.map(() => expect.any(String)),
      ]);
    }
  });

  it('says in words what is wrong with an answer, instead of the regular expression', () => {
    const patterned = fields.filter(([, { pattern }]) => pattern !== undefined);
    expect(patterned.length).toBeGreaterThan(2);
    for (const [path, { errorMessage }] of patterned) {
      expect([path, errorMessage?.pattern ?? errorMessage]).toEqual([
        path,
        expect.stringMatching(/^must [^\\^$]+$/),
      ]);
    }
  });
});

describe('the form of templates/onboard-service', () => {
  const template = read('onboard-service');
  const { values } = template.spec.steps.find(
    ({ id }: Field) => id === 'render',
  ).input;
  const base: Field = {
    ...answers['onboard-service'],
    label: 'preview',
    pullSecret: 'registry',
    withDatabase: true,
    database: {
      secretStore: 'platform',
      remoteKey: 'databases/shop',
      clientImage: `docker.io/library/postgres@${DIGEST}`,
      migrateCommand: ['migrate'],
    },
    withProd: true,
    prod: {
      image: { tag: 'prod-v1.4.0', digest: DIGEST },
      host: 'shop.example.com',
      revision: 'shop-v1.4.0',
    },
  };
  const parsed = (form: Field) =>
    parseOnboardingInput(rendered(values, scopeOf(template, form)));

  const fields = new Map<string, Field>(
    template.spec.parameters
      .flatMap((page: Field) => allFields(page))
      .map(([path, field]: [string[], Field]) => [path.join('.'), field]),
  );

  it('hands on what was chosen, and not what was taken back', () => {
    const input = parsed(answers['onboard-service']);
    expect(input.database).toBeUndefined();
    expect(input.tiers).toEqual({ dev: base.dev });
    expect(parsed(base)).toMatchObject({
      database: base.database,
      tiers: { dev: base.dev, prod: base.prod },
      label: 'preview',
      pullSecret: 'registry',
    });
    expect(input.project).toEqual({ id: 42, path: 'web/shop' });
    expect(input.gitops).toEqual({
      repositoryUrl: 'https://gitlab.example.com/platform/gitops.git',
      project: 'platform/gitops',
      branch: 'main',
    });
  });

  it('asks for the namespace of the ingress controller, and takes none that a Gateway has', () => {
    const [gateway, ingress]: Field[] = fields.get('route')!.oneOf;
    expect(ingress.required).toContain('controllerNamespace');
    expect(ingress.properties.controllerNamespace.default).toBeUndefined();
    // What has the same name in both choices would be kept where another is chosen.
    expect(
      Object.keys(gateway.properties).filter(
        key => key !== 'kind' && ingress.properties[key],
      ),
    ).toEqual([]);
    const route = { kind: 'ingress', className: 'traefik' };
    expect(() => parsed({ ...base, route })).toThrow(
      'edgeNamespace: is missing',
    );
    expect(
      parsed({ ...base, route: { ...route, controllerNamespace: 'traefik' } }),
    ).toMatchObject({ route, edgeNamespace: 'traefik' });
  });

  const samples = [
    ...['', 'a', 'shop', 'Shop', 'shop-1', '-shop', 'shop-', 'preview-a'],
    ...['a'.repeat(45), 'a'.repeat(46), 'a'.repeat(64), 'main', 'feature/x'],
    ...[
      'a..b',
      'a.lock',
      '/healthz',
      'healthz',
      '/a?b',
      'https://a.example.com',
    ],
    ...['http://a.example.com', 'https://a:b@c', 'example.com', 'Example.com'],
    ...['registry.example.com/web/shop', 'registry.example.com/web/shop:1'],
    ...['50m', '0.5', '1', '128Mi', '1G', 'P7D', 'P1M', 'never', 'PT12H', 'P'],
    ...[
      'needs:preview',
      ':x',
      'a b',
      'a;b',
      '$(id)',
      '`id`',
      'a\nb',
      '${{ x }}',
    ],
    ...['2027-03-01', '01.03.2027', 'gitlab/previews', DIGEST, 'dev-1', 'v1'],
    ...[`postgres@${DIGEST}`, 'prod-v1', 'shop-v1.4.0', 'migrate'],
  ];

  // Whose it is, is told from the name of the service: a pattern cannot know.
  const related = ['prod.revision'];
  const checked = Object.keys(flattened(base)).filter(
    path => fields.get(path)?.pattern && !related.includes(path),
  );

  it.each(checked)('accepts nothing for %s that rendering refuses', path => {
    const { pattern, maxLength = Infinity } = fields.get(path)!;
    const accepted = samples.filter(
      text => new RegExp(pattern, 'u').test(text) && text.length <= maxLength,
    );
    expect(accepted.length).toBeGreaterThan(0);
    for (const text of accepted) {
      const form = { ...base, withProd: path !== 'service' };
      expect(() =>
        parsed(withAnswer(form, path.split('.'), text)),
      ).not.toThrow();
    }
  });

  it('says that a tag of another service is not protected', () => {
    expect(() =>
      parsed(withAnswer(base, ['prod', 'revision'], 'other-v1')),
    ).toThrow('tags of this service begin with "shop-v"');
  });
});

function flattened(value: Field, prefix = ''): Field {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      typeof item === 'object'
        ? Object.entries(flattened(item, `${prefix}${key}.`))
        : [[`${prefix}${key}`, item]],
    ),
  );
}

function withAnswer(
  form: Field,
  [key, ...rest]: string[],
  answer: string,
): Field {
  return {
    ...form,
    [key]: rest.length > 0 ? withAnswer(form[key], rest, answer) : answer,
  };
}
