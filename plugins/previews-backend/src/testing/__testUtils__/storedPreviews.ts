import { Phase, Preview } from '@previews/backstage-plugin-previews-common';
import { Memory, previewIdOf, StoredPreview } from '../../model';

/** What a test says of a preview; everything else is an ordinary live one. */
export interface StoredPreviewOptions {
  host?: string;
  projectId?: number;
  iid: number;
  phase?: Phase;
  entityRefs?: string[];
  activityAt?: string;
  mergeRequest?: Partial<Preview['mergeRequest']>;
  preview?: Partial<Preview>;
  memory?: Partial<Memory>;
}

/** A preview with everything that an ordinary one has. */
export function storedPreview(options: StoredPreviewOptions): StoredPreview {
  const { host = 'gitlab.example.com', projectId = 101, iid } = options;
  const key = { host, projectId, iid };
  const headSha = `${String(iid).padStart(4, '0')}`
    .repeat(10)
    .replace(/0/g, 'a');
  const name = `web-${iid}`;
  return {
    key,
    preview: {
      id: previewIdOf(key),
      entityRefs: options.entityRefs ?? ['component:default/web'],
      mergeRequest: {
        host,
        project: 'shop/web',
        projectId,
        iid,
        title: `Change ${iid}`,
        webUrl: `https://${host}/shop/web/-/merge_requests/${iid}`,
        author: { username: 'dev1', name: 'Dev One' },
        sourceBranch: `feature-${iid}`,
        targetBranch: 'main',
        fork: false,
        draft: false,
        labels: ['preview'],
        state: 'opened',
        headSha,
        createdAt: '2026-11-01T08:00:00.000Z',
        updatedAt: '2026-11-02T08:00:00.000Z',
        pipeline: { id: 7000 + iid, status: 'success', sha: headSha },
        ...options.mergeRequest,
      },
      phase: options.phase ?? 'Live',
      phaseSince: '2026-11-02T08:10:00.000Z',
      stale: [],
      conditions: [
        {
          type: 'MergeRequestOpen',
          status: 'True',
          reason: 'Opened',
          params: {},
          message: 'The merge request is open.',
          since: '2026-11-01T08:00:00.000Z',
          observedAt: '2026-11-02T08:10:00.000Z',
        },
        {
          type: 'Available',
          status: 'True',
          reason: 'Available',
          params: { ready: 1, desired: 1 },
          message: 'The workloads serve.',
          since: '2026-11-02T08:10:00.000Z',
          observedAt: '2026-11-02T08:10:00.000Z',
        },
      ],
      urls: [
        {
          url: `https://${name}.preview.example.com/`,
          host: `${name}.preview.example.com`,
          clickable: true,
        },
      ],
      commit: {
        head: headSha,
        expected: headSha.slice(0, 8),
        wantedByArgo: headSha.slice(0, 8),
        running: headSha.slice(0, 8),
        by: 'tag',
      },
      applications: [
        {
          cluster: 'main',
          namespace: 'argocd',
          name,
          applicationSet: 'argocd/web-previews',
          project: 'previews',
          destination: { cluster: 'main', namespace: `preview-mr-${iid}` },
          sync: 'Synced',
          health: 'Healthy',
          revision: headSha,
        },
      ],
      namespaces: [
        {
          cluster: 'main',
          name: `preview-mr-${iid}`,
          phase: 'Active',
          own: true,
        },
      ],
      certificates: [],
      routes: [],
      probes: [
        {
          host: `${name}.preview.example.com`,
          observedAt: '2026-11-02T08:11:00.000Z',
          status: 'True',
          reason: 'Answered',
          params: { host: `${name}.preview.example.com`, status: 200 },
          message: `${name}.preview.example.com answers the portal with 200.`,
          milliseconds: 84,
          certificate: {
            names: ['*.preview.example.com'],
            issuer: 'R11',
            chain: ['R11', 'ISRG Root X1'],
            notBefore: '2026-11-01T08:00:00.000Z',
            notAfter: '2027-01-30T08:00:00.000Z',
            namesHost: true,
            trusted: true,
          },
        },
      ],
      workloads: [],
      createdAt: '2026-11-01T08:00:00.000Z',
      activityAt: options.activityAt ?? '2026-11-02T08:10:00.000Z',
      ...options.preview,
    },
    memory: {
      joined: [],
      namespaces: [],
      existed: true,
      served: true,
      selectedBy: ['main:argocd/web-previews'],
      ...options.memory,
    },
  };
}
