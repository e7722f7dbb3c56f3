import { ConflictError, InputError } from '@backstage/errors';
import {
  conditionTypes,
  languages,
} from '@previews/backstage-plugin-previews-common';
import {
  PreviewsConditionProvider,
  PreviewsSourceProvider,
  PreviewsTexts,
} from '@previews/backstage-plugin-previews-node';

/** Most sources, and most conditions, that modules can add. */
const MAXIMUM_PROVIDERS = 20;
const MAXIMUM_REASONS = 50;
const MAXIMUM_TEXT = 300;

const NAME = /^[A-Z][A-Za-z0-9]{0,39}$/;
const SOURCE_ID = /^[a-z0-9][a-z0-9-]{0,39}$/;

const EFFECTS: readonly unknown[] = [
  'fulfilled',
  'waiting',
  'blocked',
  'warning',
];

/**
 * Checks what modules added, when the backend starts: a mistake stops the start
 * and is named, rather than show as a condition that says nothing.
 *
 * @throws InputError, ConflictError
 */
export function checkProviders(providers: {
  sources: readonly PreviewsSourceProvider[];
  conditions: readonly PreviewsConditionProvider[];
}): void {
  const { sources, conditions } = providers;
  if (Math.max(sources.length, conditions.length) > MAXIMUM_PROVIDERS) {
    throw new InputError(
      `Modules add more than ${MAXIMUM_PROVIDERS} sources or conditions to the previews plugin`,
    );
  }
  sources.forEach(checkSource);
  requireUnique(
    'source',
    sources.map(({ id }) => id),
  );
  const ids = new Set(sources.map(({ id }) => id));
  conditions.forEach(condition => checkCondition(condition, ids));
  requireUnique(
    'condition',
    conditions.map(({ type }) => type),
  );
}

function requireUnique(what: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new ConflictError(
      `Modules add the previews ${what} '${twice}' more than once`,
    );
  }
}

function checkSource({
  id,
  everySeconds = 60,
  timeoutSeconds = 30,
}: PreviewsSourceProvider): void {
  if (!SOURCE_ID.test(id)) {
    throw new InputError(
      `The previews source '${id}' of a module needs an id of lower-case letters, digits and dashes, at most 40`,
    );
  }
  if (!(everySeconds >= 10)) {
    throw new InputError(
      `everySeconds of the previews source '${id}' has to be at least 10`,
    );
  }
  if (!(timeoutSeconds > 0 && timeoutSeconds <= 300)) {
    throw new InputError(
      `timeoutSeconds of the previews source '${id}' has to be above 0 and at most 300`,
    );
  }
}

function checkCondition(
  condition: PreviewsConditionProvider,
  sources: ReadonlySet<string>,
): void {
  const { type, title, source, reasons } = condition;
  const at = `The previews condition '${type}' of a module`;
  if (!NAME.test(type)) {
    throw new InputError(
      `${at} needs a type in CamelCase of at most 40 letters and digits`,
    );
  }
  if ((conditionTypes as readonly string[]).includes(type)) {
    throw new ConflictError(`${at} has the type of one of the plugin's own`);
  }
  if (source !== undefined && !sources.has(source)) {
    throw new InputError(
      `${at} reads the source '${source}', which no module adds`,
    );
  }
  checkTexts(title, `${at} needs a title`);
  const names = Object.keys(reasons);
  if (names.length === 0 || names.length > MAXIMUM_REASONS) {
    throw new InputError(`${at} needs one to ${MAXIMUM_REASONS} reasons`);
  }
  for (const name of names) {
    if (!NAME.test(name)) {
      throw new InputError(`${at} has the reason '${name}', not in CamelCase`);
    }
    if (!EFFECTS.includes(reasons[name].effect)) {
      throw new InputError(
        `${at} needs for '${name}' one of the effects ${EFFECTS.join(', ')}`,
      );
    }
    checkTexts(reasons[name].sentence, `${at} needs a sentence for '${name}'`);
  }
}

function checkTexts(texts: PreviewsTexts | undefined, needed: string): void {
  for (const language of languages) {
    const text: unknown = texts?.[language];
    const isGood =
      text === undefined
        ? language !== 'en'
        : typeof text === 'string' &&
          text.trim() !== '' &&
          text.length <= MAXIMUM_TEXT;
    if (!isGood) {
      throw new InputError(
        `${needed} in the language '${language}', of at most ${MAXIMUM_TEXT} characters`,
      );
    }
  }
}
