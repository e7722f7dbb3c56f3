import { InputError } from '@backstage/errors';
import { stringify } from 'yaml';
import { onboardingRequest } from '../__testUtils__/onboarding';
import type { RepositoryFile } from '../edit';
import { refuseConflicts } from './conflicts';
import { parseOnboardingInput } from './input';

const input = parseOnboardingInput(onboardingRequest);
const OWN = 'argocd/shop/applicationset.yaml';
const files = [
  { path: OWN, content: 'kind: ApplicationSet # new\n' },
  ...['a', 'b', 'c', 'd'].map(name => ({
    path: `services/shop/chart/${name}.yaml`,
    content: `${name}\n`,
  })),
];

function set(generator: object, path = 'apps/previews.yaml'): RepositoryFile {
  return {
    path,
    content: stringify({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'checkout-previews', namespace: 'argocd' },
      spec: { generators: [generator], template: {} },
    }),
  };
}

const of = (project: unknown, api?: string) => ({
  pullRequest: { gitlab: { project, ...(api && { api }) } },
});
const api = input.gitlabUrl;

const check = (...present: RepositoryFile[]) =>
  refuseConflicts({ input, files, present });

describe('refuseConflicts', () => {
  const twice: [string, RepositoryFile][] = [
    ['its number', set(of('42', api))],
    ['its number, not in quotes', set(of(42, `${api}/`))],
    ['its path', set(of('Web/shop', `${api}/api/v4`))],
    [
      'a matrix',
      set({
        matrix: {
          generators: [
            { list: { elements: [] } },
            { merge: { generators: [of('42', api)] } },
          ],
        },
      }),
    ],
    [
      'the onboarding under another name',
      set(of('42', api), 'argocd/store/applicationset.yaml'),
    ],
    [
      'a file with others',
      {
        path: 'all.yml',
        content: `kind: ConfigMap\n---\n${set(of('42', api)).content}`,
      },
    ],
  ];
  it.each(twice)(
    'refuses a project that an ApplicationSet lists by %s',
    (_, present) => {
      expect(() => check(present)).toThrow(InputError);
      expect(() => check(present)).toThrow(
        `web/shop has previews already: the ApplicationSet argocd/checkout-previews in ${present.path} of platform/gitops makes them`,
      );
    },
  );

  const other: [string, RepositoryFile][] = [
    ['another project', set(of('43', api))],
    ['the same number of another GitLab', set(of('42', 'https://git.other'))],
    ['the same number of gitlab.com', set(of('42'))],
    ['a project that is a template', set(of('{{ .project }}', api))],
    ['no merge requests', set({ git: { repoURL: 'x' } })],
    ['what is malformed', set({ pullRequest: { gitlab: 'x' } })],
    [
      'what Helm has yet to render',
      {
        path: 'charts/x/templates/set.yaml',
        content: `{{- if x }}\n${set(of('42', api)).content}{{- end }}\n`,
      },
    ],
    [
      'what is no YAML file',
      { path: 'README.md', content: set(of('42', api)).content },
    ],
    [
      'an endless document',
      {
        path: 'x.yaml',
        content: `kind: ApplicationSet\na: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\n`,
      },
    ],
  ];
  it.each(other)('takes no offence at a set of %s', (_, present) => {
    expect(() => check(present)).not.toThrow();
  });

  it('brings up to date what onboarding wrote for the same project', () => {
    expect(() =>
      check(set(of('42', api), OWN), { ...files[1], content: 'old\n' }),
    ).not.toThrow();
  });

  it('refuses a name whose files are of another project', () => {
    expect(() => check(set(of('43', api), OWN))).toThrow(
      `platform/gitops has files of the name "shop" already, which no onboarding of web/shop wrote, and which would be replaced: ${OWN}. If they are another service’s, fill in another name`,
    );
  });

  it('names some of the files that would be replaced', () => {
    const old = files.slice(1).map(file => ({ ...file, content: 'old\n' }));
    expect(() => check(...old)).toThrow(
      'services/shop/chart/a.yaml, services/shop/chart/b.yaml, services/shop/chart/c.yaml and 1 more.',
    );
  });

  it('lets files be that are the same, or that it does not write', () => {
    expect(() =>
      check(files[1], { path: 'services/shop/notes.yaml', content: 'x' }),
    ).not.toThrow();
  });
});
