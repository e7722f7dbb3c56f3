import { Onboarding, type Environment } from './support/onboarding';
import { request } from './support/onboardingCases';

const DIGEST = `sha256:${'0a'.repeat(32)}`;

/** One rule of the chart, how to break it, and what it says then. */
interface Refusal {
  rule: string;
  environment: Environment;
  /** Values that are set besides those of the Application. */
  set?: string[];
  namespace?: string;
  message: string;
}

const refusals: Refusal[] = [
  {
    rule: 'a preview whose tag is a branch',
    environment: 'preview',
    set: ['image.tag=latest'],
    message:
      'image.tag "latest" names no commit: a preview runs the image that is tagged with its merge request\'s head, 8 hexadecimal characters',
  },
  {
    rule: 'a preview whose tag has seven characters',
    environment: 'preview',
    set: ['image.tag=1a2b3c4'],
    message: 'image.tag "1a2b3c4" names no commit',
  },
  {
    rule: 'a preview without a tag',
    environment: 'preview',
    set: ['image.tag='],
    message: 'image.tag "" names no commit',
  },
  {
    rule: 'a preview with the image of another environment',
    environment: 'preview',
    set: ['image.tag=dev-1a2b3c4d'],
    message: 'image.tag "dev-1a2b3c4d" names no commit',
  },
  {
    rule: 'dev with the image of prod',
    environment: 'dev',
    set: ['image.tag=prod-v1.4.0'],
    message:
      'image.tag "prod-v1.4.0" does not name the environment: tags of dev begin with "dev-"',
  },
  {
    rule: 'prod with a tag that only begins like its own',
    environment: 'prod',
    set: ['image.tag=production'],
    message:
      'image.tag "production" does not name the environment: tags of prod begin with "prod-"',
  },
  ...(['dev', 'prod'] as const).map(environment => ({
    rule: `${environment} without a digest`,
    environment,
    set: ['image.digest='],
    message:
      'image.digest is missing: outside previews an image is pinned by its digest, which the job previews-build reports',
  })),
  {
    rule: 'a digest that is none',
    environment: 'prod',
    set: ['image.digest=sha256:1a2b'],
    message:
      'image.digest "sha256:1a2b" is none: "sha256:" and 64 hexadecimal characters',
  },
  {
    rule: 'a host with a label that DNS does not allow',
    environment: 'prod',
    set: [`host=${'a'.repeat(64)}.example.com`],
    message: `host has the label "${'a'.repeat(
      64,
    )}" of 64 characters: DNS allows 63`,
  },
  {
    rule: 'a namespace that only its served half makes too long',
    environment: 'preview',
    namespace: `preview-mr-42-${'7'.repeat(45)}`,
    set: ['splitNamespaces=true'],
    message: 'has 64 characters: Kubernetes allows 63',
  },
  {
    rule: 'a service whose environments could be taken for previews',
    environment: 'dev',
    set: ['name=preview-mr-42'],
    message:
      'name "preview-mr-42" begins with "preview": its environments could be taken for previews',
  },
  {
    rule: 'a preview in the namespace of another merge request',
    environment: 'preview',
    namespace: 'preview-mr-42-8',
    message:
      'the namespace "preview-mr-42-8" is not "preview-mr-42-7": two previews could share it',
  },
  {
    rule: 'a preview in a namespace without the project, which two services would share',
    environment: 'preview',
    namespace: 'preview-mr-7',
    message: 'the namespace "preview-mr-7" is not "preview-mr-42-7"',
  },
  {
    rule: 'a preview at a host without the service, which two services would share',
    environment: 'preview',
    set: ['host=mr-7.preview.example.com'],
    message:
      'host "mr-7.preview.example.com" is not "shop-mr-7.preview.example.com": two previews could share it',
  },
  {
    rule: 'a preview at a host of two labels, which no wildcard covers',
    environment: 'preview',
    set: ['host=mr-7.shop.preview.example.com'],
    message: 'the wildcard covers one label',
  },
  {
    rule: 'a preview at the host of prod',
    environment: 'preview',
    set: ['host=shop.example.com'],
    message: 'host "shop.example.com" is not "shop-mr-7.preview.example.com"',
  },
  {
    rule: 'dev in the namespace of prod',
    environment: 'dev',
    namespace: 'shop-prod',
    message:
      'the namespace "shop-prod" is not "shop-dev": two environments could share it',
  },
  {
    rule: 'prod at the host of a preview',
    environment: 'prod',
    set: ['host=shop-mr-7.preview.example.com'],
    message:
      'host "shop-mr-7.preview.example.com" is under preview.example.com: a preview could take it',
  },
  {
    rule: 'a single pod outside previews',
    environment: 'prod',
    set: ['replicas=1'],
    message:
      'replicas is 1: outside previews two serve while a node is rebuilt',
  },
];

/** What the schema of the values refuses before a template is rendered. */
const schemaRefusals: Pick<Refusal, 'rule' | 'set' | 'message'>[] = [
  {
    rule: 'an environment that there is not',
    set: ['environment=staging'],
    message: "at '/environment': value must be one of 'preview', 'dev', 'prod'",
  },
  {
    rule: 'a value that is misspelt',
    set: ['image.tagg=1a2b3c4d'],
    message: "at '/image': additional properties 'tagg' not allowed",
  },
  {
    rule: 'a container that would run as root',
    set: ['runAsUser=0'],
    message: "at '/runAsUser': minimum: got 0, want 1",
  },
  {
    rule: 'a privileged port',
    set: ['port=80'],
    message: "at '/port': minimum: got 80, want 1,024",
  },
  {
    rule: 'a name that is no label of DNS',
    set: ['name=Shop_1'],
    message: "at '/name'",
  },
  {
    rule: 'a certificate of its own without an issuer',
    set: ['certificate.kind=perMergeRequest'],
    message: "missing property 'issuer'",
  },
  {
    rule: 'a database without its credentials',
    set: ['database.enabled=true'],
    message: "missing properties 'secretStore', 'remoteKey', 'clientImage'",
  },
];

describe('the chart refuses', () => {
  let onboarding: Onboarding;

  beforeAll(async () => {
    onboarding = await Onboarding.create(request);
  });

  afterAll(() => onboarding.remove());

  it.each(refusals)(
    '$rule, and says why',
    async ({ environment, set = [], namespace, message }) => {
      const application = onboarding.application(environment);
      if (namespace) {
        application.spec.destination.namespace = namespace;
      }
      const { code, output, error } = await onboarding.renderApplication(
        application,
        set.flatMap(assignment =>
          assignment.startsWith('splitNamespaces') ||
          assignment.startsWith('replicas')
            ? ['--set', assignment]
            : ['--set-string', assignment],
        ),
      );
      expect(error).toContain(message);
      expect({ code, output }).toEqual({ code: 1, output: '' });
      expect(error).toContain(`shop refuses to render ${environment}`);
    },
  );

  it.each(schemaRefusals)(
    '$rule, by the schema of its values',
    async ({ set = [], message }) => {
      const { code, output, error } = await onboarding.renderApplication(
        onboarding.application('preview'),
        set.flatMap(assignment => ['--set', assignment]),
      );
      expect(error).toContain(message);
      expect({ code, output }).toEqual({ code: 1, output: '' });
    },
  );

  it('everything that is wrong at once, not the first of it', async () => {
    const { error } = await onboarding.renderApplication(
      onboarding.application('prod'),
      ['--set-string', 'image.tag=latest', '--set-string', 'image.digest='],
    );
    expect(error).toContain('image.tag "latest"');
    expect(error).toContain('image.digest is missing');
  });

  it('nothing that a digest adds to a preview', async () => {
    const { code, output } = await onboarding.renderApplication(
      onboarding.application('preview'),
      ['--set-string', `image.digest=${DIGEST}`],
    );
    expect(code).toBe(0);
    expect(output).toContain(
      `registry.example.com/web/shop:12345678@${DIGEST}`,
    );
  });

  it('no tag of digits, nor one that reads like a number with an exponent', async () => {
    const application = onboarding.application('preview');
    for (const tag of ['00000000', '12345678', '1234e567', '0e000001']) {
      for (const parameter of application.spec.source.helm!.parameters!) {
        if (parameter.name === 'image.tag') {
          parameter.value = tag;
        }
      }
      const { code, output } = await onboarding.renderApplication(application);
      expect(code).toBe(0);
      expect(output).toContain(`registry.example.com/web/shop:${tag}`);
    }
  });
});
