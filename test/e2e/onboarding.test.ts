import { resolve } from 'node:path';
import { Browser, Locator, Page } from 'playwright-core';
import {
  Cluster,
  KubernetesObject,
  Simulator,
  startSimulator,
} from 'simulator';
import { startBrowser } from '../support/chromium';
import { freePort } from '../support/freePort';
import { Portal, startPortal, WEBHOOK_SECRET } from '../support/startPortal';
import { waitFor } from '../support/waitFor';

jest.setTimeout(300_000);

const RBAC = resolve(__dirname, '../../docs/rbac.yaml');
const SERVICE = 'shop/reviews';
const GITOPS = 'platform/gitops';
const TAB = '/catalog/default/component/reviews/previews';
const PATIENCE = 90_000;
/** Helm, Argo CD and the portal all have their turn. */
const LONG = { timeoutMilliseconds: PATIENCE };

/** A service as it is before it has previews: a pipeline of its own, and an entry in the catalog. */
const serviceFiles = {
  'README.md': '# Reviews\n',
  Dockerfile: 'FROM scratch\n',
  '.gitlab-ci.yml': `# What reviewers rely on
stages: [build, test]
unit:
  stage: test
  script: [make test]
`,
  'catalog-info.yaml': `apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: reviews
  annotations:
    gitlab.com/project-slug: ${SERVICE} # the project
spec: { type: service, lifecycle: production, owner: platform }
`,
};

describe('a service and its previews, from the form to a release', () => {
  let simulator: Simulator;
  let portal: Portal;
  let browser: Browser;
  let page: Page;

  const state = () => simulator.gitlab.state;
  const cluster = () => simulator.clusters[0].cluster;
  const digestOf = (tag: string) =>
    state()
      .project(SERVICE)
      .registry.find(({ name }) => name === '')!
      .tags.get(tag)!.digest;

  beforeAll(async () => {
    const port = await freePort();
    simulator = await startSimulator({
      seed: 'onboarding',
      speed: 20,
      rbacFile: RBAC,
      webhook: {
        url: `http://127.0.0.1:${port}/api/events/http/previews-gitlab`,
        secret: WEBHOOK_SECRET,
      },
      scenario: ({ scenario, gitlab, clusters }) => {
        scenario.addGitOpsRepository({ path: GITOPS });
        scenario.addRepository({ path: SERVICE, files: serviceFiles });
        admitHostsOfTiers(clusters[0].cluster);
        for (const tag of ['prod-v1.0.0', 'prod-v1.1.0']) {
          gitlab.state.pushTag({ project: SERVICE, tag });
        }
      },
    });
    [portal, browser] = await Promise.all([
      startPortal({ simulator, port }),
      startBrowser(),
    ]);
    await portal.untilInCatalog('component', 'reviews');
    await portal.untilInCatalog('template', 'onboard-service');
    await portal.untilInCatalog('template', 'promote-release');
    page = await browser.newPage({
      viewport: { width: 1400, height: 1000 },
      locale: 'en-GB',
    });
    page.setDefaultTimeout(PATIENCE);
  });

  afterAll(async () => {
    await browser?.close();
    await portal?.stop();
    await simulator?.stop();
  });

  /** Does something; where it fails, says how far the platform was. */
  async function told(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const shown = await page.locator('body').ariaSnapshot();
      throw new Error(
        [
          error instanceof Error ? error.message : String(error),
          'Applications:',
          ...cluster()
            .list({ kind: 'Application' })
            .map(object => JSON.stringify(summaryOf(object))),
          'ApplicationSets:',
          ...cluster()
            .list({ kind: 'ApplicationSet' })
            .map(object => JSON.stringify(summaryOf(object))),
          'The page:',
          shown,
        ].join('\n'),
        { cause: error },
      );
    }
  }

  /** Waits for a task of the scaffolder; fails with its log. */
  async function linksOf(id: string): Promise<TaskLink[]> {
    const task = `/api/scaffolder/v2/tasks/${id}`;
    const status = await waitFor('the task to end', async () => {
      const found = await (await portal.fetch(task)).json();
      return ['completed', 'failed'].includes(found.status)
        ? found.status
        : undefined;
    });
    const events: TaskEvent[] = await (
      await portal.fetch(`${task}/events`)
    ).json();
    if (status === 'failed') {
      throw new Error(events.map(({ body }) => body.message).join('\n'));
    }
    return events.find(({ type }) => type === 'completion')!.body.output!.links;
  }

  /** Presses the last buttons of a form, and waits until the page shows the links to what it made. */
  async function create(): Promise<TaskLink[]> {
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/\/create\/tasks\//);
    const links = await linksOf(taskId());
    for (const { title } of links) {
      await page.getByRole('link', { name: title }).waitFor();
    }
    return links;
  }

  function taskId(): string {
    return page.url().split('/').pop()!;
  }

  /** Asks for the same once more, as somebody who is not sure that it worked. */
  async function createAgain(): Promise<TaskLink[]> {
    const { spec } = await (
      await portal.fetch(`/api/scaffolder/v2/tasks/${taskId()}`)
    ).json();
    const response = await portal.fetch('/api/scaffolder/v2/tasks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        templateRef: spec.templateInfo.entityRef,
        values: spec.parameters,
      }),
    });
    return linksOf((await response.json()).id);
  }

  function mergeRequestAt(url: string): { project: string; iid: number } {
    const { pathname } = new URL(url);
    const [, project, iid] =
      /^\/(.+)\/-\/merge_requests\/(\d+)$/.exec(pathname) ?? [];
    return { project, iid: Number(iid) };
  }

  /**
   * Turns the page of a form and waits for a field of the next. Pickers load what they offer, and a press
   * before that can be lost, so it is repeated, as people do.
   */
  async function next(field: Locator) {
    await waitFor(`the page with ${field}`, async () => {
      await page.waitForLoadState('networkidle');
      if (!(await field.isVisible())) {
        await page.getByRole('button', { name: 'Next' }).click();
      }
      return field
        .waitFor({ timeout: 10_000 })
        .then(() => true)
        .catch(() => undefined);
    });
  }

  const box = (name: string) =>
    page.getByRole('textbox', { name, exact: true });

  async function write(name: string, value: string) {
    await box(name).fill(value);
  }

  const application = (name: string) =>
    cluster().get({ kind: 'Application', namespace: 'argocd', name });

  function row() {
    return page.getByRole('row', { name: /Stars in colour/ });
  }

  it('asks where the controller of an Ingress is, and refuses a token of the past before anything is done', () =>
    told(async () => {
      const answers = { entity: 'component:default/reviews' };
      await page.goto(
        `${
          portal.url
        }/create/templates/default/onboard-service?formData=${encodeURIComponent(
          JSON.stringify(answers),
        )}`,
      );
      await box('Name').waitFor();
      await next(page.getByRole('spinbutton', { name: 'Port' }));
      await next(box('Domain'));
      await write('Owner', 'platform');
      await write('Repository', 'gitops');
      await write('Domain', 'example.com');
      expect(await box("Namespace of the Gateway's pods").inputValue()).toBe(
        'envoy-gateway-system',
      );
      await page.getByRole('button', { name: 'A Gateway' }).click();
      await page.getByRole('option', { name: 'An Ingress' }).click();
      const controller = box("Namespace of the ingress controller's pods");
      await controller.waitFor();
      expect(await controller.inputValue()).toBe('');
      await write('IngressClass', 'traefik');
      await controller.fill('traefik');
      await next(box('ClusterSecretStore with the token'));
      await write('ClusterSecretStore with the token', 'platform');
      await write('Key of the token in the store', 'gitlab/previews');
      await write('Day on which the token expires', '2020-01-01');
      await next(page.getByRole('checkbox', { name: 'Set up prod' }));
      await next(box('Stage of the jobs'));
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByRole('button', { name: 'Create' }).click();
      await page
        .getByText('2020-01-01 is no day to come, so the token has expired')
        .first()
        .waitFor();
      expect(simulator.control.mergeRequests()).toEqual([]);
    }));

  it('opens both merge requests from the form that the empty tab leads to, with what was there left to the letter', () =>
    told(async () => {
      await page.goto(`${portal.url}${TAB}`);
      await page
        .getByRole('button', { name: 'Get previews for this service' })
        .click();
      // Filled in already: which service, its name and its owner.
      await box('Name').waitFor();
      await next(page.getByRole('spinbutton', { name: 'Port' }));
      await next(box('Domain'));
      await write('Owner', 'platform');
      await write('Repository', 'gitops');
      await write('Domain', 'example.com');
      await next(box('ClusterSecretStore with the token'));
      await write('ClusterSecretStore with the token', 'platform');
      await write('Key of the token in the store', 'gitlab/previews');
      await write('Day on which the token expires', '2099-03-01');
      const prod = page.getByRole('checkbox', { name: 'Set up prod' });
      await next(prod);
      await prod.check();
      await write('Tag of the image of prod', 'prod-v1.0.0');
      await write('Digest of the image of prod', digestOf('prod-v1.0.0'));
      await write('Tag of the GitOps repository', 'reviews-v1.0.0');
      await next(box('Stage of the jobs'));

      const links = await create();
      const opened = links.map(({ url }) => mergeRequestAt(url));
      expect(opened).toEqual([
        { project: GITOPS, iid: 1 },
        { project: SERVICE, iid: 1 },
      ]);

      expect(await createAgain()).toEqual(links);
      expect(simulator.control.mergeRequests()).toHaveLength(2);

      for (const mergeRequest of opened) {
        simulator.control.merge({ ...mergeRequest, by: 'reviewer1' });
      }
      const service = state().files(state().project(SERVICE));
      expect(service.get('.gitlab-ci.yml')).toBe(
        `${serviceFiles['.gitlab-ci.yml']}
include:
  - local: .gitlab/previews.gitlab-ci.yml
`,
      );
      expect(service.get('catalog-info.yaml')).toContain(
        `gitlab.com/project-slug: ${SERVICE} # the project\n`,
      );
      expect([...service.keys()].sort()).toEqual(
        [...Object.keys(serviceFiles), '.gitlab/previews.gitlab-ci.yml'].sort(),
      );
      expect([...state().files(state().project(GITOPS)).keys()]).toEqual(
        expect.arrayContaining([
          'README.md',
          'argocd/reviews/applicationset.yaml',
          'services/reviews/chart/Chart.yaml',
        ]),
      );
    }));

  it('is an ApplicationSet, its projects and prod in the cluster once both are merged', () =>
    told(async () => {
      // As the checklist says, by a Maintainer.
      state().tag({ project: GITOPS, name: 'reviews-v1.0.0' });
      await waitFor(
        'the ApplicationSet',
        () =>
          cluster().get({
            kind: 'ApplicationSet',
            namespace: 'argocd',
            name: 'previews-reviews',
          }),
        LONG,
      );
      const project = await waitFor(
        'the AppProject',
        () =>
          cluster().get({
            kind: 'AppProject',
            namespace: 'argocd',
            name: 'previews-reviews',
          }),
        LONG,
      );
      expect(project.spec).toMatchObject({
        destinations: [
          { namespace: `preview-mr-${state().project(SERVICE).id}-*` },
        ],
      });
      await waitFor(
        'prod to run',
        () =>
          statusOf(application('reviews-prod'))?.health?.status === 'Healthy'
            ? true
            : undefined,
        LONG,
      );
    }));

  it('has a merge request live, deployed with what Helm rendered and the image of its head', () =>
    told(async () => {
      const opened = simulator.control.openMergeRequest({
        project: SERVICE,
        sourceBranch: 'feature/stars',
        title: 'Stars in colour',
        author: 'dev1',
      });
      await page.goto(`${portal.url}${TAB}`);
      await row().getByText('Live', { exact: true }).waitFor();
      const open = row().getByRole('link', { name: /Open/ });
      expect(await open.getAttribute('href')).toBe(
        `https://reviews-mr-${opened.iid}.preview.example.com/`,
      );

      const namespace = `preview-mr-${opened.projectId}-${opened.iid}`;
      const deployment = cluster().get({
        kind: 'Deployment',
        namespace,
        name: 'reviews',
      });
      expect(JSON.stringify(deployment?.spec)).toContain(
        `/reviews:${opened.sha!.slice(0, 8)}"`,
      );
      // The model chart of other services has none of these.
      expect(
        cluster().list({ kind: 'NetworkPolicy', namespace }),
      ).not.toHaveLength(0);
    }));

  it('leaves nothing of it when it is closed, in the cluster or in the tab', () =>
    told(async () => {
      const { project, projectId, iid } = simulator.control
        .mergeRequests()
        .find(({ title }) => title === 'Stars in colour')!;
      const name = `preview-mr-${projectId}-${iid}`;
      simulator.control.close({ project, iid });
      await waitFor(
        'the Application and its namespace to go',
        () =>
          application(name) || cluster().get({ kind: 'Namespace', name })
            ? undefined
            : true,
        LONG,
      );
      for (const kind of ['Deployment', 'Service', 'HTTPRoute', 'Pod']) {
        expect(cluster().list({ kind, namespace: name })).toEqual([]);
      }
      await row().waitFor({ state: 'detached' });
      expect(application('reviews-prod')).toBeDefined();
    }));

  it('moves prod by a merge request of one line, which the tab leads to and shows the end of', () =>
    told(async () => {
      const values = 'services/reviews/chart/values-prod.yaml';
      const before = state()
        .files(state().project(GITOPS))
        .get(values) as string;
      state().commit({
        project: GITOPS,
        branch: 'main',
        message: 'Release reviews 1.1.0',
        actions: [
          {
            action: 'update',
            path: values,
            content: before
              .replace('prod-v1.0.0', 'prod-v1.1.0')
              .replace(digestOf('prod-v1.0.0'), digestOf('prod-v1.1.0')),
          },
        ],
      });
      state().tag({ project: GITOPS, name: 'reviews-v1.1.0' });

      await page.goto(`${portal.url}${TAB}`);
      const tiers = page.getByRole('list', { name: 'Environments' });
      await tiers.getByText(/reviews-v1\.0\.0/).waitFor();
      await tiers
        .getByRole('button', { name: 'Promote a release to prod' })
        .click();
      await write('Tag', 'reviews-v1.1.0');
      await next(box('Repository'));

      const [{ url }] = await create();
      const mergeRequest = mergeRequestAt(url);
      simulator.control.merge({ ...mergeRequest, by: 'reviewer1' });
      await waitFor(
        'prod to be at the new tag',
        () => {
          const found = application('reviews-prod');
          const deployment = cluster().get({
            kind: 'Deployment',
            namespace: 'reviews-prod',
            name: 'reviews',
          });
          return JSON.stringify(found?.spec).includes('reviews-v1.1.0') &&
            JSON.stringify(deployment?.spec).includes('prod-v1.1.0')
            ? true
            : undefined;
        },
        LONG,
      );
      await page.goto(`${portal.url}${TAB}`);
      await tiers.getByText(/reviews-v1\.1\.0/).waitFor();
      expect(portal.log()).not.toMatch(/unhandled/i);
    }));
});

interface TaskLink {
  title: string;
  url: string;
}

interface TaskEvent {
  type: string;
  body: { message: string; output?: { links: TaskLink[] } };
}

/** Besides that of previews, a platform's Gateway has a listener for what stays. */
function admitHostsOfTiers(cluster: Cluster) {
  const reference = { kind: 'Gateway', namespace: 'edge', name: 'edge' };
  cluster.patch(reference, draft => {
    const listeners = draft.spec?.listeners as { hostname: string }[];
    draft.spec = {
      ...draft.spec,
      listeners: [
        ...listeners,
        { ...listeners[0], name: 'tiers', hostname: '*.example.com' },
      ],
    };
  });
}

interface ArgoStatus {
  health?: { status: string };
  sync?: { status: string };
  conditions?: { type: string; message: string }[];
  resources?: { kind: string; health?: { status: string; message?: string } }[];
}

function statusOf(object: KubernetesObject | undefined) {
  return object?.status as ArgoStatus | undefined;
}

function summaryOf(object: KubernetesObject) {
  const { health, sync, conditions, resources } = statusOf(object) ?? {};
  return {
    name: object.metadata.name,
    health: health?.status,
    sync: sync?.status,
    conditions: conditions?.map(({ type, message }) => `${type}: ${message}`),
    resources: resources
      ?.filter(({ health: own }) => own && own.status !== 'Healthy')
      .map(({ kind, health: own }) => `${kind}: ${own?.message}`),
  };
}
