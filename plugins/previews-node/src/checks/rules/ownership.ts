import { AnyCheck, check } from '../check';
import { objectAt, objectsAt, textAt } from '../values';

const TERRAFORM = /terraform|opentofu|\btofu\b|hashicorp/i;
const ARGO_CD = /argocd/i;
const TRACKING = 'argocd.argoproj.io/tracking-id';

/** Who writes an object. */
export const ownershipChecks: AnyCheck[] = [
  check('TwoOwners', ({ objects }) =>
    objects.flatMap(on => {
      const managers = objectsAt(on.object, 'metadata', 'managedFields')
        .map(({ object, path }) => ({ name: textAt(object, 'manager'), path }))
        .filter(({ name }) => name !== '');
      const terraform = managers.find(({ name }) => TERRAFORM.test(name));
      const argocd = managers.find(({ name }) => ARGO_CD.test(name));
      const isTracked =
        textAt(objectAt(on.object, 'metadata', 'annotations'), TRACKING) !== '';
      return terraform && (argocd || isTracked)
        ? [
            {
              on,
              at: [...terraform.path, 'manager'],
              params: {
                managers: [terraform.name, argocd?.name ?? 'Argo CD'],
              },
            },
          ]
        : [];
    }),
  ),
];
