import { FlatMessages, TranslatedMessages } from './messages';

interface Nested {
  readonly [key: string]: string | Nested;
}

function entriesOf(nested: Nested, prefix = ''): [key: string, text: string][] {
  return Object.entries(nested).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${prefix}${key}`, value]]
      : entriesOf(value, `${prefix}${key}.`),
  );
}

/** The words by the keys that Backstage asks for them by, such as `tab.title`. */
export function flatten(messages: TranslatedMessages): FlatMessages {
  return Object.fromEntries(entriesOf(messages)) as FlatMessages;
}
