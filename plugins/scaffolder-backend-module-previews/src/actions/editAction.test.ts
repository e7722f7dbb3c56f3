import { createMockDirectory } from '@backstage/backend-test-utils';
import { runAction } from '../__testUtils__/runAction';
import { createEditAction } from './editAction';

const workspace = createMockDirectory();
const jobs = 'previews-build: {stage: build, script: make}\n';
const pipeline = '# Ours\nstages: [build]\n\ntest: {script: make}\n';
const entity =
  'apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: shop # ours\n';
const rendered = { '.gitlab/previews.gitlab-ci.yml': jobs };
const input = {
  service: 'shop',
  stage: 'build',
  annotations: { 'gitlab.com/project-id': 42 },
};

function edit(more: object = {}) {
  return runAction({
    action: createEditAction(),
    workspacePath: workspace.path,
    input: { ...input, ...more },
  });
}

describe('previews:service:edit', () => {
  beforeEach(() =>
    workspace.setContent({
      service: rendered,
      'service-repository': {
        '.gitlab-ci.yml': pipeline,
        'catalog-info.yaml': entity,
        '.gitignore': 'node_modules\n',
        '.git/config': 'x',
      },
    }),
  );

  it('writes what changes beside the rendered files, and nothing else', async () => {
    const output = await edit();
    expect(output).toEqual({
      changed: true,
      branchName: expect.stringMatching(/^previews\/onboard-shop-[0-9a-f]{8}$/),
      files: [
        '.gitlab/previews.gitlab-ci.yml',
        '.gitlab-ci.yml',
        'catalog-info.yaml',
      ],
    });
    const { service, ...rest } = workspace.content() as Record<string, any>;
    expect(service).toEqual({
      '.gitlab': { 'previews.gitlab-ci.yml': jobs },
      '.gitlab-ci.yml': `${pipeline}\ninclude:\n  - local: .gitlab/previews.gitlab-ci.yml\n`,
      'catalog-info.yaml': `${entity}  annotations:\n    gitlab.com/project-id: '42'\n`,
    });
    expect(rest['service-repository']['.gitlab-ci.yml']).toBe(pipeline);
  });

  it('gives the same answer when it runs again', async () => {
    expect(await edit()).toEqual(await edit());
  });

  it('has nothing to change once it is merged', async () => {
    await edit();
    const { service } = workspace.content() as Record<string, any>;
    workspace.setContent({ service: rendered, 'service-repository': service });
    expect(await edit()).toMatchObject({ changed: false, files: [] });
  });

  it('makes the files that are not there', async () => {
    workspace.setContent({ service: rendered, 'service-repository': {} });
    const output = await edit({ owner: 'group:default/web' });
    expect(output).toMatchObject({ changed: true });
    const { service } = workspace.content() as Record<string, any>;
    expect(service['catalog-info.yaml']).toContain('owner: group:default/web');
  });

  it('writes nothing when an annotation would be overwritten', async () => {
    workspace.addContent({
      'service-repository': {
        'catalog-info.yaml': `${entity}  annotations: {gitlab.com/project-id: '7'}\n`,
      },
    });
    await expect(edit()).rejects.toThrow(
      'gitlab.com/project-id is "7", not "42"',
    );
    expect(workspace.content()).toMatchObject({
      service: { '.gitlab': { 'previews.gitlab-ci.yml': jobs } },
    });
    expect(Object.keys((workspace.content() as any).service)).toEqual([
      '.gitlab',
    ]);
  });

  it('names the rule that hides a rendered file', async () => {
    workspace.addContent({
      'service-repository': { '.gitignore': '.gitlab\n' },
    });
    await expect(edit()).rejects.toThrow(
      '.gitlab/previews.gitlab-ci.yml by ".gitlab" (.gitignore, line 1)',
    );
  });

  it('says that the repository was not fetched', async () => {
    await expect(edit({ repositoryPath: 'none' })).rejects.toThrow(
      'The workspace has no folder none',
    );
  });
});
