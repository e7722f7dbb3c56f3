import { createMockDirectory } from '@backstage/backend-test-utils';
import { runAction } from '../__testUtils__/runAction';
import { createPromoteAction } from './promoteAction';

const workspace = createMockDirectory();
const path = 'argocd/shop/application-prod.yaml';
const text =
  'kind: Application\nmetadata: {name: shop-prod}\nspec:\n  source:\n    # the release\n    targetRevision: shop-v1\n';
const input = {
  service: 'shop',
  path,
  line: 'targetRevision',
  value: 'shop-v2',
};

function promote(more: object = {}) {
  return runAction({
    action: createPromoteAction(),
    workspacePath: workspace.path,
    input: { ...input, ...more },
  });
}

describe('previews:release:promote', () => {
  beforeEach(() =>
    workspace.setContent({ 'gitops-repository': { [path]: text, other: 'x' } }),
  );

  it('writes the one file with its one line changed', async () => {
    expect(await promote()).toEqual({
      changed: true,
      previous: 'shop-v1',
      branchName: expect.stringMatching(/^previews\/promote-shop-[0-9a-f]{8}$/),
      title: 'Promote shop to shop-v2',
    });
    expect((workspace.content() as any).gitops).toEqual({
      argocd: {
        shop: { 'application-prod.yaml': text.replace('shop-v1', 'shop-v2') },
      },
    });
  });

  it('writes nothing when the release is out already', async () => {
    expect(await promote({ value: 'shop-v1' })).toMatchObject({
      changed: false,
    });
    expect(workspace.content()).not.toHaveProperty('gitops');
  });

  it.each<[string, object, string]>([
    ['a file that is not there', { path: 'none.yaml' }, 'has no none.yaml'],
    ['a path that leads out', { path: '../x' }, 'Relative path'],
    ['a revision that moves', { value: 'HEAD' }, 'which moves'],
  ])('refuses %s', async (_, more, message) => {
    await expect(promote(more)).rejects.toThrow(message);
    expect(workspace.content()).not.toHaveProperty('gitops');
  });
});
