import { languageOf } from '../languages';
import { CheckCatalogue } from './types';

/**
 * Loads the sentences of the readiness checks for readers of a locale, English
 * where there is no catalogue of their own. Rejects when the chunk cannot be
 * fetched; the English sentences that results carry serve then.
 *
 * @public
 */
export async function loadCheckCatalogue(
  locale: string,
): Promise<CheckCatalogue> {
  switch (languageOf(locale)) {
    case 'ca':
      return (await import('./catalan')).catalanChecks;
    case 'fr':
      return (await import('./french')).frenchChecks;
    case 'es':
      return (await import('./spanish')).spanishChecks;
    default:
      return (await import('./english')).englishChecks;
  }
}
