import { english } from './english';
import { Catalogue } from './types';

/**
 * Languages that have a catalogue.
 *
 * @public
 */
export const languages = ['en', 'ca', 'fr', 'es'] as const;

/** @public */
export type Language = (typeof languages)[number];

/**
 * The language to show to readers of a locale such as `ca-ES`: its own where
 * there is a catalogue, else English.
 *
 * @public
 */
export function languageOf(locale: string): Language {
  const [primary] = locale.toLocaleLowerCase('en-US').split(/[-_]/);
  return languages.find(language => language === primary) ?? 'en';
}

/**
 * Loads the sentences for readers of a locale, see {@link languageOf}. English
 * is always there; the others are loaded when they are asked for. Rejects when
 * the chunk cannot be fetched; {@link english} serves meanwhile.
 *
 * @public
 */
export async function loadCatalogue(locale: string): Promise<Catalogue> {
  switch (languageOf(locale)) {
    case 'ca':
      return (await import('./chunks/catalan')).catalan;
    case 'fr':
      return (await import('./chunks/french')).french;
    case 'es':
      return (await import('./chunks/spanish')).spanish;
    default:
      return english;
  }
}
