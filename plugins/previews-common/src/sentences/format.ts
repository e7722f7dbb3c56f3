import { Language } from './languages';

/** Longer lists name the first ones and count the rest. */
const LISTED_ITEMS = 5;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What the words of a language look like around facts. */
interface Typography {
  /** For `en` alone: the order of day and month that the portal uses. */
  locale: string;
  quotes: readonly [opening: string, closing: string];
  colon: string;
  day: string;
  more: (count: string, isOne: boolean) => string;
}

const typographies: Record<Language, Typography> = {
  en: {
    locale: 'en-GB',
    quotes: ['“', '”'],
    colon: ': ',
    day: 'd',
    more: count => `${count} more`,
  },
  ca: {
    locale: 'ca',
    quotes: ['«', '»'],
    colon: ': ',
    day: 'd',
    more: count => `${count} més`,
  },
  fr: {
    locale: 'fr',
    quotes: ['«\u00a0', '\u00a0»'],
    colon: '\u00a0: ',
    day: 'j',
    more: (count, isOne) => `${count} ${isOne ? 'autre' : 'autres'}`,
  },
  es: {
    locale: 'es',
    quotes: ['«', '»'],
    colon: ': ',
    day: 'd',
    more: count => `${count} más`,
  },
};

/**
 * How and when a sentence is read.
 *
 * @public
 */
export interface SentenceFormatOptions {
  language: Language;
  /** BCP 47; default is the catalogue's language. */
  locale?: string;
  /**
   * The time at which the sentence is read. Without it the sentence is to be
   * stored: it has no elapsed times, and its times are complete and in UTC.
   */
  now?: Date;
  /** IANA name; default is the reader's own when `now` is given, else UTC. */
  timeZone?: string;
}

/**
 * The words before a moment, where a language tells hours from dates.
 *
 * @public
 */
export interface TimeWords {
  /** Before a time of the day of reading, such as `desde las`. */
  hour: string;
  /** The same for one o'clock, which is a singular in some languages. */
  firstHour: string;
  /** Before a date, such as `desde el`. */
  date: string;
}

/**
 * Writes facts the way a language does.
 *
 * @public
 */
export interface SentenceFormat {
  /** Such as `1 min 40 s`, `2 h 5 min`, `3 d`. */
  duration(seconds: number): string;
  /**
   * Time since an ISO 8601 time. Undefined for a sentence that is stored, for
   * what has only begun, and for a time to come, which is a clock that is off.
   */
  elapsed(since: string | undefined): string | undefined;
  /** `14:02` on the day of reading, else with the date. */
  time(iso: string): string;
  /** A time with the words that go before it. */
  when(iso: string, words: TimeWords): string;
  /** Without the time of day, such as `15 Feb 2027`. */
  date(iso: string): string;
  /** Such as `a, b and c`; the first five, then how many more. */
  list(items: string[]): string;
  quote(text: string): string;
  /** A colon and what an upstream said, without its full stop; empty for nothing. */
  detail(text: string | undefined): string;
  /** Eight characters of a commit; tags and short ones stay as they are. */
  shortSha(revision: string): string;
  number(value: number): string;
  /** Picks the form for a number. */
  plural(value: number, forms: { one: string; other: string }): string;
}

function supportedLocale(options: SentenceFormatOptions): string {
  const { locale } = typographies[options.language];
  if (!options.locale || options.locale === options.language) {
    return locale;
  }
  try {
    return Intl.NumberFormat.supportedLocalesOf(options.locale)[0] ?? locale;
  } catch {
    return locale;
  }
}

function shortSha(revision: string): string {
  return /^[0-9a-f]{9,64}$/i.test(revision) ? revision.slice(0, 8) : revision;
}

function isoMinute(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const formatters = new Map<string, unknown>();

/**
 * A formatter of `Intl`, kept: making one costs a hundred times what using it
 * does, and a backend renders thousands of sentences with a few of them.
 */
function intl<F, O>(
  Formatter: new (locale: string, options?: O) => F,
  locale: string,
  options?: O,
): F {
  const key = `${Formatter.name} ${locale} ${JSON.stringify(options ?? {})}`;
  let formatter = formatters.get(key) as F | undefined;
  if (!formatter) {
    formatter = new Formatter(locale, options);
    formatters.set(key, formatter);
  }
  return formatter;
}

/**
 * Creates the format of one sentence or of many that are read together.
 *
 * @public
 */
export function createSentenceFormat(
  options: SentenceFormatOptions,
): SentenceFormat {
  const { now, timeZone } = options;
  const typography = typographies[options.language];
  const locale = supportedLocale(options);

  function duration(seconds: number): string {
    const total = Math.max(0, Math.round(seconds));
    const parts: [number, string][] = [
      [Math.floor(total / DAY), typography.day],
      [Math.floor((total % DAY) / HOUR), 'h'],
      [Math.floor((total % HOUR) / MINUTE), 'min'],
      [total % MINUTE, 's'],
    ];
    const first = parts.findIndex(([value]) => value > 0);
    // Two units tell enough, and the second only where it says something.
    const shown =
      first < 0
        ? [parts[3]]
        : parts
            .slice(first, first + 2)
            .filter(([value], index) => index === 0 || value > 0);
    return shown.map(([value, unit]) => `${number(value)} ${unit}`).join(' ');
  }

  function elapsed(since: string | undefined): string | undefined {
    if (!now || since === undefined) {
      return undefined;
    }
    const seconds = (now.getTime() - Date.parse(since)) / 1000;
    return Math.round(seconds) > 0 ? duration(seconds) : undefined;
  }

  function dateTime(iso: string, fields: Intl.DateTimeFormatOptions): string {
    return intl(Intl.DateTimeFormat, locale, {
      hourCycle: 'h23',
      timeZone,
      ...fields,
    }).format(new Date(iso));
  }

  const day = {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  } as const;
  const hour = { hour: '2-digit', minute: '2-digit' } as const;

  function isToday(iso: string): boolean {
    return (
      now !== undefined &&
      dateTime(iso, day) === dateTime(now.toISOString(), day)
    );
  }

  function time(iso: string): string {
    if (!now) {
      return isoMinute(iso);
    }
    return dateTime(iso, isToday(iso) ? hour : { ...day, ...hour });
  }

  function when(iso: string, words: TimeWords): string {
    const text = time(iso);
    if (!isToday(iso)) {
      return `${words.date} ${text}`;
    }
    return `${text.startsWith('01') ? words.firstHour : words.hour} ${text}`;
  }

  function date(iso: string): string {
    return now ? dateTime(iso, day) : isoMinute(iso).slice(0, 10);
  }

  function number(value: number): string {
    return intl(Intl.NumberFormat, locale).format(value);
  }

  function isOne(value: number): boolean {
    return intl(Intl.PluralRules, locale).select(value) === 'one';
  }

  function list(items: string[]): string {
    const rest = items.length - LISTED_ITEMS;
    // Counting a single one would be no shorter than naming it.
    const shown =
      rest > 1
        ? [
            ...items.slice(0, LISTED_ITEMS),
            typography.more(number(rest), isOne(rest)),
          ]
        : items;
    return intl(Intl.ListFormat, locale, { type: 'conjunction' }).format(shown);
  }

  function quote(text: string): string {
    const [opening, closing] = typography.quotes;
    return `${opening}${text}${closing}`;
  }

  function detail(text: string | undefined): string {
    const told = text?.replace(/[\s.;:,]+$/, '');
    return told ? `${typography.colon}${told}` : '';
  }

  function plural(
    value: number,
    forms: { one: string; other: string },
  ): string {
    return forms[isOne(value) ? 'one' : 'other'];
  }

  return {
    duration,
    elapsed,
    time,
    when,
    date,
    list,
    quote,
    detail,
    shortSha,
    number,
    plural,
  };
}
