import { mockServices } from '@backstage/backend-test-utils';
import { ScmIntegrations } from '@backstage/integration';

/** Integrations as a portal's configuration names them. */
export function integrationsOf(
  gitlab: { host: string; [key: string]: string }[],
): ScmIntegrations {
  return ScmIntegrations.fromConfig(
    mockServices.rootConfig({ data: { integrations: { gitlab } } }),
  );
}
