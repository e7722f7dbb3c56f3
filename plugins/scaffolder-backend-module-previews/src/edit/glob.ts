/** One position of a pattern: any run of characters, or a character that fits. */
type Part = 'run' | ((character: string) => boolean);

function readClass(
  text: string,
  start: number,
): { part: Part; next: number } | undefined {
  const negated = /[!^]/.test(text[start] ?? '');
  const ranges: [string, string][] = [];
  let index = negated ? start + 1 : start;
  const first = index;
  while (index < text.length && (text[index] !== ']' || index === first)) {
    if (text[index] === '\\') {
      index += 1;
    }
    const from = text[index];
    if (
      text[index + 1] === '-' &&
      ![']', undefined].includes(text[index + 2])
    ) {
      ranges.push([from, text[index + 2]]);
      index += 3;
    } else {
      ranges.push([from, from]);
      index += 1;
    }
  }
  if (index >= text.length) {
    return undefined;
  }
  return {
    part: character =>
      ranges.some(([from, to]) => from <= character && character <= to) !==
      negated,
    next: index + 1,
  };
}

function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  let index = 0;
  while (index < pattern.length) {
    const character = pattern[index];
    const isClass = character === '[' && readClass(pattern, index + 1);
    if (character === '*') {
      parts.push('run');
      index += 1;
    } else if (character === '?') {
      parts.push(() => true);
      index += 1;
    } else if (isClass) {
      parts.push(isClass.part);
      index = isClass.next;
    } else {
      const escaped = character === '\\' && index + 1 < pattern.length;
      const literal = escaped ? pattern[index + 1] : character;
      parts.push(other => other === literal);
      index += escaped ? 2 : 1;
    }
  }
  return parts;
}

/**
 * Matches a list against a pattern with runs, going back to the last run only. A regular
 * expression would take exponential time for patterns that somebody else wrote.
 */
function matchesList<P, T>(options: {
  pattern: P[];
  list: T[];
  isRun: (part: P) => boolean;
  fits: (part: P, item: T) => boolean;
}): boolean {
  const { pattern, list, isRun, fits } = options;
  let at = 0;
  let place = 0;
  let run = -1;
  let resume = 0;
  while (place < list.length) {
    if (at < pattern.length && isRun(pattern[at])) {
      run = at;
      resume = place;
      at += 1;
    } else if (at < pattern.length && fits(pattern[at], list[place])) {
      at += 1;
      place += 1;
    } else if (run >= 0) {
      resume += 1;
      place = resume;
      at = run + 1;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isRun);
}

function matchesSegment(pattern: string, segment: string): boolean {
  return matchesList<Part, string>({
    pattern: partsOf(pattern),
    list: [...segment],
    isRun: part => part === 'run',
    fits: (part, character) => part !== 'run' && part(character),
  });
}

/**
 * Whether a path fits a pattern as Git and GitLab write them: `*` and `?` stay within a folder,
 * `**` is any number of folders.
 */
export function matchesGlob(pattern: string, path: string): boolean {
  const segments = pattern.split('/');
  // At its end it is what is inside, so at least one more.
  const isInside = segments.length > 1 && segments.at(-1) === '**';
  return matchesList<string, string>({
    pattern: isInside ? [...segments, '*'] : segments,
    list: path.split('/'),
    isRun: segment => segment === '**',
    fits: matchesSegment,
  });
}
