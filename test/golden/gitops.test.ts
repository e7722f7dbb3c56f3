// What the portal understands of a set is no public part of the package.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import { commitExpressions } from '@previews/backstage-plugin-previews-backend/src/reconcile/commit';
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import { usesOf } from '@previews/backstage-plugin-previews-backend/src/reconcile/generator';
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import { parseApplicationSet } from '@previews/backstage-plugin-previews-backend/src/sources/objects';
import { execFileSync } from 'node:child_process';
import {
  manifestsOf,
  Onboarding,
  type Environment,
  type Manifest,
} from './support/onboarding';
import { onboardingCases, request } from './support/onboardingCases';
import { onboardingNames, type OnboardingRequest } from './support/render';

const kustomize: OnboardingRequest = onboardingCases.find(
  ({ name }) => name === 'kustomize gateway wildcard',
)!.request;

async function onboarded(
  changes: Partial<OnboardingRequest> = {},
  base = request,
): Promise<Onboarding> {
  const onboarding = await Onboarding.create({ ...base, ...changes });
  await onboarding.remove();
  return onboarding;
}

function named(onboarding: Onboarding, kind: string, name: string): Manifest {
  return onboarding
    .argocdManifests()
    .find(object => object.kind === kind && object.metadata.name === name)!;
}

/** Whether a destination of an AppProject admits a namespace, by Argo CD's pattern. */
function admits(project: Manifest, namespace: string): boolean {
  return project.spec.destinations.some((destination: { namespace: string }) =>
    new RegExp(`^${destination.namespace.split('*').join('.*')}$`).test(
      namespace,
    ),
  );
}

describe('the ApplicationSet', () => {
  it('generates by the number of the project, for open merge requests, and polls each minute', async () => {
    const set = named(await onboarded(), 'ApplicationSet', 'previews-shop');
    expect(set.spec.goTemplateOptions).toEqual(['missingkey=error']);
    expect(set.spec.generators).toEqual([
      {
        pullRequest: {
          requeueAfterSeconds: 60,
          gitlab: {
            api: 'https://gitlab.example.com',
            project: '42',
            pullRequestState: 'opened',
            tokenRef: { secretName: 'previews-shop-gitlab', key: 'token' },
          },
        },
      },
    ]);
  });

  it('asks for the label that the form named', async () => {
    const set = named(
      await onboarded({ label: 'preview' }),
      'ApplicationSet',
      'previews-shop',
    );
    expect(set.spec.generators[0].pullRequest.gitlab.labels).toEqual([
      'preview',
    ]);
  });

  it.each([
    ['Helm', request],
    ['Kustomize', kustomize],
  ])(
    'makes with %s an Application that takes all along when it goes, and that no other can be',
    async (_, base) => {
      const application = (await onboarded({}, base)).application('preview');
      expect(application.metadata).toEqual({
        name: 'preview-mr-42-7',
        labels: { 'previews/project-id': '42', 'previews/merge-request': '7' },
        finalizers: ['resources-finalizer.argocd.argoproj.io'],
      });
      expect(application.spec.destination).toEqual({
        server: 'https://kubernetes.default.svc',
        namespace: 'preview-mr-42-7',
      });
      expect(application.spec.syncPolicy.automated).toEqual({
        prune: true,
        selfHeal: true,
      });
    },
  );

  it.each(onboardingCases)(
    'never lets Argo CD create a namespace that it does not track: $name',
    async ({ request: chosen }) => {
      const { files } = await onboarded({}, chosen);
      for (const { content } of files) {
        expect(content).not.toMatch(/^\s*- ['"]?CreateNamespace=true/m);
      }
    },
  );

  it.each([
    ['Helm', request],
    ['Kustomize', kustomize],
  ])(
    'is understood by the portal with %s: whose merge requests, and which tag it expects',
    async (_, base) => {
      const onboarding = await onboarded({}, base);
      const set = parseApplicationSet(
        named(onboarding, 'ApplicationSet', 'previews-shop'),
        { cluster: 'cluster' },
      )!;
      const [use, ...others] = usesOf(
        'cluster',
        set,
        host => host === 'gitlab.example.com',
      );
      expect(others).toEqual([]);
      expect(use.project).toEqual({ kind: 'id', id: 42 });
      expect(commitExpressions(use)).toEqual([
        expect.objectContaining({ kind: 'tag', parameter: 'head_short_sha' }),
      ]);
    },
  );
});

describe('the AppProjects', () => {
  it('let previews into namespaces of their own project only', async () => {
    const project = named(await onboarded(), 'AppProject', 'previews-shop');
    expect(admits(project, 'preview-mr-42-7')).toBe(true);
    for (const foreign of [
      'preview-mr-421-7',
      'preview-mr-4-27',
      'shop-dev',
      'shop-prod',
      'argocd',
      'kube-system',
    ]) {
      expect(admits(project, foreign)).toBe(false);
    }
    expect(project.spec.sourceRepos).toEqual([
      'https://gitlab.example.com/platform/gitops.git',
    ]);
    expect(project.spec.clusterResourceWhitelist).toEqual([
      { group: '', kind: 'Namespace' },
    ]);
  });

  it('let no tier into a preview, nor into anything of the cluster', async () => {
    const project = named(await onboarded(), 'AppProject', 'shop');
    expect(admits(project, 'shop-prod')).toBe(true);
    expect(admits(project, 'preview-mr-42-7')).toBe(false);
    expect(project.spec.clusterResourceWhitelist).toEqual([]);
  });

  it('permit nobody to render a Secret, a Role or a kind that no choice needs', async () => {
    for (const { request: chosen } of onboardingCases) {
      const permitted = (await onboarded({}, chosen))
        .argocdManifests()
        .filter(({ kind }) => kind === 'AppProject')
        .flatMap(({ spec }) => spec.namespaceResourceWhitelist)
        .map(({ kind }: { kind: string }) => kind);
      expect(permitted).not.toContain('Secret');
      expect(permitted).not.toContain('*');
      expect(permitted).not.toContain('Role');
      expect(permitted.includes('Job')).toBe(chosen.database !== undefined);
      expect(permitted.includes('Ingress')).toBe(
        chosen.route?.kind === 'ingress',
      );
    }
  });

  it('name the cluster as the form did', async () => {
    const onboarding = await onboarded({ destination: { name: 'staging' } });
    expect(
      onboarding
        .argocdManifests()
        .filter(({ kind }) => kind === 'AppProject')
        .flatMap(({ spec }) => spec.destinations)
        .map(({ name, server }) => ({ name, server })),
    ).toEqual(Array(3).fill({ name: 'staging', server: undefined }));
    expect(onboarding.application('preview').spec.destination).toEqual({
      name: 'staging',
      namespace: 'preview-mr-42-7',
    });
  });
});

describe('the Applications of tiers', () => {
  it('let dev follow main, and pin prod to a tag that one line changes', async () => {
    const onboarding = await onboarded();
    expect(onboarding.application('dev').spec.source.targetRevision).toBe(
      'main',
    );
    expect(onboarding.application('prod').spec.source.targetRevision).toBe(
      'shop-v1.4.0',
    );
    const next = await onboarded({
      tiers: {
        ...request.tiers,
        prod: { ...request.tiers!.prod!, revision: 'shop-v1.5.0' },
      },
    });
    expect(changedLines(onboarding, next)).toEqual([
      '    targetRevision: shop-v1.5.0',
    ]);
  });

  it('promote with Kustomize by one line as well, with tag and digest', async () => {
    const digest = `sha256:${'5a'.repeat(32)}`;
    const next = await onboarded(
      {
        tiers: {
          ...kustomize.tiers,
          prod: { image: { tag: 'prod-v1.5.0', digest } },
        },
      },
      kustomize,
    );
    expect(changedLines(await onboarded({}, kustomize), next)).toEqual([
      `    newTag: prod-v1.5.0@${digest}`,
    ]);
  });

  it.each([
    ['Helm', request],
    ['Kustomize', kustomize],
  ])(
    'point with %s at what was written, in the repository that their project permits',
    async (_, base) => {
      const onboarding = await onboarded({}, base);
      for (const environment of ['preview', 'dev', 'prod'] as Environment[]) {
        const { source, project, destination } =
          onboarding.application(environment).spec;
        const files = onboarding.files.filter(
          ({ repository, path }) =>
            repository === 'gitops' && path.startsWith(`${source.path}/`),
        );
        const wanted = source.helm
          ? ['Chart.yaml', ...source.helm.valueFiles]
          : ['kustomization.yaml'];
        expect(files.map(({ path }) => path)).toEqual(
          expect.arrayContaining(wanted.map(file => `${source.path}/${file}`)),
        );
        const appProject = named(onboarding, 'AppProject', project);
        expect(appProject.spec.sourceRepos).toContain(source.repoURL);
        expect(admits(appProject, destination.namespace)).toBe(true);
      }
    },
  );

  it('are not written for a tier without a first image, which its chart would refuse', async () => {
    const onboarding = await onboarded({ tiers: {} });
    expect(onboarding.argocdManifests().map(({ kind }) => kind)).toEqual([
      'AppProject',
      'AppProject',
      'ApplicationSet',
      'ExternalSecret',
    ]);
    expect(
      onboarding.files.filter(({ path }) => /-(dev|prod)\.yaml$/.test(path)),
    ).toEqual([]);
  });

  it('have namespaces that a mistaken deletion does not take along', async () => {
    const namespace = named(await onboarded(), 'Namespace', 'shop-prod');
    expect(
      namespace.metadata.annotations!['argocd.argoproj.io/sync-options'],
    ).toBe('Prune=false,Delete=false');
  });
});

describe('the token of the generator', () => {
  it('comes from the secret store, with the day it expires, and is in no file', async () => {
    const secret = named(
      await onboarded(),
      'ExternalSecret',
      'previews-shop-gitlab',
    );
    expect(secret.metadata.annotations).toEqual({
      'argocd.argoproj.io/sync-wave': '-1',
      'previews/token-expires-on': '2027-03-01',
    });
    expect(secret.spec).toMatchObject({
      secretStoreRef: { kind: 'ClusterSecretStore', name: 'platform' },
      data: [
        {
          secretKey: 'token',
          remoteRef: { key: 'gitlab/previews', property: 'token' },
        },
      ],
    });
  });
});

describe('the database', () => {
  it('is provisioned on each sync after its Secret and before the workload, and may be connected to', async () => {
    const { request: chosen } = onboardingCases.find(
      ({ name }) => name === 'helm gateway wildcard database',
    )!;
    const onboarding = await Onboarding.create(chosen);
    const objects = manifestsOf((await onboarding.render('prod')).output);
    await onboarding.remove();
    const waveOf = (kind: string) =>
      Number(
        objects.find(object => object.kind === kind)!.metadata.annotations?.[
          'argocd.argoproj.io/sync-wave'
        ] ?? 0,
      );
    const job = objects.find(({ kind }) => kind === 'Job')!;
    expect(waveOf('ExternalSecret')).toBeLessThan(waveOf('Job'));
    expect(waveOf('Job')).toBeLessThan(waveOf('Deployment'));
    expect(job.metadata.annotations).toMatchObject({
      'argocd.argoproj.io/hook': 'Sync',
      'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
    });
    const [provision] = job.spec.template.spec.initContainers;
    expect(provision.args[0]).toContain('GRANT CONNECT ON DATABASE');
    expect(() =>
      execFileSync('sh', ['-n'], { input: provision.args[0] }),
    ).not.toThrow();
    // Only a preview drops its database; those of tiers are nobody's to drop.
    expect(objects.filter(({ kind }) => kind === 'Job')).toHaveLength(1);
  });

  it('of a preview goes with it', async () => {
    const { request: chosen } = onboardingCases.find(
      ({ name }) => name === 'helm gateway wildcard database',
    )!;
    const onboarding = await Onboarding.create(chosen);
    const objects = manifestsOf((await onboarding.render('preview')).output);
    await onboarding.remove();
    const drop = objects.find(({ metadata }) => metadata.name === 'shop-drop')!;
    expect(drop.metadata.annotations).toMatchObject({
      'argocd.argoproj.io/hook': 'PreDelete',
    });
    expect(drop.spec.template.spec.containers[0].env[0]).toEqual({
      name: 'NAME',
      value: 'preview_mr_42_7',
    });
  });
});

describe('a served namespace', () => {
  const split = onboardingCases.filter(
    ({ request: chosen }) => chosen.splitNamespaces,
  );

  it.each(split)(
    'has no workload and no Secret, and leads over to the workload: $name',
    async ({ request: chosen }) => {
      const onboarding = await Onboarding.create(chosen);
      const objects = manifestsOf((await onboarding.render('preview')).output);
      await onboarding.remove();
      const served = objects.filter(
        ({ metadata }) => metadata.namespace === 'preview-mr-42-7-edge',
      );
      const kinds = served.map(({ kind }) => kind);
      expect(kinds).not.toEqual(expect.arrayContaining(['Deployment']));
      expect(kinds).not.toEqual(expect.arrayContaining(['ExternalSecret']));
      const gateway = chosen.route?.kind === 'gateway';
      const way = gateway
        ? objects.find(({ kind }) => kind === 'ReferenceGrant')!
        : served.find(({ kind }) => kind === 'Service')!;
      expect(way.spec).toMatchObject(
        gateway
          ? {
              from: [{ kind: 'HTTPRoute', namespace: 'preview-mr-42-7-edge' }],
              to: [{ kind: 'Service', name: 'shop' }],
            }
          : {
              type: 'ExternalName',
              externalName: 'shop.preview-mr-42-7.svc.cluster.local',
            },
      );
      const labelled = objects
        .filter(({ kind }) => kind === 'Namespace')
        .filter(({ metadata }) => metadata.labels?.['previews/served'])
        .map(({ metadata }) => metadata.name);
      expect(labelled).toEqual(['preview-mr-42-7-edge']);
    },
  );
});

describe('the checklist', () => {
  it.each(onboardingCases)(
    'has commands that a shell understands: $name',
    async ({ request: chosen }) => {
      const text = (await onboarded({}, chosen)).read(
        'services/shop/checklist.md',
      );
      const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)];
      expect(blocks.length).toBeGreaterThanOrEqual(5);
      for (const [, block] of blocks) {
        expect(() =>
          execFileSync('sh', ['-n'], { input: block }),
        ).not.toThrow();
      }
      expect(text).not.toMatch(/undefined|\[object|\{\{/);
    },
  );

  it('covers what the portal has no rights for', async () => {
    const text = (
      await onboarded({
        certificate: { kind: 'perMergeRequest', issuer: 'letsencrypt-dns01' },
        pullSecret: 'registry',
      })
    ).read('services/shop/checklist.md');
    for (const needed of [
      '2027-03-01',
      'personal_access_tokens/self',
      'merge_requests_events',
      'pipeline_events',
      'push_access_level=0',
      'merge_access_level=40',
      "'name=v*'",
      "'name=shop-v*'",
      'get clusterissuer letsencrypt-dns01',
      'clusterexternalsecret registry',
      'allowedListeners',
    ]) {
      expect(text).toContain(needed);
    }
  });
});

it('two services can have no name in common', async () => {
  const [first, second] = await Promise.all([
    onboarded(),
    onboarded({
      service: 'cart',
      project: { id: 43, path: 'web/cart' },
      tiers: {},
    }),
  ]);
  const allNames = ({ input }: Onboarding) => {
    const names = onboardingNames(input);
    return [
      names.applicationSet,
      names.preview,
      names.previewHost,
      names.folder,
      names.argocdFolder,
      names.tokenSecret,
      names.tierNamespace('dev'),
      names.tierHost('prod'),
    ];
  };
  expect(
    allNames(first).filter(name => allNames(second).includes(name)),
  ).toEqual([]);
});

it('the same form gives the same files', async () => {
  expect((await onboarded()).files).toEqual((await onboarded()).files);
});

/** Lines of the second that are not in the first, over all files. */
function changedLines(first: Onboarding, second: Onboarding): string[] {
  return second.files.flatMap(({ repository, path, content }) => {
    const before = first.read(path, repository).split('\n');
    return content.split('\n').filter((line, at) => line !== before[at]);
  });
}
