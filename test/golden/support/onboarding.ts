import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { runClusterTool } from '../../support/clusterTools';
import { mergeRequest } from './onboardingCases';
import { readSkeleton } from './readSkeleton';
import {
  parseOnboardingInput,
  renderOnboarding,
  type OnboardingInput,
  type OnboardingRequest,
  type RenderedFile,
} from './render';

/** An object of Kubernetes, as far as tests look into it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    finalizers?: string[];
  };
  [key: string]: any;
}

export type Environment = 'preview' | 'dev' | 'prod';

/** An Application as Argo CD has it, before or after its set has made it. */
export interface ApplicationManifest extends Manifest {
  spec: {
    project: string;
    source: {
      repoURL: string;
      targetRevision: string;
      path: string;
      helm?: {
        valueFiles: string[];
        parameters?: { name: string; value: string; forceString?: boolean }[];
      };
      kustomize?: {
        namespace: string;
        images: string[];
        commonLabels: Record<string, string>;
        patches: object[];
      };
    };
    destination: { server?: string; name?: string; namespace: string };
    syncPolicy: { automated: object; syncOptions?: string[] };
  };
}

/** The objects of a text with documents of YAML. */
export function manifestsOf(text: string): Manifest[] {
  return parseAllDocuments(text, { logLevel: 'error' }).flatMap(document => {
    if (document.errors.length > 0) {
      throw document.errors[0];
    }
    const value = document.toJS() as Manifest | null;
    return value ? [value] : [];
  });
}

/** What Helm said, whether it rendered or refused. */
export interface RenderResult {
  code: number;
  output: string;
  error: string;
}

/** A service that has been onboarded: its files, on disk for the tools. */
export class Onboarding {
  readonly input: OnboardingInput;
  readonly files: RenderedFile[];
  readonly folder: string;
  readonly #rendered = new Map<Environment, Promise<RenderResult>>();

  private constructor(options: {
    input: OnboardingInput;
    files: RenderedFile[];
    folder: string;
  }) {
    this.input = options.input;
    this.files = options.files;
    this.folder = options.folder;
  }

  static async create(request: OnboardingRequest): Promise<Onboarding> {
    const input = parseOnboardingInput(request);
    const files = renderOnboarding({ input, skeleton: readSkeleton() });
    const folder = await mkdtemp(join(tmpdir(), 'previews-golden-'));
    for (const { repository, path, content } of files) {
      const target = join(folder, repository, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
    }
    return new Onboarding({ input, files, folder });
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  read(
    path: string,
    repository: RenderedFile['repository'] = 'gitops',
  ): string {
    const file = this.files.find(
      candidate =>
        candidate.path === path && candidate.repository === repository,
    );
    if (!file) {
      throw new Error(`No ${path} was rendered`);
    }
    return file.content;
  }

  /** What Argo CD reads, all objects of the folder. */
  argocdManifests(): Manifest[] {
    return this.files
      .filter(({ path }) => /^argocd\/.*\.yaml$/.test(path))
      .flatMap(({ content }) => manifestsOf(content));
  }

  /** The Application of an environment; that of a preview as its set generates it. */
  application(environment: Environment): ApplicationManifest {
    if (environment !== 'preview') {
      return parse(
        this.read(
          `argocd/${this.input.service}/application-${environment}.yaml`,
        ),
      );
    }
    const set = this.argocdManifests().find(
      ({ kind }) => kind === 'ApplicationSet',
    )!;
    const template = JSON.stringify(set.spec.template).replace(
      /\{\{ \.(\w+) \}\}/g,
      (_, name: keyof typeof mergeRequest) => {
        if (!(name in mergeRequest)) {
          throw new Error(`map has no entry for key "${name}"`);
        }
        return mergeRequest[name];
      },
    );
    return {
      apiVersion: set.apiVersion,
      kind: 'Application',
      ...JSON.parse(template),
    };
  }

  /** Renders an environment with the real tool, by what its Application says; once. */
  async render(environment: Environment): Promise<RenderResult> {
    let rendered = this.#rendered.get(environment);
    if (!rendered) {
      rendered = this.renderApplication(this.application(environment));
      this.#rendered.set(environment, rendered);
    }
    return rendered;
  }

  /** Renders an Application with the real tool, and with arguments that change the outcome. */
  async renderApplication(
    application: ApplicationManifest,
    extra: string[] = [],
  ): Promise<RenderResult> {
    const result = application.spec.source.helm
      ? await this.helm(['template', application.metadata.name], {
          application,
          extra,
        })
      : await this.kustomize(application);
    return { code: result.code, output: result.stdout, error: result.stderr };
  }

  /** `helm lint` with the values of an environment; warnings count. */
  async lint(environment: Environment) {
    return this.helm(['lint', '--strict'], {
      application: this.application(environment),
    });
  }

  private async helm(
    command: string[],
    options: { application: ApplicationManifest; extra?: string[] },
  ) {
    const { source, destination } = options.application.spec;
    const chart = join(this.folder, 'gitops', source.path);
    return runClusterTool('helm', [
      ...command,
      chart,
      '--namespace',
      destination.namespace,
      ...source.helm!.valueFiles.flatMap(file => [
        '--values',
        join(chart, file),
      ]),
      ...(source.helm!.parameters ?? []).flatMap(parameter => [
        parameter.forceString ? '--set-string' : '--set',
        `${parameter.name}=${parameter.value}`,
      ]),
      ...(options.extra ?? []),
    ]);
  }

  /** Does to a copy of the overlay what Argo CD does to it, then builds it. */
  private async kustomize(application: ApplicationManifest) {
    const { source } = application.spec;
    const overlay = join(this.folder, 'gitops', source.path);
    if (source.kustomize) {
      const { namespace, images, commonLabels, patches } = source.kustomize;
      const file = `${source.path}/kustomization.yaml`;
      const kustomization = parse(this.read(file));
      await writeFile(
        join(this.folder, 'gitops', file),
        stringify({
          ...kustomization,
          namespace,
          images: images.map(image => {
            const at = image.lastIndexOf(':');
            return { name: image.slice(0, at), newTag: image.slice(at + 1) };
          }),
          labels: [...kustomization.labels, { pairs: commonLabels }],
          patches,
        }),
      );
    }
    return runClusterTool('kubectl', ['kustomize', overlay]);
  }
}
