import { parse } from 'yaml';
import type { Tree } from '../gitlab/trees';
import type { Pipeline, Project } from '../gitlab/model';
import type { GitLabEvent } from '../gitlab/state';
import type { Platform } from '../controllers/platform';

const SHORT_SHA_LENGTH = 8;
const SHORTER_SHA_LENGTH = 7;

/**
 * CI: each push gets a pipeline that goes through its states and, where it succeeds, pushes the
 * image tagged with `CI_COMMIT_SHORT_SHA`. A newer push to the branch cancels the older run.
 */
export class ContinuousIntegration {
  private readonly platform: Platform;
  private readonly cancels = new Map<Pipeline, () => void>();
  private readonly unsubscribe: () => void;

  constructor(platform: Platform) {
    this.platform = platform;
    this.unsubscribe = platform.gitlab.subscribe(event => {
      if (event.type === 'push') {
        this.start(event);
      }
    });
  }

  stop(): void {
    this.unsubscribe();
    [...this.cancels.values()].forEach(cancel => cancel());
  }

  private start(event: GitLabEvent & { type: 'push' }): void {
    const { gitlab, delays } = this.platform;
    const { project, branch, sha, user } = event;
    for (const pipeline of [...this.cancels.keys()]) {
      if (pipeline.projectId === project.id && pipeline.ref === branch) {
        this.cancels.get(pipeline)?.();
        gitlab.setPipelineStatus(pipeline, 'canceled');
      }
    }
    const pipeline = gitlab.addPipeline({ project, sha, ref: branch, user });
    this.later(pipeline, delays.pipelinePending, () => {
      gitlab.setPipelineStatus(pipeline, 'pending');
      this.later(pipeline, delays.pipelineStart, () => {
        gitlab.setPipelineStatus(pipeline, 'running');
        if (this.fault('pipeline', project, branch) === 'neverEnds') {
          return;
        }
        this.later(pipeline, delays.pipelineRun, () =>
          this.finish(project, pipeline),
        );
      });
    });
  }

  private finish(project: Project, pipeline: Pipeline): void {
    const { gitlab } = this.platform;
    if (this.fault('pipeline', project, pipeline.ref) === 'fails') {
      gitlab.setPipelineStatus(pipeline, 'failed');
      return;
    }
    const target = buildsImages(gitlab.filesAt(project, pipeline.sha))
      ? imageProject(this.platform, project)
      : undefined;
    const tagFault = this.fault('imageTag', project, pipeline.ref);
    if (target && tagFault !== 'never') {
      gitlab.pushTag({
        project: target.id,
        tag: pipeline.sha.slice(
          0,
          tagFault === 'sevenCharacters'
            ? SHORTER_SHA_LENGTH
            : SHORT_SHA_LENGTH,
        ),
      });
    }
    gitlab.setPipelineStatus(pipeline, 'success');
  }

  private fault<K extends 'pipeline' | 'imageTag'>(
    kind: K,
    project: Project,
    branch: string,
  ) {
    return this.platform.faults.find(
      kind,
      `${project.pathWithNamespace}@${branch}`,
      project.pathWithNamespace,
    );
  }

  private later(
    pipeline: Pipeline,
    milliseconds: number,
    action: () => void,
  ): void {
    const done = this.platform.activity.begin();
    const cancel = this.platform.clock.after(milliseconds, () => {
      this.cancels.delete(pipeline);
      if (this.platform.gitlab.findProject(pipeline.projectId)) {
        action();
      }
      done();
    });
    this.cancels.set(pipeline, () => {
      this.cancels.delete(pipeline);
      cancel();
      done();
    });
  }
}

const PIPELINE_FILE = '.gitlab-ci.yml';
const PREVIEWS_FILE = '.gitlab/previews.gitlab-ci.yml';

/**
 * Whether a pipeline builds an image: where the repository has a pipeline file, it has to include that
 * of previews; a repository without one is taken to have a pipeline that does.
 */
function buildsImages(files: Tree): boolean {
  const text = files.get(PIPELINE_FILE);
  if (text === undefined) {
    return true;
  }
  const { include } = (parse(text, { logLevel: 'silent' }) ?? {}) as {
    include?: unknown;
  };
  const entries = Array.isArray(include) ? include : [include];
  return (
    files.has(PREVIEWS_FILE) &&
    entries.some(entry => {
      const local =
        typeof entry === 'string'
          ? entry
          : (entry as { local?: string } | undefined)?.local;
      return local?.replace(/^\//, '') === PREVIEWS_FILE;
    })
  );
}

/** Pipelines of forks that are allowed to run in the parent push to the parent's registry. */
function imageProject(
  platform: Platform,
  project: Project,
): Project | undefined {
  return project.forkedFromId === undefined
    ? project
    : platform.gitlab.findProject(project.forkedFromId);
}
