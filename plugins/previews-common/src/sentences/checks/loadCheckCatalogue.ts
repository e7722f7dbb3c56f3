import { languageOf } from '../languages';
import { CheckCatalogue } from './types';

/**
 * Loads the sentences of the readiness checks for readers of a locale. Undefined
 * where there is no catalogue but the English one: results carry those sentences,
 * so that no browser loads them again. Rejects when the chunk cannot be fetched;
 * the sentences of the results serve then, too.
 *
 * @public
 */
export async function loadCheckCatalogue(
  locale: string,
): Promise<CheckCatalogue | undefined> {
  switch (languageOf(locale)) {
    case 'ca':
      return (await import('../chunks/catalan')).catalanChecks;
    case 'fr':
      return (await import('../chunks/french')).frenchChecks;
    case 'es':
      return (await import('../chunks/spanish')).spanishChecks;
    default:
      return undefined;
  }
}
