import {
  coreServices,
  createBackendModule,
} from '@backstage/backend-plugin-api';
import { ScmIntegrations } from '@backstage/integration';
import { scaffolderActionsExtensionPoint } from '@backstage/plugin-scaffolder-node';
import {
  createCheckTokenAction,
  createEditAction,
  createMergeRequestAction,
  createNotesAction,
  createPromoteAction,
  createRenderAction,
  createResolveAction,
  createValidateAction,
} from './actions';

/**
 * Gives the scaffolder the actions of the templates that onboard a service and promote a release.
 *
 * @public
 */
export const scaffolderModulePreviews = createBackendModule({
  pluginId: 'scaffolder',
  moduleId: 'previews',
  register(env) {
    env.registerInit({
      deps: {
        config: coreServices.rootConfig,
        scaffolder: scaffolderActionsExtensionPoint,
      },
      async init({ config, scaffolder }) {
        const integrations = ScmIntegrations.fromConfig(config);
        scaffolder.addActions(
          createCheckTokenAction(),
          createResolveAction({ integrations }),
          createRenderAction({ integrations }),
          createValidateAction(),
          createEditAction(),
          createMergeRequestAction({ integrations }),
          createPromoteAction({ integrations }),
          createNotesAction({ integrations }),
        );
      },
    });
  },
});
