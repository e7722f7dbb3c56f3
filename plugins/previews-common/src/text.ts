/** Longest text of a param that a sentence shows, ellipsis included. */
const MAXIMUM_LENGTH = 300;

/** A megabyte of text is not scanned whole for the few characters shown. */
const SCANNED_LENGTH = 8 * MAXIMUM_LENGTH;

const SPACES = /[\s\u2028\u2029]+/gu;

/**
 * Characters that change how the text around them is read without being seen:
 * controls, bidirectional marks, embeddings and isolates, zero-width spaces,
 * lone surrogates and tag characters. Joiners stay: scripts and emoji need them.
 */
const INVISIBLE =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\p{Cs}\u{e0000}-\u{e007f}]/gu;

/**
 * Makes a text that came from outside fit for a sentence: one line, nothing
 * invisible, at most 300 characters of which the last is an ellipsis when
 * something was cut. Markup is left as it is: texts are shown as text.
 *
 * @public
 */
export function cleanText(text: string): string {
  const clean = text
    .slice(0, SCANNED_LENGTH)
    .replace(SPACES, ' ')
    .replace(INVISIBLE, '')
    .trim();
  const isCut = clean.length > MAXIMUM_LENGTH || text.length > SCANNED_LENGTH;
  if (!isCut) {
    return clean;
  }
  const kept = clean
    .slice(0, MAXIMUM_LENGTH - 1)
    // The cut may have split a pair of surrogates.
    .replace(/\p{Cs}$/u, '')
    .trimEnd();
  return `${kept}…`;
}
