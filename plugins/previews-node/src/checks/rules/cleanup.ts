import { AnyCheck, check, Found } from '../check';
import { CheckedObject, SetUp } from '../SetUp';
import { objectAt, objectsAt, textAt, valueAt } from '../values';

const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
const POLICY = 'helm.sh/resource-policy';
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

function keptBy({ object }: CheckedObject): string | undefined {
  const annotations = objectAt(object, 'metadata', 'annotations');
  if (textAt(annotations, POLICY) === 'keep') {
    return POLICY;
  }
  return textAt(annotations, SYNC_OPTIONS)
    .split(',')
    .some(option => /^\s*(?:Delete|Prune)=(?:false|confirm)\s*$/.test(option))
    ? SYNC_OPTIONS
    : undefined;
}

/** The class of a claim, if it retains volumes. */
function retainingClass(
  on: CheckedObject,
  claim: unknown,
  setUp: SetUp,
): string | undefined {
  const asked = valueAt(claim, ['spec', 'storageClassName']);
  const used = setUp
    .with(on, 'StorageClass')
    .find(({ name, object }) =>
      typeof asked === 'string'
        ? name === asked
        : textAt(object, 'metadata', 'annotations', DEFAULT_CLASS) === 'true',
    );
  return used && textAt(used.object, 'reclaimPolicy') === 'Retain'
    ? `StorageClass ${used.name}`
    : undefined;
}

function retained(setUp: SetUp): Found<'StorageRetained'>[] {
  const ofPreviews = (kind: string) =>
    setUp.ofKind(kind).filter(({ tier }) => tier === 'preview');
  const claims = ofPreviews('PersistentVolumeClaim').map(on => ({
    on,
    path: [],
    claim: on.object,
  }));
  const templates = ofPreviews('StatefulSet').flatMap(on =>
    objectsAt(on.object, 'spec', 'volumeClaimTemplates').map(
      ({ object, path }) => ({ on, path, claim: object }),
    ),
  );
  const byClass = [...claims, ...templates].flatMap(({ on, path, claim }) => {
    const storage = retainingClass(on, claim, setUp);
    return storage === undefined
      ? []
      : [
          {
            on,
            at: [...path, 'spec', 'storageClassName'],
            params: { storage },
          },
        ];
  });
  const volumes = setUp
    .ofKind('PersistentVolume')
    .filter(
      ({ object }) =>
        textAt(object, 'spec', 'persistentVolumeReclaimPolicy') === 'Retain' &&
        setUp.isOfPreview(textAt(object, 'spec', 'claimRef', 'namespace')),
    )
    .map(on => ({
      on,
      at: ['spec', 'persistentVolumeReclaimPolicy'],
      params: { storage: `PersistentVolume ${on.name}` },
    }));
  return [...byClass, ...volumes];
}

/** What outlives a preview. */
export const cleanupChecks: AnyCheck[] = [
  check('ResourceKept', setUp =>
    setUp.objects
      .filter(({ tier }) => tier === 'preview')
      .flatMap(on => {
        const annotation = keptBy(on);
        return annotation === undefined
          ? []
          : [
              {
                on,
                at: ['metadata', 'annotations', annotation],
                params: { annotation },
              },
            ];
      }),
  ),
  check('StorageRetained', retained),
];
