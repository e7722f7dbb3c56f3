// The cluster of the simulator by itself, without what runs in it, is no public part of the package.
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import {
  Cluster,
  startKubernetesServer,
  writeKubeconfig,
} from 'simulator/src/kubernetes';
// eslint-disable-next-line @backstage/no-forbidden-package-imports
import { Kubectl } from 'simulator/src/testing/kubectl';
import { createRandom, createRealClock } from 'simulator';
import { Onboarding, type Environment } from './support/onboarding';
import { referenceCases } from './support/onboardingCases';

jest.setTimeout(60_000);

describe.each(Object.entries(referenceCases))('%s', (_, { request }) => {
  const clock = createRealClock({ speed: 10 });
  let onboarding: Onboarding;
  let close: () => Promise<void>;
  let kubectl: Kubectl;

  beforeAll(async () => {
    onboarding = await Onboarding.create(request);
    const cluster = new Cluster({
      name: 'applied',
      clock,
      random: createRandom('apply'),
    });
    cluster.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'argocd' },
    });
    const server = await startKubernetesServer({
      cluster,
      tokens: [
        { token: 'admin-token', user: 'admin', groups: ['system:masters'] },
      ],
    });
    close = () => server.close();
    kubectl = await Kubectl.create({
      kubeconfig: await writeKubeconfig({
        url: server.secureUrl,
        certificateAuthority: server.certificateAuthority,
        token: 'admin-token',
        namespace: 'default',
      }),
    });
  });

  afterAll(async () => {
    await close();
    clock.stop();
    await onboarding.remove();
  });

  it('is accepted by a real kubectl, and applying it again changes nothing', async () => {
    const texts = onboarding.files
      .filter(({ path }) => /^argocd\/.*\.yaml$/.test(path))
      // Namespaces first, as their wave has it.
      .sort(
        (one, other) =>
          Number(other.path.endsWith('namespaces.yaml')) -
          Number(one.path.endsWith('namespaces.yaml')),
      )
      .map(({ content }) => content);
    for (const environment of ['preview', 'dev', 'prod'] as Environment[]) {
      texts.push((await onboarding.render(environment)).output);
    }
    for (const input of texts) {
      const { code, stderr } = await kubectl.run(['apply', '-f', '-'], {
        input,
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    }
    for (const input of texts) {
      const { stdout } = await kubectl.run(['apply', '-f', '-'], { input });
      // kubectl replaces the selector of a budget each time, equal or not.
      const changed = stdout
        .trim()
        .split('\n')
        .filter(line => !/ unchanged$|^poddisruptionbudget\.policy/.test(line));
      expect(changed).toEqual([]);
    }
  });
});
