import { InputError } from '@backstage/errors';
import { z } from 'zod/v3';

/** Environments besides previews. */
export type Tier = 'dev' | 'prod';

// `-mr-` and 13 digits of a merge request's number are left of the 63 characters of a DNS label.
const SERVICE_LENGTH = 45;
// Where Envoy Gateway runs the proxies of Gateways unless it is told otherwise.
const GATEWAY_PODS = 'envoy-gateway-system';
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const DURATION = /^P(?=\d|T)(\d+W|(\d+D)?(T\d+H)?)$/;

const label = z
  .string()
  .regex(
    /^[a-z]([a-z0-9-]*[a-z0-9])?$/,
    'begins with a small letter and has small letters, digits and dashes only',
  );
const name = label.max(63);
const domainName = z
  .string()
  .max(253)
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/,
    'is a domain such as example.com, in small letters',
  );
// What goes into commands and scripts: nothing that a shell would take for more than text.
const url = z
  .string()
  .regex(
    /^https:\/\/[A-Za-z0-9.-]+(:\d+)?(\/[A-Za-z0-9._~/-]*)?$/,
    'is an https URL without credentials and query',
  );
const gitLabUrl = z
  .string()
  .regex(
    /^https?:\/\/[A-Za-z0-9.-]+(:\d+)?(\/[A-Za-z0-9._~/-]*)?$/,
    'is an https URL without credentials and query',
  );
const projectPath = z
  .string()
  .regex(
    /^[A-Za-z0-9_][A-Za-z0-9_.-]*(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)+$/,
    'is the full path of a project, such as group/project',
  );
const imageName = z
  .string()
  .regex(
    /^[a-z0-9.-]+(:\d+)?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)+$/,
    'is an image with its registry, without tag and digest',
  );
const secretKey = z
  .string()
  .regex(/^[A-Za-z0-9_./-]+$/, 'has letters, digits and _ . / - only');
const gitRef = z
  .string()
  .regex(
    /^(?!.*(\.\.|\/\/|\.lock$))[A-Za-z0-9][A-Za-z0-9._/-]*$/,
    'is a name of Git for a branch or a tag',
  );

const NO_DAY = 'is a day such as 2027-01-31';

function isDay(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`);
  return (
    !Number.isNaN(time.getTime()) && time.toISOString().startsWith(`${text}T`)
  );
}
const cpu = z.string().regex(/^\d+m$|^\d+(\.\d+)?$/, 'is CPU such as 100m');
const memory = z
  .string()
  .regex(/^\d+(Ki|Mi|Gi)$/, 'is memory such as 256Mi or 1Gi');

const image = z
  .object({
    tag: z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/, 'is no tag'),
    digest: z
      .string()
      .regex(DIGEST, 'is "sha256:" and 64 hexadecimal characters'),
  })
  .strict();

const tier = z.object({ image, host: domainName.optional() }).strict();

/** An environment besides previews that the service gets at once. */
export type TierInput = z.output<typeof tier>;

/**
 * What onboarding asks. Texts end up in manifests, shell commands and Markdown; so each has a pattern
 * that leaves nothing to be escaped.
 */
export const onboardingInputSchema = z
  .object({
    service: label
      .max(SERVICE_LENGTH)
      .refine(
        text => !text.startsWith('preview'),
        'must not begin with "preview", as names of previews do',
      )
      .describe(
        'Name of the service: of its objects and the first label of its hosts',
      ),
    project: z
      .object({
        id: z.number().int().positive().describe('Numeric id of the project'),
        path: projectPath.describe('Full path of the project'),
      })
      .strict(),
    gitlabUrl: gitLabUrl.describe('Where GitLab is, without /api/v4'),
    gitops: z
      .object({
        repositoryUrl: gitLabUrl.describe('Repository that Argo CD reads'),
        project: projectPath.describe('The same as a path of GitLab'),
        branch: gitRef.default('main'),
      })
      .strict(),
    image: imageName.describe('Image that the pipeline of the service pushes'),
    domain: domainName.describe('Previews answer below preview.<domain>'),
    destination: z
      .union([
        z.object({ server: url }).strict(),
        z
          .object({ name: name.describe('As Argo CD calls the cluster') })
          .strict(),
      ])
      .default({ server: 'https://kubernetes.default.svc' }),
    argocdNamespace: name.default('argocd'),
    port: z.number().int().min(1024).max(65535).default(8080),
    healthPath: z
      .string()
      .regex(/^\/[A-Za-z0-9._~/-]*$/, 'is a path that begins with /')
      .default('/healthz'),
    resources: z
      .object({
        requests: z.object({ cpu, memory }).strict(),
        limits: z.object({ cpu: cpu.optional(), memory }).strict(),
      })
      .strict()
      .default({
        requests: { cpu: '50m', memory: '128Mi' },
        limits: { memory: '256Mi' },
      }),
    route: z
      .discriminatedUnion('kind', [
        z
          .object({ kind: z.literal('gateway'), name, namespace: name })
          .strict(),
        z.object({ kind: z.literal('ingress'), className: name }).strict(),
      ])
      .default({ kind: 'gateway', name: 'edge', namespace: 'edge' }),
    edgeNamespace: name
      .optional()
      .describe(
        `Namespace of the pods that forward requests to the service; with a Gateway ${GATEWAY_PODS} by default`,
      ),
    certificate: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('perMergeRequest'), issuer: name }).strict(),
        z
          .object({
            kind: z.literal('wildcard'),
            secret: name
              .optional()
              .describe(
                'Secret beside an Ingress; else the default of the edge',
              ),
          })
          .strict(),
      ])
      .default({ kind: 'wildcard' }),
    packaging: z.enum(['helm', 'kustomize']).default('helm'),
    label: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9:_. -]{0,62}$/, 'is no label of GitLab')
      .optional()
      .describe('Only merge requests with this label get a preview'),
    idleTtl: z
      .string()
      .regex(DURATION, 'is a duration such as P7D, P2W or PT12H')
      .or(z.literal('never'))
      .default('P7D'),
    pullSecret: name.optional().describe('Secret that pulls the image'),
    splitNamespaces: z.boolean().default(false),
    database: z
      .object({
        secretStore: name,
        remoteKey: secretKey,
        clientImage: z
          .string()
          .regex(
            /^[a-z0-9][a-z0-9./:_-]*@sha256:[0-9a-f]{64}$/,
            'is an image with psql, by its digest',
          ),
        migrateCommand: z.array(z.string().min(1)).optional(),
      })
      .strict()
      .optional(),
    token: z
      .object({
        secretStore: name,
        remoteKey: secretKey,
        property: secretKey.default('token'),
        expiresOn: z.string().refine(isDay, NO_DAY),
      })
      .strict()
      .describe('The read_api token of the pull request generator'),
    pipelines: z
      .enum(['mergeRequests', 'branches'])
      .default('mergeRequests')
      .describe('Which pipelines of the service build its image'),
    stage: label.default('build').describe('Stage of the jobs'),
    tiers: z
      .object({
        dev: tier.optional(),
        prod: tier
          .extend({
            revision: gitRef
              .optional()
              .describe('Tag of the GitOps repository; Helm only'),
          })
          .optional(),
      })
      .strict()
      .default({}),
  })
  .strict()
  .superRefine((input, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: z.ZodIssueCode.custom, path, message });
    if (input.packaging === 'kustomize') {
      if (input.splitNamespaces) {
        refuse(
          ['splitNamespaces'],
          'needs Helm: an overlay puts all objects into one namespace',
        );
      }
      if (input.database) {
        refuse(
          ['database'],
          'needs Helm: an overlay cannot name a database after its namespace',
        );
      }
    }
    if (input.route.kind === 'ingress' && input.edgeNamespace === undefined) {
      refuse(
        ['edgeNamespace'],
        'is missing: with an Ingress it is the namespace of the ingress controller’s pods, which the NetworkPolicy admits',
      );
    }
    if (
      input.route.kind === 'gateway' &&
      input.certificate.kind === 'wildcard' &&
      input.certificate.secret
    ) {
      refuse(
        ['certificate', 'secret'],
        'is for an Ingress: a Gateway has the wildcard on its own listener',
      );
    }
    if (
      input.splitNamespaces &&
      input.certificate.kind === 'wildcard' &&
      input.certificate.secret
    ) {
      refuse(
        ['certificate', 'secret'],
        'would put a Secret into the served namespace: let the edge have the wildcard as its default',
      );
    }
    for (const which of ['dev', 'prod'] as const) {
      const wanted = input.tiers[which];
      if (wanted && !wanted.image.tag.startsWith(`${which}-`)) {
        refuse(
          ['tiers', which, 'image', 'tag'],
          `does not name the environment: it begins with "${which}-"`,
        );
      }
      if (wanted?.host?.endsWith(`.preview.${input.domain}`)) {
        refuse(
          ['tiers', which, 'host'],
          `is under preview.${input.domain}: a preview could take it`,
        );
      }
    }
    const { prod } = input.tiers;
    if (prod && input.packaging === 'helm' && !prod.revision) {
      refuse(
        ['tiers', 'prod', 'revision'],
        'is missing: with Helm prod is pinned to a tag of the GitOps repository',
      );
    }
    if (prod?.revision && !prod.revision.startsWith(`${input.service}-v`)) {
      refuse(
        ['tiers', 'prod', 'revision'],
        `is not protected: tags of this service begin with "${input.service}-v"`,
      );
    }
    if (prod?.revision && input.packaging === 'kustomize') {
      refuse(
        ['tiers', 'prod', 'revision'],
        'is for Helm: with Kustomize the overlay’s newTag pins prod',
      );
    }
  })
  .transform(input => ({
    ...input,
    edgeNamespace: input.edgeNamespace ?? GATEWAY_PODS,
  }));

/** What a form or a caller hands in; what has a default may be left out. */
export type OnboardingRequest = z.input<typeof onboardingInputSchema>;

/** What is rendered: checked, with all defaults. */
export type OnboardingInput = z.output<typeof onboardingInputSchema>;

/** Addresses without TLS, but of a GitLab that is known to have none. */
function insecureProblems(
  input: OnboardingInput,
  insecureGitLabs: readonly string[],
): string[] {
  const isAllowed = (address: string) =>
    address.startsWith('https:') ||
    insecureGitLabs.some(
      base => address === base || address.startsWith(`${base}/`),
    );
  return [
    ['gitlabUrl', input.gitlabUrl],
    ['gitops.repositoryUrl', input.gitops.repositoryUrl],
  ]
    .filter(([, address]) => !isAllowed(address))
    .map(([key]) => `${key}: is an https URL without credentials and query`);
}

/** Why a token that GitLab takes no more on a day is of no use: it does so as the day begins, in UTC. */
function expiryProblem(expiresOn: string, now: Date): string | undefined {
  const end = Date.parse(`${expiresOn}T00:00:00Z`);
  return end > now.getTime()
    ? undefined
    : `${expiresOn} is no day to come, so the token has expired, and with it nothing would be generated and nothing deleted: renew it, and fill in its new day`;
}

function expiryProblems({ token }: OnboardingInput, now: Date): string[] {
  const problem = expiryProblem(token.expiresOn, now);
  return problem ? [`token.expiresOn: ${problem}`] : [];
}

/**
 * Refuses the day on which the generator's token expires, where that is known before the rest is.
 *
 * @throws InputError where it is no day of the calendar, or none to come
 */
export function refuseExpiredToken(options: {
  /** Such as 2027-01-31. */
  expiresOn: string;
  now: Date;
}): void {
  const { expiresOn, now } = options;
  const problem = isDay(expiresOn) ? expiryProblem(expiresOn, now) : NO_DAY;
  if (problem) {
    throw new InputError(
      `The service cannot be onboarded: token.expiresOn: ${problem}`,
    );
  }
}

/**
 * Checks what onboarding was asked for and fills in the defaults.
 *
 * @param options - `insecureGitLabs` are base URLs with `http:` that are good nevertheless, since
 * the portal itself is integrated with them; none by default. `now` is the time at which the
 * token must not have expired; without it any day of the calendar is taken
 * @throws InputError that names every field that is wrong, and why
 */
export function parseOnboardingInput(
  request: unknown,
  options: { insecureGitLabs?: readonly string[]; now?: Date } = {},
): OnboardingInput {
  const { insecureGitLabs = [], now } = options;
  const result = onboardingInputSchema.safeParse(request);
  const problems = result.success
    ? [
        ...insecureProblems(result.data, insecureGitLabs),
        ...(now ? expiryProblems(result.data, now) : []),
      ]
    : result.error.issues.map(
        ({ path, message }) => `${path.join('.') || 'input'}: ${message}`,
      );
  if (result.success && problems.length === 0) {
    return result.data;
  }
  // Not as its cause: the cause would say the same again, less plainly.
  throw new InputError(
    `The service cannot be onboarded: ${problems.join('; ')}`,
  );
}
