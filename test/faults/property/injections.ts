import { gitlabAnswers, Simulator } from 'simulator';

/** Breaks something; it stays so until everything is healed. */
export type Injection = (simulator: Simulator) => void | Promise<void>;

/** A list that only the portal asks for: Argo CD's generator asks for other pages. */
const LIST_OF_PORTAL =
  /merge_requests\?(?!per_page=100&(labels=preview&)?state=opened)/;

function portalToken({ gitlab }: Simulator) {
  return gitlab.state.tokens.find(({ value }) => value === gitlab.token)!;
}

const cluster = ({ faults }: Simulator) => faults.clusters[0];

/** What breaks what the portal reads, by what people would call it. */
export const sourceFaults: Record<string, Injection> = {
  'GitLab answers 500': ({ faults }) => faults.gitlab.down(500),
  'GitLab answers 502': ({ faults }) => faults.gitlab.down(502),
  'GitLab refuses connections': ({ faults }) => {
    faults.gitlab.refuse = true;
  },
  'GitLab answers 429': ({ faults }) =>
    faults.gitlab.answer({
      path: '',
      answer: gitlabAnswers.tooManyRequests(1, new Date()),
      times: 3,
    }),
  'GitLab is slow': ({ faults }) => {
    faults.gitlab.delay = 250;
  },
  'GitLab restarts': ({ faults }) => faults.inject('gitlab-restart'),
  'A page of a list fails': ({ faults }) =>
    faults.gitlab.answer({
      path: LIST_OF_PORTAL,
      page: 1,
      answer: gitlabAnswers.internalError,
      times: 2,
    }),
  'GitLab shows the portal empty lists': ({ faults }) =>
    faults.gitlab.answer({
      path: LIST_OF_PORTAL,
      answer: { status: 200, body: [] },
    }),
  'GitLab shows everybody empty lists': ({ faults }) => {
    faults.gitlab.emptyLists = true;
  },
  'GitLab finds no merge request by itself': ({ faults }) =>
    faults.gitlab.answer({
      path: /merge_requests\/\d+/,
      answer: gitlabAnswers.notFound,
    }),
  'GitLab finds no project': ({ faults }) =>
    faults.gitlab.answer({
      path: LIST_OF_PORTAL,
      answer: gitlabAnswers.projectNotFound,
    }),
  'The portal’s token sees no project any more': simulator => {
    portalToken(simulator).projectIds = new Set();
  },
  'The portal’s token is revoked': simulator => {
    portalToken(simulator).revoked = true;
  },
  'Projects drop out of the lists of their group': ({ faults, gitlab }) =>
    [...gitlab.state.projects.values()].forEach(({ id }, index) => {
      if (index % 2 === 0) {
        faults.gitlab.hideFromGroups(id);
      }
    }),
  'Webhooks are dropped': ({ faults }) => {
    faults.gitlab.webhooksToDrop = Infinity;
  },
  'Watches are cut': simulator => cluster(simulator).cutWatches(),
  'A watch is told 410': simulator => {
    cluster(simulator).expireResourceVersions();
    cluster(simulator).cutWatches();
  },
  'A watch is told 410 within the stream': simulator => {
    cluster(simulator).inStreamGone(true);
    cluster(simulator).expireResourceVersions();
    cluster(simulator).cutWatches();
  },
  'Watches hang': simulator => cluster(simulator).hangWatches(),
  'The API server restarts': simulator => cluster(simulator).restart(),
  'The API server refuses connections': simulator =>
    cluster(simulator).refuseConnections(true),
  'The API server fails some lists': simulator => {
    cluster(simulator).failNext('Application', 500, 2);
    cluster(simulator).failNext('Pod', 429, 2);
    cluster(simulator).cutWatches();
  },
  'The API server rejects the token': simulator => {
    cluster(simulator).rejectToken(simulator.clusters[0].token);
    cluster(simulator).cutWatches();
  },
  'The API server forbids Applications': simulator => {
    cluster(simulator).forbid('Application');
    cluster(simulator).cutWatches('Application');
  },
  'The API server forbids Namespaces': simulator => {
    cluster(simulator).forbid('Namespace');
    cluster(simulator).cutWatches('Namespace');
  },
  'The API server is slow': simulator => cluster(simulator).delay(200),
};

/** What breaks on the platform itself: true facts, which the portal must show. */
export const platformFaults: Record<string, Injection> = {
  'Pipelines fail': ({ faults }) =>
    faults.platform.set('pipeline', '*', 'fails'),
  'Pipelines never end': ({ faults }) =>
    faults.platform.set('pipeline', '*', 'neverEnds'),
  'Images are not pushed': ({ faults }) =>
    faults.platform.set('imageTag', '*', 'never'),
  'Containers crash': ({ faults }) =>
    faults.platform.set('workload', '*', 'crashLoop'),
  'Syncs fail': ({ faults }) => faults.platform.set('sync', '*', 'SyncFailed'),
  'Generators err': ({ faults }) =>
    faults.platform.set('generator', '*', 'error'),
  'Routes are not accepted': ({ faults }) =>
    faults.platform.set('route', '*', 'NotAllowedByListeners'),
};

/** Heals everything, and lets the sets look again as their owners would then. */
export async function heal(simulator: Simulator): Promise<void> {
  const token = portalToken(simulator);
  token.projectIds = undefined;
  token.revoked = false;
  cluster(simulator).acceptToken(simulator.clusters[0].token);
  await simulator.faults.clear();
  const [{ cluster: control }] = simulator.clusters;
  for (const { metadata } of control.list({ kind: 'ApplicationSet' })) {
    control.patch(
      {
        kind: 'ApplicationSet',
        namespace: metadata.namespace,
        name: metadata.name,
      },
      draft => {
        draft.metadata.annotations = {
          ...draft.metadata.annotations,
          'argocd.argoproj.io/application-set-refresh': 'true',
        };
      },
    );
  }
}
