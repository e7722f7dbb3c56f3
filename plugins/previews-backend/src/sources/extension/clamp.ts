import {
  cleanText,
  languages,
  ReasonParams,
  Texts,
} from '@previews/backstage-plugin-previews-common';
import { PreviewsTexts } from '@previews/backstage-plugin-previews-node';

const MAXIMUM_PARAMS = 20;
const PARAM_NAME = /^[A-Za-z][A-Za-z0-9]{0,39}$/;
const MAXIMUM_SENTENCE = 1_000;
/** Characters of JSON that the facts of one preview may have. */
const MAXIMUM_FACTS = 16_384;
const MAXIMUM_DEPTH = 20;

/** Params as a sentence can show them; what is none is left out. */
export function clampParams(params: unknown): ReasonParams {
  const clean: ReasonParams = {};
  if (typeof params !== 'object' || params === null) {
    return clean;
  }
  for (const [name, value] of Object.entries(params).slice(0, MAXIMUM_PARAMS)) {
    if (!PARAM_NAME.test(name)) {
      continue;
    }
    if (typeof value === 'string') {
      clean[name] = cleanText(value);
    } else if (typeof value === 'number' && Number.isFinite(value)) {
      clean[name] = value;
    }
  }
  return clean;
}

/** Puts params in the places of a sentence; a place without its param stays as it is. */
export function fillIn(texts: PreviewsTexts, params: ReasonParams): Texts {
  const fill = (text: string) =>
    text
      .replace(/\{([A-Za-z][A-Za-z0-9]*)\}/g, (place, name) =>
        Object.hasOwn(params, name) ? String(params[name]) : place,
      )
      .slice(0, MAXIMUM_SENTENCE);
  const filled: Texts = { en: fill(texts.en) };
  for (const language of languages) {
    const text = texts[language];
    if (text !== undefined) {
      filled[language] = fill(text);
    }
  }
  return filled;
}

/** Facts as JSON; undefined when they are none, or too large. */
export function factsText(facts: unknown): string | undefined {
  try {
    const text: unknown = JSON.stringify(facts);
    return typeof text === 'string' && text.length <= MAXIMUM_FACTS
      ? text
      : undefined;
  } catch {
    // It refers to itself, or has something that no JSON has.
    return undefined;
  }
}

/** Facts that nobody can change any more, from their JSON. */
export function frozenFacts(text: string): unknown {
  return freeze(JSON.parse(text), 0);
}

function freeze(value: unknown, depth: number): unknown {
  if (typeof value === 'object' && value !== null && depth < MAXIMUM_DEPTH) {
    Object.values(value).forEach(item => freeze(item, depth + 1));
    Object.freeze(value);
  }
  return value;
}
