import { writeKubeconfig } from '../kubernetes/kubeconfig';
import { startKubernetesServer, type KubernetesServer } from '../kubernetes';
import { startSimulator, type Simulator } from '../simulator';
import { Kubectl } from '../testing/kubectl';

jest.setTimeout(60_000);

const SPEED = 200;
const HOST = 'mr-1.checkout.preview.example.com';

describe('the certificate chain, as a real kubectl shows it', () => {
  let simulator: Simulator;
  let server: KubernetesServer;
  let kubectl: Kubectl;

  beforeAll(async () => {
    simulator = await startSimulator({ speed: SPEED });
    const service = simulator.scenario.addService({ name: 'checkout' });
    simulator.faults.platform.set('certificate', '*', 'accessDenied');
    const { iid } = simulator.control.openMergeRequest({
      project: service.project,
      sourceBranch: 'a',
      title: 'A',
      author: 'dev1',
    });
    await simulator.quiet();
    server = await startKubernetesServer({
      cluster: simulator.clusters[0].cluster,
      tokens: [{ token: 'admin', user: 'admin', groups: ['system:masters'] }],
    });
    kubectl = await Kubectl.create({
      kubeconfig: await writeKubeconfig({
        url: server.secureUrl,
        certificateAuthority: server.certificateAuthority,
        token: 'admin',
        namespace: `preview-mr-${service.projectId}-${iid}`,
      }),
    });
  });

  afterAll(async () => {
    await server.close();
    await simulator.stop();
  });

  const columns = async (...args: string[]) => {
    const { stdout, stderr, code } = await kubectl.run(args);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    return stdout
      .trimEnd()
      .split('\n')
      .map(line => line.trim().split(/\s{2,}/));
  };

  it.each([
    [
      'certificates',
      ['NAME', 'READY', 'SECRET', 'AGE'],
      ['checkout-tls', 'False', 'checkout-tls'],
    ],
    [
      'certificaterequests',
      ['NAME', 'APPROVED', 'DENIED', 'READY', 'ISSUER', 'REQUESTER', 'AGE'],
      [
        'checkout-tls-1',
        'True',
        'False',
        'letsencrypt',
        'system:serviceaccount:cert-manager:cert-manager',
      ],
    ],
    ['orders', ['NAME', 'STATE', 'AGE'], ['pending']],
    ['challenges', ['NAME', 'STATE', 'DOMAIN', 'AGE'], ['pending', HOST]],
    ['clusterissuers', ['NAME', 'READY', 'AGE'], ['letsencrypt', 'True']],
  ])('lists %s', async (kind, header, row) => {
    const [head, first] = await columns('get', kind);
    expect(head).toEqual(header);
    expect(first).toEqual(expect.arrayContaining(row));
  });

  it('selects the Events of a kind', async () => {
    const [head, ...rows] = await columns(
      'get',
      'events',
      '--field-selector',
      'involvedObject.kind=Challenge,reason=PresentError',
    );
    expect(head).toEqual(['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE']);
    expect(rows.length).toBeGreaterThan(0);
    rows.forEach(row =>
      expect(row).toEqual(
        expect.arrayContaining([
          'Warning',
          'PresentError',
          expect.stringMatching(/^Error presenting challenge: .*AccessDenied/),
        ]),
      ),
    );
  });

  it('describes a Challenge with its reason, and the Events that say more', async () => {
    const { stdout } = await kubectl.run(['describe', 'challenges']);
    expect(stdout).toMatch(/Reason: +failed to change Route 53 record set/);
    expect(stdout).toContain('<redacted AWS SDK error');
    expect(stdout).toMatch(/Started .*cert-manager-challenges/);
    expect(stdout).toMatch(/PresentError .*cert-manager-challenges/);
  });
});
