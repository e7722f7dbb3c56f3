import { ActionsRegistryService } from '@backstage/backend-plugin-api/alpha';
import { PreviewsService } from '../api';
import { registerExplainPreview } from './explainPreview';
import { registerListPreviews } from './listPreviews';
import { registerListSources } from './listSources';

/**
 * Registers the actions. They answer from the same service as the API, with the
 * credentials of whoever invokes them: permissions and visibility are the same.
 */
export function registerActions(options: {
  actionsRegistry: ActionsRegistryService;
  service: PreviewsService;
}): void {
  registerListPreviews(options);
  registerExplainPreview(options);
  registerListSources(options);
}
