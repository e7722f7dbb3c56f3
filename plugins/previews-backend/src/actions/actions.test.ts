import { BackstageCredentials } from '@backstage/backend-plugin-api';
import { mockCredentials } from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { JsonObject } from '@backstage/types';
import {
  auditReadPermission,
  previewReadPermission,
  sourceReadPermission,
} from '@previews/backstage-plugin-previews-common';
import { createTestDatabases } from '../testing/__testUtils__/databases';
import {
  entity,
  Policy,
  startApi,
  StartedApi,
} from '../testing/__testUtils__/startApi';
import { storedFinding } from '../testing/__testUtils__/storedFindings';
import { storedPreview } from '../testing/__testUtils__/storedPreviews';

jest.setTimeout(60_000);

const deny: Policy[string] = { result: AuthorizeResult.DENY };
const secretRef = 'component:default/secret';

const reviewer = mockCredentials.user('user:default/reviewer1');
/** The catalog hides `component:default/secret` from this one. */
const dev = mockCredentials.user('user:default/dev1');

const live = storedPreview({ iid: 7 });
const failed = storedPreview({
  iid: 8,
  phase: 'Failed',
  preview: { message: 'The pipeline failed.' },
});
const gone = storedPreview({
  iid: 70,
  phase: 'Gone',
  mergeRequest: { state: 'merged' },
});
const secret = storedPreview({
  iid: 9,
  projectId: 202,
  entityRefs: [secretRef],
  mergeRequest: { project: 'shop/secret' },
});

describe('the actions', () => {
  const databases = createTestDatabases();
  let started: StartedApi | undefined;

  afterEach(async () => {
    await started?.stop();
    started = undefined;
  });

  async function start(policy: Policy = { [auditReadPermission.name]: deny }) {
    started = await startApi({
      knex: await databases.init('SQLITE_3'),
      entities: [entity('web'), entity('secret', 'group:default/secret')],
      hidden: { 'user:default/dev1': [secretRef] },
      policy,
    });
    const { store, term } = started;
    await store.apply(
      term,
      [live, failed, gone, secret].map(stored => ({
        stored,
        transitions: [
          {
            previewId: stored.preview.id,
            at: '2026-11-02T08:00:00.000Z',
            kind: 'phase',
            to: stored.preview.phase,
            message: `It is ${stored.preview.phase}.`,
          },
        ],
      })),
    );
    await store.applyFindings(term, {
      put: [
        storedFinding({
          id: 'name-collision-1',
          previewIds: [failed.preview.id],
        }),
      ],
      resolved: [],
      sets: [],
      forgottenSets: [],
    });
    await store.applySources(
      term,
      [
        {
          id: 'cluster:main',
          kind: 'cluster',
          name: 'main',
          status: 'failing',
          lastCompleteAt: '2026-11-02T08:00:00.000Z',
          errors: [
            {
              reason: 'Unreachable',
              message: 'It does not answer.',
              since: '2026-11-02T08:01:00.000Z',
            },
          ],
          notes: [],
        },
      ],
      { readAt: new Date().toISOString() },
    );
  }

  async function invoke(
    name: string,
    input: JsonObject = {},
    credentials: BackstageCredentials = reviewer,
  ): Promise<any> {
    const { output } = await started!.actions.invoke({
      id: `test:${name}`,
      input,
      credentials,
    });
    return output;
  }

  const iidsOf = (output: { previews: { iid: number }[] }) =>
    output.previews.map(({ iid }) => iid);

  it('only read, and say so', async () => {
    await start();
    const { actions } = await started!.actions.list();
    expect(actions.map(({ name, attributes }) => [name, attributes])).toEqual(
      ['list-previews', 'explain-preview', 'list-sources'].map(name => [
        name,
        { readOnly: true, destructive: false, idempotent: true },
      ]),
    );
  });

  it('list what needs a person first, and only what the caller may see', async () => {
    await start();
    const output = await invoke('list-previews');
    expect(iidsOf(output)).toEqual([8, 7, 9]);
    expect(output.totalItems).toBe(3);
    expect(output.previews[0]).toEqual({
      id: failed.preview.id,
      project: 'shop/web',
      iid: 8,
      title: 'Change 8',
      author: 'dev1',
      mergeRequestUrl: failed.preview.mergeRequest.webUrl,
      entityRefs: ['component:default/web'],
      phase: 'Failed',
      message: 'The pipeline failed.',
      urls: ['https://web-8.preview.example.com/'],
      stale: [],
    });
    expect(iidsOf(await invoke('list-previews', {}, dev))).toEqual([8, 7]);
  });

  it('list by filters, page after page', async () => {
    await start();
    expect(iidsOf(await invoke('list-previews', { phases: ['Gone'] }))).toEqual(
      [70],
    );
    expect(
      iidsOf(await invoke('list-previews', { entityRef: secretRef })),
    ).toEqual([9]);
    expect(iidsOf(await invoke('list-previews', { text: '!8' }))).toEqual([8]);
    const first = await invoke('list-previews', { limit: 2 });
    expect(iidsOf(first)).toEqual([8, 7]);
    expect(
      iidsOf(
        await invoke('list-previews', { limit: 2, cursor: first.nextCursor }),
      ),
    ).toEqual([9]);
  });

  it.each<[string, JsonObject]>([
    ['its id', { id: failed.preview.id }],
    ['project and number', { project: 'shop/web', iid: 8 }],
  ])('explain a preview by %s', async (_, input) => {
    await start();
    const output = await invoke('explain-preview', input);
    expect(output).toMatchObject({
      id: failed.preview.id,
      phase: 'Failed',
      message: 'The pipeline failed.',
      headSha: failed.preview.mergeRequest.headSha,
      runningCommit: failed.preview.commit.running,
      conditions: [
        { type: 'MergeRequestOpen', status: 'True', reason: 'Opened' },
        { type: 'Available', status: 'True', reason: 'Available' },
      ],
      findings: [
        {
          type: 'NameCollision',
          severity: 'warning',
          message: 'Two merge requests give the name web-1.',
          since: '2026-11-02T08:00:00.000Z',
        },
      ],
      timeline: [{ at: '2026-11-02T08:00:00.000Z', message: 'It is Failed.' }],
    });
  });

  it('explain a preview that is gone, and no other whose number begins alike', async () => {
    await start();
    expect(
      await invoke('explain-preview', { project: 'shop/web', iid: 70 }),
    ).toMatchObject({ iid: 70, phase: 'Gone' });
    expect(
      await invoke('explain-preview', { project: 'shop/web', iid: 7 }),
    ).toMatchObject({ iid: 7, phase: 'Live' });
  });

  it.each<[string, JsonObject]>([
    ['is hidden', { id: secret.preview.id }],
    ['is hidden, by its number', { project: 'shop/secret', iid: 9 }],
    ['does not exist', { id: 'aaaaaaaa-1-99' }],
  ])('do not find what %s', async (_, input) => {
    await start();
    await expect(invoke('explain-preview', input, dev)).rejects.toThrow(
      /No preview/,
    );
  });

  it('say what is missing from the input', async () => {
    await start();
    await expect(invoke('explain-preview', { iid: 7 })).rejects.toThrow(
      "'project' and 'iid'",
    );
  });

  it('list the sources', async () => {
    await start();
    expect(await invoke('list-sources')).toEqual({
      sources: [
        {
          id: 'cluster:main',
          kind: 'cluster',
          name: 'main',
          status: 'failing',
          lastCompleteAt: '2026-11-02T08:00:00.000Z',
          errors: [
            {
              reason: 'Unreachable',
              message: 'It does not answer.',
              since: '2026-11-02T08:01:00.000Z',
            },
          ],
          notes: [],
        },
      ],
    });
  });

  it('refuse whom the policy denies', async () => {
    await start({
      [previewReadPermission.name]: deny,
      [sourceReadPermission.name]: deny,
    });
    for (const [name, input] of [
      ['list-previews', {}],
      ['explain-preview', { id: live.preview.id }],
      ['list-sources', {}],
    ] as const) {
      await expect(invoke(name, input)).rejects.toThrow('permission');
    }
  });
});
