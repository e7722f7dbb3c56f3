import { useEffect, useState } from 'react';
import {
  CheckCatalogue,
  CheckResult,
  CheckTexts,
  loadCheckCatalogue,
  renderCheck,
} from '@previews/backstage-plugin-previews-common';
import { localeOf, useLanguage } from './useLanguage';

/**
 * Both sentences of what a check found, in the reader's language. English ones
 * come with the result, so that nothing is loaded for them; they also serve
 * until the language's own are there, and for checks newer than this version.
 */
export function useCheckTexts(): (result: CheckResult) => CheckTexts {
  const language = useLanguage();
  const [loaded, setLoaded] = useState<{
    language: string;
    catalogue: CheckCatalogue | undefined;
  }>();
  useEffect(() => {
    let current = true;
    loadCheckCatalogue(language).then(
      catalogue => current && setLoaded({ language, catalogue }),
      // A chunk that cannot be fetched costs the language, not the page.
      () => current && setLoaded(undefined),
    );
    return () => {
      current = false;
    };
  }, [language]);
  const catalogue =
    loaded?.language === language ? loaded.catalogue : undefined;
  return result =>
    (catalogue &&
      renderCheck(result, { catalogue, locale: localeOf(language) })) ?? {
      problem: result.message,
      fix: result.fix,
    };
}
