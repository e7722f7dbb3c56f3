import { createContext, PropsWithChildren, useContext } from 'react';
import { Entity } from '@backstage/catalog-model';
import { useRouteRef } from '@backstage/core-plugin-api';
import { useEntity } from '@backstage/plugin-catalog-react';
import { kubernetesRouteRef } from '../routes';

/** Without one of these the Kubernetes plugin has no tab for an entity. */
const KUBERNETES_ANNOTATIONS = [
  'backstage.io/kubernetes-id',
  'backstage.io/kubernetes-label-selector',
];

const KubernetesTabContext = createContext<string | undefined>(undefined);

function hasKubernetesTab({ metadata }: Entity): boolean {
  return KUBERNETES_ANNOTATIONS.some(name => metadata.annotations?.[name]);
}

/**
 * Lets the links below lead to the Kubernetes tab of the entity whose page they
 * are on, where it has one.
 */
export function KubernetesTabProvider({ children }: PropsWithChildren<{}>) {
  const { entity } = useEntity();
  const linkTo = useRouteRef(kubernetesRouteRef);
  const path = hasKubernetesTab(entity) ? linkTo?.() : undefined;
  return (
    <KubernetesTabContext.Provider value={path}>
      {children}
    </KubernetesTabContext.Provider>
  );
}

/** Path of the entity's Kubernetes tab; undefined where there is none. */
export function useKubernetesTab(): string | undefined {
  return useContext(KubernetesTabContext);
}
