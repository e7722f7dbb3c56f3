import { ObjectMeta } from '../model';
import { isTrackedBy, trackedForOf } from './tracking';

const application = { meta: { namespace: 'argocd', name: 'preview-mr-7' } };

function object(patch: Partial<ObjectMeta> = {}, trackingId?: string) {
  return {
    group: 'apps',
    kind: 'Deployment',
    meta: {
      cluster: 'main',
      namespace: 'preview-mr-7',
      name: 'shop',
      uid: 'u',
      labels: {},
      annotations: trackingId
        ? { 'argocd.argoproj.io/tracking-id': trackingId }
        : {},
      finalizers: [],
      ...patch,
    },
  };
}

const OWN = ':apps/Deployment:preview-mr-7/shop';

describe('isTrackedBy', () => {
  it.each<[string, ReturnType<typeof object>, boolean]>([
    ['its own tracking id', object({}, `preview-mr-7${OWN}`), true],
    [
      'the id of an Application outside the control plane',
      object({}, `argocd_preview-mr-7${OWN}`),
      true,
    ],
    ['the id of another Application', object({}, `preview-mr-77${OWN}`), false],
    [
      'the id of an Application of that name elsewhere',
      object({}, `team_preview-mr-7${OWN}`),
      false,
    ],
    [
      'an id copied from another object',
      object({}, 'preview-mr-7:apps/Deployment:preview-mr-7/web'),
      false,
    ],
    [
      'an id copied from another namespace',
      object({}, 'preview-mr-7:apps/Deployment:other/shop'),
      false,
    ],
    [
      'an id copied from another kind',
      object({}, 'preview-mr-7:apps/StatefulSet:preview-mr-7/shop'),
      false,
    ],
    [
      'a tracking id of another one though the instance label fits',
      object({
        labels: { 'app.kubernetes.io/instance': 'preview-mr-7' },
        annotations: {
          'argocd.argoproj.io/tracking-id': `another${OWN}`,
        },
      }),
      false,
    ],
    [
      'the instance label of the label modes',
      object({ labels: { 'app.kubernetes.io/instance': 'preview-mr-7' } }),
      true,
    ],
    [
      'the instance label of another Application',
      object({ labels: { 'app.kubernetes.io/instance': 'shop' } }),
      false,
    ],
    [
      'a cluster-scoped object, whose id carries the destination namespace',
      object(
        { namespace: undefined },
        'preview-mr-7:apps/Deployment:preview-mr-7/shop',
      ),
      true,
    ],
    ['an object without any sign', object(), false],
  ])('tells by %s', (_, tracked, expected) => {
    expect(isTrackedBy(tracked, application, {})).toBe(expected);
  });

  it('knows one name where the control plane’s namespace is known', () => {
    const options = { controlPlaneNamespace: 'argocd' };
    expect(
      isTrackedBy(object({}, `preview-mr-7${OWN}`), application, options),
    ).toBe(true);
    expect(
      isTrackedBy(
        object({}, `argocd_preview-mr-7${OWN}`),
        application,
        options,
      ),
    ).toBe(false);
  });

  it('tells underscores of names from the separator', () => {
    const tricky = { meta: { namespace: 'a', name: 'b' } };
    expect(isTrackedBy(object({}, `a_b_c${OWN}`), tricky, {})).toBe(false);
  });

  it('tracks core objects with an empty group', () => {
    const service = {
      ...object({}, 'preview-mr-7:/Service:preview-mr-7/shop'),
      group: '',
      kind: 'Service',
    };
    expect(isTrackedBy(service, application, {})).toBe(true);
  });
});

describe('trackedForOf', () => {
  it.each<[string, ReturnType<typeof object>, string | undefined]>([
    ['its tracking id', object({}, `preview-mr-7${OWN}`), 'preview-mr-7'],
    ['a qualified id', object({}, `team_shop${OWN}`), 'team_shop'],
    [
      'an id copied from another object',
      object({}, 'preview-mr-7:apps/Deployment:preview-mr-7/web'),
      undefined,
    ],
    [
      'its instance label',
      object({ labels: { 'app.kubernetes.io/instance': 'shop' } }),
      'shop',
    ],
    ['nothing', object(), undefined],
  ])('names an Application by %s', (_, tracked, expected) => {
    expect(trackedForOf(tracked)).toBe(expected);
  });
});
