import { useEffect, useState } from 'react';
import { useApiHolder } from '@backstage/core-plugin-api';
import { appLanguageApiRef } from '@backstage/core-plugin-api/alpha';

const DEFAULT_LANGUAGE = 'en';

/** The portal's language, English where it does not offer a choice. */
export function useLanguage(): string {
  const languages = useApiHolder().get(appLanguageApiRef);
  const [language, setLanguage] = useState(
    () => languages?.getLanguage().language ?? DEFAULT_LANGUAGE,
  );
  useEffect(() => {
    const subscription = languages
      ?.language$()
      .subscribe(next => setLanguage(next.language));
    return () => subscription?.unsubscribe();
  }, [languages]);
  return language;
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/**
 * The reader's own variant of the language, so that dates look as their browser
 * writes them. Browsers may also list what is no locale, such as `en-US@posix`,
 * and a portal may name its languages as it likes: `Intl` throws on both.
 */
export function localeOf(
  language: string,
  preferred: readonly string[] = navigator.languages ?? [],
): string {
  return (
    preferred.find(
      tag =>
        (tag === language || tag.startsWith(`${language}-`)) && isLocale(tag),
    ) ?? (isLocale(language) ? language : DEFAULT_LANGUAGE)
  );
}
