import { MergeRequestKey } from '../model';
import { namesCommit, splitImage } from './commit';
import { GeneratorUse } from './generator';
import { isMadeAfterwards } from './madeAfterwards';
import {
  keyString,
  LocatedApplication,
  LocatedMergeRequest,
  WorldIndex,
} from './worldIndex';

/** MR addresses and head commits, for Applications that no rule by name joins. */
export class EvidenceIndex {
  #byUrl: Map<string, MergeRequestKey> | undefined;
  #byHead: Map<string, MergeRequestKey[]> | undefined;

  constructor(private readonly index: WorldIndex) {}

  find(
    application: LocatedApplication,
    uses: GeneratorUse[],
  ): MergeRequestKey | undefined {
    return (
      this.#byAddress(application.fact) ?? this.#byCommit(application, uses)
    );
  }

  #byAddress({
    meta,
    info,
  }: LocatedApplication['fact']): MergeRequestKey | undefined {
    const texts = [
      ...Object.values(meta.annotations),
      ...info.map(({ value }) => value),
    ];
    const keys = new Map<string, MergeRequestKey>();
    for (const text of texts) {
      for (const address of text.match(
        /https?:\/\/\S{1,500}?\/-\/merge_requests\/\d{1,10}/g,
      ) ?? []) {
        const key = this.#addresses().get(address.toLowerCase());
        if (key) {
          keys.set(keyString(key), key);
        }
      }
    }
    return keys.size === 1 ? [...keys.values()][0] : undefined;
  }

  #addresses(): Map<string, MergeRequestKey> {
    if (!this.#byUrl) {
      this.#byUrl = new Map();
      for (const { host, project, reading } of this.index.mergeRequests()) {
        const base = this.index.gitlab.get(host)?.webUrl;
        const address = `${base}/${project.fact.path}/-/merge_requests/${reading.fact.key.iid}`;
        this.#byUrl.set(address.toLowerCase(), reading.fact.key);
      }
    }
    return this.#byUrl;
  }

  #byCommit(
    application: LocatedApplication,
    uses: GeneratorUse[],
  ): MergeRequestKey | undefined {
    const { fact } = application;
    // After a fast-forward merge other environments run the very same commit;
    // without a set behind it that is no sign of a preview.
    if (!fact.meta.owner) {
      return undefined;
    }
    const tags = fact.images.map(image => splitImage(image).tag);
    const revisions = fact.sources.map(source => source.targetRevision);
    const commits = [...tags, ...revisions].filter(
      (text): text is string =>
        text !== undefined && /^[0-9a-f]{7,40}$/i.test(text),
    );
    const keys = new Map<string, MergeRequestKey>();
    for (const commit of commits) {
      const prefix = commit.slice(0, 7).toLowerCase();
      for (const candidate of this.#heads().get(prefix) ?? []) {
        const located = this.index.mergeRequest(candidate);
        if (
          located &&
          namesCommit(commit, located.reading.fact.headSha) &&
          this.#fits(located, { application, uses })
        ) {
          keys.set(keyString(candidate), candidate);
        }
      }
    }
    return keys.size === 1 ? [...keys.values()][0] : undefined;
  }

  /** With a readable set its own projects count, without one only open MRs. */
  #fits(
    { host, project, reading }: LocatedMergeRequest,
    {
      application,
      uses,
    }: { application: LocatedApplication; uses: GeneratorUse[] },
  ): boolean {
    const { state } = reading.fact;
    return uses.length === 0
      ? state === 'opened' || state === 'locked'
      : this.index
          .usesOfProject(host, project.fact)
          .some(
            use =>
              uses.includes(use) &&
              !isMadeAfterwards(
                application,
                reading,
                use.set.requeueAfterSeconds,
              ),
          );
  }

  #heads(): Map<string, MergeRequestKey[]> {
    if (!this.#byHead) {
      this.#byHead = new Map();
      for (const { reading } of this.index.mergeRequests()) {
        const prefix = reading.fact.headSha?.slice(0, 7);
        if (prefix) {
          this.#byHead.set(prefix, [
            ...(this.#byHead.get(prefix) ?? []),
            reading.fact.key,
          ]);
        }
      }
    }
    return this.#byHead;
  }
}
