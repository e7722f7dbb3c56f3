import { FindingEvidence } from '@previews/backstage-plugin-previews-common';
import { StoredPreview } from '../../model';
import { Decision } from '../decide';
import { WorldIndex } from '../worldIndex';
import { DnsParts } from './DnsParts';
import { mergeRequestOfPreview } from './found';
import { namespaceContents } from './namespaceContents';
import { Readings } from './Readings';

/** What there is of previews, as evidence of a finding. */
export class PreviewParts {
  readonly #index: WorldIndex;
  readonly #readings: Readings;
  readonly #dns: DnsParts;

  constructor(options: {
    index: WorldIndex;
    decisions: ReadonlyMap<string, Decision>;
    readings: Readings;
  }) {
    this.#index = options.index;
    this.#readings = options.readings;
    this.#dns = new DnsParts(options);
  }

  /** With its MR's end first. */
  of(stored: StoredPreview): FindingEvidence[] {
    const { preview } = stored;
    const { id: previewId, applications, namespaces, mergeRequest } = preview;
    const { routes, certificates } = preview;
    const endedAt = mergeRequest.mergedAt ?? mergeRequest.closedAt;
    return [
      {
        ...mergeRequestOfPreview(preview),
        kind: 'MergeRequest',
        ...(endedAt && { since: endedAt }),
        previewId,
      },
      ...applications.map(({ cluster, namespace, name, createdAt }) => ({
        kind: 'Application' as const,
        cluster,
        namespace,
        name,
        ...(createdAt && { since: createdAt }),
        previewId,
      })),
      ...namespaces
        .filter(({ own }) => own)
        .map(place => this.#namespace(place, previewId)),
      ...[
        ...routes,
        ...certificates.map(one => ({ ...one, kind: 'Certificate' as const })),
      ].map(({ kind, cluster, namespace, name }) => ({
        kind,
        cluster,
        namespace,
        name,
        previewId,
      })),
      ...this.#dns.of(stored),
    ];
  }

  #namespace(
    { cluster, name }: { cluster: string; name: string },
    previewId: string,
  ): FindingEvidence {
    const { createdAt } =
      this.#index.clusters.get(cluster)?.kinds.namespaces.objects.get(name)
        ?.meta ?? {};
    const contents = namespaceContents(
      { cluster, name },
      { index: this.#index, readings: this.#readings },
    );
    return {
      kind: 'Namespace',
      cluster,
      name,
      ...(createdAt && { since: createdAt }),
      ...(contents !== undefined && { contents }),
      previewId,
    };
  }
}
