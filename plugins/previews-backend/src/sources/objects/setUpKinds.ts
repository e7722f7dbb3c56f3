import { ObjectRequest, SetUpKind } from '../../model';
import { KindDefinition, kindDefinitions } from './kinds';

/** How a kind is found in the API of a cluster. */
export type ObjectKindDefinition = Pick<
  KindDefinition,
  'group' | 'kind' | 'plural' | 'versions' | 'namespaced'
>;

function builtIn(
  group: string,
  kind: string,
  options: { plural: string; namespaced?: false },
): ObjectKindDefinition {
  return {
    group,
    kind,
    plural: options.plural,
    versions: ['v1'],
    namespaced: options.namespaced ?? true,
  };
}

/** Every kind whose objects are read whole for the readiness checks. */
export const setUpKindDefinitions: {
  readonly [K in SetUpKind]: ObjectKindDefinition;
} = {
  ApplicationSet: kindDefinitions.applicationSets,
  AppProject: {
    group: 'argoproj.io',
    kind: 'AppProject',
    plural: 'appprojects',
    versions: ['v1alpha1'],
    namespaced: true,
  },
  Application: kindDefinitions.applications,
  Namespace: kindDefinitions.namespaces,
  Deployment: kindDefinitions.deployments,
  StatefulSet: kindDefinitions.statefulSets,
  Service: builtIn('', 'Service', { plural: 'services' }),
  ServiceAccount: builtIn('', 'ServiceAccount', { plural: 'serviceaccounts' }),
  PersistentVolumeClaim: builtIn('', 'PersistentVolumeClaim', {
    plural: 'persistentvolumeclaims',
  }),
  PodDisruptionBudget: builtIn('policy', 'PodDisruptionBudget', {
    plural: 'poddisruptionbudgets',
  }),
  HorizontalPodAutoscaler: {
    ...builtIn('autoscaling', 'HorizontalPodAutoscaler', {
      plural: 'horizontalpodautoscalers',
    }),
    versions: ['v2'],
  },
  ScaledObject: {
    group: 'keda.sh',
    kind: 'ScaledObject',
    plural: 'scaledobjects',
    versions: ['v1alpha1'],
    namespaced: true,
  },
  NetworkPolicy: builtIn('networking.k8s.io', 'NetworkPolicy', {
    plural: 'networkpolicies',
  }),
  HTTPRoute: kindDefinitions.httpRoutes,
  Ingress: kindDefinitions.ingresses,
  Certificate: kindDefinitions.certificates,
  Issuer: kindDefinitions.issuers,
  ClusterIssuer: kindDefinitions.clusterIssuers,
  Gateway: kindDefinitions.gateways,
  ExternalSecret: {
    group: 'external-secrets.io',
    kind: 'ExternalSecret',
    plural: 'externalsecrets',
    versions: ['v1', 'v1beta1'],
    namespaced: true,
  },
  StorageClass: builtIn('storage.k8s.io', 'StorageClass', {
    plural: 'storageclasses',
    namespaced: false,
  }),
};

const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/**
 * Whether an object of these names can exist at all. Names come from other objects,
 * and must not change what a call is about.
 */
export function canExist({ namespace, name }: ObjectRequest): boolean {
  return [namespace, name].every(
    text => text === undefined || (NAME.test(text) && !text.includes('..')),
  );
}
