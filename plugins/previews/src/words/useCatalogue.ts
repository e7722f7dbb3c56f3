import { useEffect, useState } from 'react';
import {
  Catalogue,
  english,
  languageOf,
  loadCatalogue,
} from '@previews/backstage-plugin-previews-common';

/** The catalogue of sentences, English until the language's own is loaded. */
export function useCatalogue(language: string): Catalogue {
  const [loaded, setLoaded] = useState<{
    language: string;
    catalogue: Catalogue;
  }>();
  useEffect(() => {
    let current = true;
    loadCatalogue(languageOf(language)).then(
      catalogue => current && setLoaded({ language, catalogue }),
      // A chunk that cannot be fetched costs the language, not the page.
      () => current && setLoaded(undefined),
    );
    return () => {
      current = false;
    };
  }, [language]);
  return loaded?.language === language ? loaded.catalogue : english;
}
