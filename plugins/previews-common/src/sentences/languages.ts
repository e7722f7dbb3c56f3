import { english } from './english';
import { Catalogue } from './types';

/**
 * Languages that have a catalogue.
 *
 * @public
 */
export const languages = ['en'] as const;

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
 * Loads the sentences of a language. English is always there.
 *
 * @public
 */
export async function loadCatalogue(language: Language): Promise<Catalogue> {
  return { en: english }[language];
}
