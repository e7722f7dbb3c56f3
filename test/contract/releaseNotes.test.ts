import {
  mockCredentials,
  mockServices,
  startTestBackend,
  type TestBackend,
} from '@backstage/backend-test-utils';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import scaffolderPlugin from '@backstage/plugin-scaffolder-backend';
import scaffolderModulePreviews from '@previews/backstage-plugin-scaffolder-backend-module-previews';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startSimulator, type Simulator } from 'simulator';
import { parse } from 'yaml';

// The notes of a release, read from a GitLab that has branches, merges and tags.

const TEMPLATE = resolve(
  __dirname,
  '../../templates/promote-release/template.yaml',
);
const GITOPS = 'platform/gitops';
const APPLICATION = 'argocd/shop/application-prod.yaml';
const VALUES = 'services/shop/chart/values-prod.yaml';

describe('a release, read from the simulated GitLab', () => {
  let simulator: Simulator;
  let backend: TestBackend;

  /** Proposes one file on a branch and merges it. */
  function mergeFile(options: {
    title: string;
    branch: string;
    path: string;
    content: string;
  }) {
    const { title, branch, path, content } = options;
    const { state } = simulator.gitlab;
    state.commit({
      project: GITOPS,
      branch,
      startBranch: 'main',
      message: title,
      actions: [
        {
          action: state.files(state.project(GITOPS)).has(path)
            ? 'update'
            : 'create',
          path,
          content,
        },
      ],
    });
    const { iid } = state.openMergeRequest({
      project: GITOPS,
      sourceBranch: branch,
      targetBranch: 'main',
      title,
      author: 'dev1',
    });
    state.merge({ project: GITOPS, iid, by: 'reviewer1' });
  }

  beforeAll(async () => {
    simulator = await startSimulator({ speed: 100, scenario: 'empty' });
    const { state } = simulator.gitlab;
    const host = new URL(state.externalUrl).host;
    state.addProject({
      path: GITOPS,
      files: {
        [APPLICATION]: `kind: Application\nmetadata: {name: shop-prod}\nspec:\n  source:\n    repoURL: ${state.externalUrl}/${GITOPS}.git\n    targetRevision: shop-v1\n`,
        [VALUES]: 'replicas: 2\n',
      },
    });
    state.tag({ project: GITOPS, name: 'shop-v1' });
    mergeFile({
      title: 'Run three replicas of shop',
      branch: 'more',
      path: VALUES,
      content: 'replicas: 3\n',
    });
    mergeFile({
      title: 'Add the chart of search',
      branch: 'search',
      path: 'services/search/chart/values.yaml',
      content: 'replicas: 1\n',
    });
    state.tag({ project: GITOPS, name: 'shop-v2' });
    mergeFile({
      title: 'Run four replicas of shop',
      branch: 'most',
      path: VALUES,
      content: 'replicas: 4\n',
    });
    backend = await startTestBackend({
      features: [
        scaffolderPlugin,
        scaffolderModulePreviews,
        catalogServiceMock.factory({ entities: [] }),
        mockServices.rootConfig.factory({
          data: {
            integrations: {
              gitlab: [
                {
                  host,
                  baseUrl: state.externalUrl,
                  apiBaseUrl: `${state.externalUrl}/api/v4`,
                  token: simulator.gitlab.token,
                },
              ],
            },
          },
        }),
      ],
    });
  }, 60_000);
  afterAll(() => simulator.stop());

  it('has the merge requests between both tags that touch the service, and says that it looked at no more', async () => {
    const host = new URL(simulator.gitlab.url).host;
    const response = await fetch(
      `http://127.0.0.1:${backend.server.port()}/api/scaffolder/v2/dry-run`,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: mockCredentials.user.header(),
        },
        body: JSON.stringify({
          template: parse(readFileSync(TEMPLATE, 'utf8')),
          values: {
            service: 'shop',
            line: 'targetRevision',
            path: APPLICATION,
            value: 'shop-v2',
            gitopsRepository: `${host}?owner=platform&repo=gitops`,
          },
          secrets: {},
          directoryContents: [],
        }),
      },
    );
    const body = await response.json();
    expect([response.status, body.error?.message]).toEqual([200, undefined]);
    const notes = body.output.text[1].content;
    expect(notes).toContain(
      'Merged in platform/gitops between shop-v1 and shop-v2, of what touches services/shop:\n\n',
    );
    expect(notes).toContain('Run three replicas of shop (dev1)');
    expect(notes).not.toContain('search');
    expect(notes).not.toContain('four');
  });
});
