import { createBackendModule } from '@backstage/backend-plugin-api';
import { scaffolderActionsExtensionPoint } from '@backstage/plugin-scaffolder-node';
import {
  createEditAction,
  createPromoteAction,
  createRenderAction,
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
      deps: { scaffolder: scaffolderActionsExtensionPoint },
      async init({ scaffolder }) {
        scaffolder.addActions(
          createRenderAction(),
          createValidateAction(),
          createEditAction(),
          createPromoteAction(),
        );
      },
    });
  },
});
