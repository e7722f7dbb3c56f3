import { startTestBackend, mockServices } from '@backstage/backend-test-utils';
import { createBackendModule } from '@backstage/backend-plugin-api';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import {
  PreviewsConditionProvider,
  previewsConditionsExtensionPoint,
  PreviewsSourceProvider,
  previewsSourcesExtensionPoint,
} from '@previews/backstage-plugin-previews-node';
import { Preview } from '@previews/backstage-plugin-previews-common';
import request from 'supertest';
import previewsPlugin from '.';
import { ScriptedServer, sendJson } from './sources/testing/ScriptedServer';

jest.setTimeout(60_000);

interface GateFacts {
  failed: number;
}

/** One project with one open MR, and nothing else. */
async function startGitLab(): Promise<ScriptedServer> {
  const mergeRequest = {
    iid: 7,
    project_id: 42,
    source_project_id: 42,
    target_project_id: 42,
    title: 'Faster checkout',
    state: 'opened',
    source_branch: 'feature',
    target_branch: 'main',
    sha: '1f0e2d3c4b5a69788796a5b4c3d2e1f001234567',
    labels: ['preview'],
    author: { username: 'dev1' },
    created_at: '2026-03-01T10:00:00.000Z',
    updated_at: '2026-03-01T10:00:00.000Z',
  };
  return ScriptedServer.listen(({ path }, response) => {
    if (path.endsWith('/merge_requests')) {
      sendJson(response, [mergeRequest]);
    } else if (path.endsWith('/merge_requests/7')) {
      sendJson(response, mergeRequest);
    } else if (/merge_requests\/7\/pipelines$/.test(path)) {
      sendJson(response, []);
    } else if (path.endsWith('/projects/42')) {
      sendJson(response, { id: 42, path_with_namespace: 'group/shop' });
    } else {
      sendJson(response, { message: '404 Not Found' }, { status: 404 });
    }
  });
}

async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const answer = await ask();
    if (answer !== undefined) {
      return answer;
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error('It did not come about');
}

describe('a module with a source and a condition', () => {
  let gitlab: ScriptedServer;

  beforeAll(async () => {
    gitlab = await startGitLab();
  });

  afterAll(async () => {
    await gitlab.close();
  });

  function gate(
    patch: {
      source?: Partial<PreviewsSourceProvider<GateFacts>>;
      condition?: Partial<PreviewsConditionProvider<GateFacts>>;
    } = {},
  ) {
    return createBackendModule({
      pluginId: 'previews',
      moduleId: 'quality-gate',
      register(env) {
        env.registerInit({
          deps: {
            sources: previewsSourcesExtensionPoint,
            conditions: previewsConditionsExtensionPoint,
          },
          async init({ sources, conditions }) {
            sources.addSource<GateFacts>({
              id: 'quality-gate',
              everySeconds: 10,
              read: async ({ previews }) =>
                new Map(previews.map(({ id }) => [id, { failed: 3 }])),
              ...patch.source,
            });
            conditions.addCondition<GateFacts>({
              type: 'QualityGate',
              title: { en: 'Quality gate', ca: 'Porta de qualitat' },
              source: 'quality-gate',
              blocksLive: true,
              reasons: {
                Failed: {
                  effect: 'blocked',
                  sentence: {
                    en: '{count} checks failed on {branch}.',
                    ca: 'Han fallat {count} comprovacions.',
                  },
                },
              },
              evaluate: ({ facts, preview }) =>
                facts && {
                  status: 'False',
                  reason: 'Failed',
                  params: {
                    count: facts.failed,
                    branch: preview.mergeRequest.sourceBranch,
                  },
                },
              ...patch.condition,
            });
          },
        });
      },
    });
  }

  async function start(module: ReturnType<typeof gate>) {
    const { server } = await startTestBackend({
      features: [
        previewsPlugin,
        catalogServiceMock.factory({
          entities: [
            {
              apiVersion: 'backstage.io/v1alpha1',
              kind: 'Component',
              metadata: {
                name: 'shop',
                annotations: {
                  'gitlab.com/project-id': '42',
                  'gitlab.com/instance': 'gitlab.example.com',
                  'previews/enabled': 'true',
                },
              },
            },
          ],
        }),
        mockServices.rootConfig.factory({
          data: {
            integrations: {
              gitlab: [
                {
                  host: 'gitlab.example.com',
                  baseUrl: gitlab.url,
                  apiBaseUrl: `${gitlab.url}/api/v4`,
                  token: 'a-token',
                },
              ],
            },
            previews: {
              gitlab: [{ host: 'gitlab.example.com', token: 'a-token' }],
              catalog: { projectClaims: 'any' },
            },
          },
        }),
        module,
      ],
    });
    const previews = async (): Promise<Preview[]> =>
      (
        await request(server).get(
          '/api/previews/v1/previews?phase=Waiting&phase=Failed&phase=NotSelected&phase=Unknown',
        )
      ).body.items;
    const condition = () =>
      until(async () => {
        const [preview] = await previews();
        return preview?.furtherConditions?.[0];
      });
    const source = (isReady: (state: any) => boolean) =>
      until(async () => {
        const { body } = await request(server).get('/api/previews/v1/sources');
        return body.items.find(
          ({ id, ...state }: any) =>
            id === 'extension:quality-gate' && isReady(state),
        );
      });
    return { previews, condition, source };
  }

  it('is shown by the API, with its sentences', async () => {
    const { condition, source } = await start(gate());
    // It may be decided before the source has told of anything.
    const told = await until(async () => {
      const found = await condition();
      return found.status === 'Unknown' ? undefined : found;
    });
    expect(told).toMatchObject({
      type: 'QualityGate',
      title: { en: 'Quality gate', ca: 'Porta de qualitat' },
      status: 'False',
      reason: 'Failed',
      effect: 'blocked',
      blocksLive: true,
      params: { count: 3, branch: 'feature' },
      message: '3 checks failed on feature.',
      sentences: { ca: 'Han fallat 3 comprovacions.' },
    });
    expect(await source(({ status }) => status === 'fresh')).toMatchObject({
      kind: 'extension',
      name: 'quality-gate',
      errors: [],
    });
  });

  it('leaves the preview as it is when its source throws, and says so', async () => {
    const { condition, source } = await start(
      gate({
        source: {
          read: async () => {
            throw new Error('token=secret-value');
          },
        },
      }),
    );
    expect(await condition()).toMatchObject({
      status: 'Unknown',
      reason: 'SourceUnavailable',
    });
    const state = await source(({ errors }) => errors.length > 0);
    expect(state).toMatchObject({
      status: 'failing',
      errors: [{ reason: 'ServerError' }],
    });
    expect(JSON.stringify(state)).not.toContain('secret-value');
  });

  it('leaves the preview as it is when its condition throws, and says so', async () => {
    const { condition, source } = await start(
      gate({
        condition: {
          evaluate: () => {
            throw new Error('token=secret-value');
          },
        },
      }),
    );
    expect(
      await until(async () => {
        const found = await condition();
        return found.reason === 'SourceUnavailable' ? found : undefined;
      }),
    ).toMatchObject({ status: 'Unknown' });
    expect(await source(({ errors }) => errors.length > 0)).toMatchObject({
      errors: [{ reason: 'ServerError', subject: 'QualityGate' }],
    });
  });

  it('stops the start when it is not complete, and names what is wrong', async () => {
    await expect(
      start(gate({ condition: { source: 'another' } })),
    ).rejects.toThrow(/'QualityGate'.*'another'/);
  });
});
