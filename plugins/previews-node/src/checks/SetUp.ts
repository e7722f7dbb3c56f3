import { CheckSubject } from '@previews/backstage-plugin-previews-common';
import { findPreviewSets, PreviewSet } from './previewSets';
import { matcherOf } from './templates';
import {
  CheckContext,
  CheckedEnvironment,
  CheckedManifest,
  CheckInput,
} from './types';
import { asObject, JsonObject, listAt, objectAt, textAt } from './values';

/** Most objects that are looked at. */
const MAXIMUM_OBJECTS = 20_000;

const MAXIMUM_FILE = 500_000;

/** An object, with what all checks ask of it. */
export interface CheckedObject {
  object: JsonObject;
  kind: string;
  group: string;
  name: string;
  namespace: string;
  /** Cluster; absent for what was read from a file. */
  cluster?: string;
  isFile: boolean;
  environment?: CheckedEnvironment;
  /** Absent where nobody can tell. */
  tier?: CheckedEnvironment['tier'];
  subject: CheckSubject;
}

/** A file, with its lines less their comments. */
export interface CheckedText {
  path: string;
  text: string;
  lines: readonly string[];
  subject: CheckSubject;
}

function unwrapped(manifest: CheckedManifest): CheckedManifest[] {
  const object = asObject(manifest.object);
  if (
    object &&
    /List$/.test(textAt(object, 'kind')) &&
    Array.isArray(object.items)
  ) {
    return listAt(object, 'items').map(item => ({ ...manifest, object: item }));
  }
  return [manifest];
}

function read(manifest: CheckedManifest): CheckedObject | undefined {
  const object = asObject(manifest.object);
  if (!object) {
    return undefined;
  }
  const { source, environment } = manifest;
  const kind = textAt(object, 'kind');
  const version = textAt(object, 'apiVersion');
  const name = textAt(object, 'metadata', 'name');
  const namespace = textAt(object, 'metadata', 'namespace');
  const isFile = 'path' in source;
  const subject =
    kind === '' && isFile
      ? { kind: 'File', name: source.path }
      : {
          kind: kind === '' ? 'Object' : kind,
          name,
          ...(namespace !== '' && { namespace }),
        };
  return {
    object,
    kind,
    group: version.includes('/') ? version.split('/')[0] : '',
    name,
    namespace,
    isFile,
    ...(!isFile && { cluster: source.cluster }),
    ...(environment && { environment }),
    subject: { ...subject, ...source },
  };
}

/** Objects are related only where they were read together. */
function areTogether(one: CheckedObject, other: CheckedObject): boolean {
  return (
    one.isFile === other.isFile &&
    one.cluster === other.cluster &&
    one.environment?.name === other.environment?.name
  );
}

/**
 * A set-up of previews as it is checked: its objects by kind, the sets that
 * generate previews, its files, and what is known beside.
 */
export class SetUp {
  readonly objects: readonly CheckedObject[];
  readonly files: readonly CheckedText[];
  readonly previewSets: readonly PreviewSet[];
  readonly context: CheckContext;
  readonly #byKind = new Map<string, CheckedObject[]>();
  /** What the namespaces of previews look like, by the sets. */
  readonly #namespaces: readonly RegExp[];

  static create(input: CheckInput): SetUp {
    return new SetUp(input);
  }

  private constructor(input: CheckInput) {
    this.context = input.context ?? {};
    this.objects = input.manifests
      .flatMap(unwrapped)
      .slice(0, MAXIMUM_OBJECTS)
      .map(manifest =>
        read({
          ...manifest,
          environment: manifest.environment ?? this.context.environment,
        }),
      )
      .filter(object => object !== undefined);
    for (const object of this.objects) {
      const others = this.#byKind.get(object.kind);
      if (others) {
        others.push(object);
      } else {
        this.#byKind.set(object.kind, [object]);
      }
    }
    this.files = (input.files ?? []).map(({ path, text }) => ({
      path,
      text,
      lines: text
        .slice(0, MAXIMUM_FILE)
        .split(/\r?\n/)
        .map(line => line.replace(/(?:^|\s)#.*$/, '')),
      subject: { kind: 'File', name: path, path },
    }));
    this.previewSets = this.ofKind('ApplicationSet').flatMap(findPreviewSets);
    this.#namespaces = this.previewSets
      .map(({ namespace }) => matcherOf(namespace))
      .filter(pattern => pattern !== undefined);
    this.#setTiers();
  }

  #setTiers() {
    for (const object of this.objects) {
      const ownNamespace: Record<string, string> = {
        Namespace: object.name,
        Application: textAt(object.object, 'spec', 'destination', 'namespace'),
      };
      const where = ownNamespace[object.kind] ?? object.namespace;
      object.tier =
        object.environment?.tier ??
        (this.isOfPreview(where) ? 'preview' : undefined);
    }
  }

  /** Whether a namespace is a preview's, by its name. */
  isOfPreview(namespace: string): boolean {
    return (
      /^preview-/.test(namespace) ||
      this.#namespaces.some(pattern => pattern.test(namespace))
    );
  }

  ofKind(...kinds: string[]): CheckedObject[] {
    return kinds.flatMap(kind => this.#byKind.get(kind) ?? []);
  }

  /** Objects of a kind in the same namespace, read together with another. */
  beside(other: CheckedObject, ...kinds: string[]): CheckedObject[] {
    return this.ofKind(...kinds).filter(
      object =>
        object.namespace === other.namespace && areTogether(object, other),
    );
  }

  /** Objects of a kind anywhere, read together with another. */
  with(other: CheckedObject, ...kinds: string[]): CheckedObject[] {
    return this.ofKind(...kinds).filter(object => areTogether(object, other));
  }

  /** Whether an object of this kind would be here, were there one. */
  wouldHave(kind: string, other: CheckedObject): boolean {
    return other.isFile || Boolean(this.context.completeKinds?.includes(kind));
  }

  /** Applications of previews whose set is not among the objects. */
  get loosePreviews(): CheckedObject[] {
    const sets = new Set(
      this.previewSets.map(
        ({ on }) => `${on.cluster} ${on.namespace} ${on.name}`,
      ),
    );
    return this.ofKind('Application').filter(application => {
      const owner = listAt(application.object, 'metadata', 'ownerReferences')
        .map(asObject)
        .find(reference => reference?.kind === 'ApplicationSet');
      const isKnown = sets.has(
        `${application.cluster} ${application.namespace} ${owner?.name}`,
      );
      const labels = objectAt(application.object, 'metadata', 'labels');
      return (
        !isKnown &&
        (application.tier === 'preview' ||
          Object.hasOwn(labels, 'previews/merge-request'))
      );
    });
  }
}
