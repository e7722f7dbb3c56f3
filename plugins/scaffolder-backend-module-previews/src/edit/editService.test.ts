import { editService } from './editService';

const include = '.gitlab/previews.gitlab-ci.yml';
const jobs = { path: include, content: 'job: {}\n' };
const annotations = { 'gitlab.com/project-id': '42' };

function edit(
  repository: Record<string, string>,
  more: Partial<Parameters<typeof editService>[0]> = {},
) {
  return editService({
    read: path => repository[path],
    ignoreFiles: Object.entries(repository)
      .filter(([path]) => path.endsWith('.gitignore'))
      .map(([path, content]) => ({ path, content })),
    files: [jobs],
    include,
    annotations,
    newEntity: { name: 'shop', owner: 'group:default/web' },
    ...more,
  });
}

describe('editService', () => {
  it('makes the files that an empty repository lacks', () => {
    expect(edit({})).toEqual([
      jobs,
      {
        path: '.gitlab-ci.yml',
        content: `include:\n  - local: ${include}\n`,
      },
      {
        path: 'catalog-info.yaml',
        content:
          "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: shop\n  annotations:\n    gitlab.com/project-id: '42'\nspec:\n  type: service\n  lifecycle: production\n  owner: group:default/web\n",
      },
    ]);
  });

  it('has nothing to change the second time', () => {
    const repository = Object.fromEntries(
      edit({}).map(({ path, content }) => [path, content]),
    );
    expect(edit(repository)).toEqual([]);
  });

  it('does not guess who owns the service', () => {
    expect(() => edit({}, { newEntity: undefined })).toThrow(
      'The repository has no catalog-info.yaml: say who owns the service',
    );
  });

  it('names the rule that would hide a new file', () => {
    expect(() => edit({ '.gitignore': '# ours\n.gitlab/\n' })).toThrow(
      'Files would be hidden: .gitlab/previews.gitlab-ci.yml by ".gitlab/" (.gitignore, line 2). Add rules that begin with "!"',
    );
  });

  it('lets a rule be that only fits what Git tracks already', () => {
    const paths = edit({
      '.gitignore': '.gitlab-ci.yml\n',
      '.gitlab-ci.yml': 'stages: [build]\n',
    }).map(({ path }) => path);
    expect(paths).toEqual([include, '.gitlab-ci.yml', 'catalog-info.yaml']);
  });
});
