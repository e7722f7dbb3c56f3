import {
  createExternalRouteRef,
  createRouteRef,
} from '@backstage/core-plugin-api';

/** The Previews tab of an entity. */
export const rootRouteRef = createRouteRef({ id: 'previews' });

/**
 * The Kubernetes tab of an entity, for the logs of a pod where no Argo CD leads
 * to them. In the new frontend system it is bound by itself once the Kubernetes
 * plugin is installed.
 */
export const kubernetesRouteRef = createExternalRouteRef({
  id: 'kubernetes',
  optional: true,
  defaultTarget: 'kubernetes.kubernetes',
});

/**
 * The form of a template. In the new frontend system it is bound by itself once
 * the scaffolder is installed; a portal without one shows no buttons.
 */
export const templateRouteRef = createExternalRouteRef({
  id: 'template',
  optional: true,
  params: ['namespace', 'templateName'],
  defaultTarget: 'scaffolder.selectedTemplate',
});
