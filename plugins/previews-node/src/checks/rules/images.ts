import { AnyCheck, check, Found } from '../check';
import { ImageReference, isBuiltBy, isMutable, parseImage } from '../images';
import { Container, Workload, workloadsOf } from '../pods';
import { SetUp } from '../SetUp';
import { objectsAt, textAt } from '../values';

interface Use {
  workload: Workload;
  container: Container;
  image: ImageReference;
}

function usesOf(setUp: SetUp): Use[] {
  return workloadsOf(setUp).flatMap(workload =>
    [...workload.containers, ...workload.initContainers]
      // What is filled in later is checked when it is rendered.
      .filter(({ image }) => image !== '' && !/[{}$]/.test(image))
      .map(container => ({
        workload,
        container,
        image: parseImage(container.image),
      })),
  );
}

function foundAt({ workload, container }: Use) {
  return {
    on: workload.on,
    at: [...container.path, 'image'],
    params: { image: container.image },
  };
}

function ownUses(setUp: SetUp): Use[] {
  const { project } = setUp.context;
  return project === undefined
    ? []
    : usesOf(setUp).filter(({ image }) => isBuiltBy(image, project));
}

/** The tag of an overlay that says which image is run. */
function mutableOverlays(setUp: SetUp): Found<'ImageTagMutable'>[] {
  return setUp.ofKind('Kustomization').flatMap(on =>
    objectsAt(on.object, 'images')
      .filter(
        ({ object }) =>
          textAt(object, 'newTag') !== '' &&
          isMutable({
            name: '',
            tag: textAt(object, 'newTag'),
            digest: textAt(object, 'digest') || undefined,
          }),
      )
      .map(({ object, path }) => ({
        on,
        at: [...path, 'newTag'],
        params: {
          image: `${
            textAt(object, 'newName') || textAt(object, 'name')
          }:${textAt(object, 'newTag')}`,
        },
      })),
  );
}

/** Images that a Dockerfile builds on. */
function mutableBases({ files }: SetUp): Found<'ImageTagMutable'>[] {
  return files
    .filter(({ path }) => /(?:^|[/.])(?:Docker|Container)file$/i.test(path))
    .flatMap(on => {
      const stages = new Set(['scratch']);
      return on.lines.flatMap((line, index) => {
        const from =
          /^\s*FROM\s+(?:--\S+\s+){0,5}(\S+)(?:\s+AS\s+(\S+))?/i.exec(line);
        if (!from) {
          return [];
        }
        const [, image, stage] = from;
        const isStage = stages.has(image.toLowerCase());
        if (stage !== undefined) {
          stages.add(stage.toLowerCase());
        }
        return isStage || image.includes('$') || !isMutable(parseImage(image))
          ? []
          : [{ on, at: `line ${index + 1}`, value: image, params: { image } }];
      });
    });
}

/** Which image is run, and whether it stays the same. */
export const imageChecks: AnyCheck[] = [
  check('ImageTagMutable', setUp => [
    ...usesOf(setUp)
      .filter(({ image }) => isMutable(image))
      .map(foundAt),
    ...mutableOverlays(setUp),
    ...mutableBases(setUp),
  ]),
  check('ImageWithoutDigest', setUp =>
    usesOf(setUp)
      .filter(
        ({ image, workload: { on } }) =>
          on.tier !== undefined &&
          on.tier !== 'preview' &&
          image.digest === undefined &&
          !isMutable(image),
      )
      .map(foundAt),
  ),
  check('PreviewTagForeign', setUp =>
    ownUses(setUp)
      .filter(
        ({ image, workload: { on } }) =>
          on.tier === 'preview' &&
          !isMutable(image) &&
          image.tag !== undefined &&
          !/^[0-9a-f]{8}$/.test(image.tag),
      )
      .map(foundAt),
  ),
  check('EnvironmentTagForeign', setUp =>
    ownUses(setUp).flatMap(use => {
      const { tier, environment } = use.workload.on;
      const { tag } = use.image;
      if (
        tier === 'preview' ||
        environment === undefined ||
        tag === undefined ||
        isMutable(use.image) ||
        tag.split(/[^A-Za-z0-9]+/).includes(environment.name)
      ) {
        return [];
      }
      const { on, at, params } = foundAt(use);
      return [{ on, at, params: { ...params, environment: environment.name } }];
    }),
  ),
];
