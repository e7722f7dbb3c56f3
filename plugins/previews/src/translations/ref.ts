import { createTranslationRef } from '@backstage/core-plugin-api/alpha';
import { messages } from './messages';

/**
 * The plugin's words. Catalan, French and Spanish come with the reference and
 * are loaded when the portal's language is one of them; a portal may override
 * any message through Backstage's translation API.
 *
 * @public
 */
export const previewsTranslationRef = createTranslationRef({
  id: 'previews',
  messages,
  translations: {
    ca: () => import('./ca'),
    es: () => import('./es'),
    fr: () => import('./fr'),
  },
});
