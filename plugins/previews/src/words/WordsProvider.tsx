import {
  createContext,
  PropsWithChildren,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import {
  TranslationFunction,
  useTranslationRef,
} from '@backstage/core-plugin-api/alpha';
import {
  AnnotationProblem,
  Finding,
  FurtherCondition,
  ReasonParams,
  renderFinding,
  renderProblem,
  renderSentence,
  renderEvent,
  renderFurtherCondition,
  renderSourceError,
  renderSourceNote,
  SourceError,
  SourceNote,
  SourceState,
  textIn,
  Texts,
  Transition,
} from '@previews/backstage-plugin-previews-common';
import { previewsTranslationRef } from '../translations';
import {
  Duration,
  secondsBetween,
  toClock,
  toDuration,
  toNearestDuration,
} from './time';
import { useCatalogue } from './useCatalogue';
import { localeOf, useLanguage } from './useLanguage';

/** Relative times are renewed this often. */
const TICK_MILLISECONDS = 10_000;

export type Translate = TranslationFunction<
  (typeof previewsTranslationRef)['T']
>;

/** What a condition, a row or a transition gives for its sentence. */
export interface SentenceSource {
  type?: string;
  reason?: string;
  params?: ReasonParams;
  /** The backend's English sentence, for reasons newer than this version. */
  message?: string;
  /** Of a module of the backend, in the languages that it has. */
  sentences?: Texts;
}

/** Everything that turns facts into words at one moment. */
export interface Words {
  t: Translate;
  /** Milliseconds; the same for everything on the page. */
  now: number;
  /** The words of another moment (ISO 8601), as they were to say then. */
  asOf(time: string): Words;
  /** `2 h`, from seconds. */
  duration(seconds: number): string;
  /** `2 h` since an ISO 8601 time; undefined when it is none. */
  elapsed(since: string | undefined): string | undefined;
  /** `in 3 h`, from seconds. */
  ahead(seconds: number): string;
  /** `2 h ago` or `in 3 d`. */
  relative(time: string): string | undefined;
  /** `1:40`, from seconds. */
  clock(seconds: number): string;
  /** Date and time in the reader's zone. */
  dateTime(time: string): string;
  date(time: string): string;
  /** `14:02` today, else with the date. */
  timeOfDay(time: string): string;
  sentence(source: SentenceSource): string | undefined;
  /** The sentence and the title of a condition that a module of the backend checks. */
  furtherSentence(condition: FurtherCondition): string;
  title(condition: FurtherCondition): string;
  /** What a timeline tells beside conditions. */
  event(transition: Pick<Transition, 'reason' | 'params' | 'message'>): string;
  problem(problem: AnnotationProblem): string;
  finding(finding: Finding): string;
  sourceError(error: SourceError, source: SourceState): string;
  sourceNote(note: SourceNote, source: SourceState): string;
}

const WordsContext = createContext<Words | undefined>(undefined);

function useNow(clock: () => number): number {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    const timer = setInterval(() => setNow(clock()), TICK_MILLISECONDS);
    return () => clearInterval(timer);
  }, [clock]);
  return now;
}

function formatTime(
  locale: string,
  time: string,
  options: Intl.DateTimeFormatOptions,
): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime())
    ? time
    : // As the sentences beside it write a time.
      new Intl.DateTimeFormat(locale, { hourCycle: 'h23', ...options }).format(
        date,
      );
}

function createWords(options: {
  t: Translate;
  now: number;
  locale: string;
  catalogue: ReturnType<typeof useCatalogue>;
}): Words {
  const { t, now, locale, catalogue } = options;
  const context = { catalogue, locale, now: new Date(now) };
  const written = ({ unit, number }: Duration) =>
    t(`time.${unit}`, { number: String(number) });
  const duration = (seconds: number) => written(toDuration(seconds));
  const ahead = (seconds: number) =>
    t('time.ahead', { duration: written(toNearestDuration(seconds)) });
  return {
    t,
    now,
    asOf: time => {
      const then = Date.parse(time);
      return Number.isNaN(then)
        ? createWords(options)
        : createWords({ ...options, now: then });
    },
    duration,
    ahead,
    elapsed: since => {
      const seconds = secondsBetween(since, now);
      return seconds === undefined ? undefined : duration(seconds);
    },
    relative: time => {
      const seconds = secondsBetween(time, now);
      if (seconds === undefined) {
        return undefined;
      }
      // What has just come may be later than this moment, and is no future.
      return seconds < -TICK_MILLISECONDS / 1000
        ? ahead(-seconds)
        : t('time.ago', { duration: duration(seconds) });
    },
    clock: toClock,
    dateTime: time =>
      formatTime(locale, time, { dateStyle: 'medium', timeStyle: 'medium' }),
    date: time => formatTime(locale, time, { dateStyle: 'medium' }),
    timeOfDay: time =>
      formatTime(locale, time, {
        timeStyle: 'short',
        ...(new Date(time).toDateString() !== new Date(now).toDateString() && {
          dateStyle: 'medium',
        }),
      }),
    sentence: ({ type, reason, params, message, sentences }) =>
      (sentences && textIn(sentences, catalogue.language)) ??
      (type && reason
        ? renderSentence({ type, reason, params: params ?? {} }, context)
        : undefined) ??
      message,
    furtherSentence: condition => renderFurtherCondition(condition, context),
    title: condition => textIn(condition.title, catalogue.language),
    problem: problem => renderProblem(problem, context) ?? problem.message,
    finding: finding => renderFinding(finding, context) ?? finding.message,
    sourceError: (error, source) =>
      renderSourceError({ ...error, source }, context) ?? error.message,
    sourceNote: (note, source) =>
      renderSourceNote({ ...note, source }, context) ?? note.message,
    event: ({ reason, params, message }) =>
      (reason && renderEvent({ reason, params }, context)) ?? message,
  };
}

/**
 * Gives the components below one language and one moment, so that two times on
 * the page never disagree. `clock` is replaced in tests.
 */
export function WordsProvider(
  props: PropsWithChildren<{ clock?: () => number }>,
) {
  const { clock = Date.now, children } = props;
  const { t } = useTranslationRef(previewsTranslationRef);
  const language = useLanguage();
  const catalogue = useCatalogue(language);
  const now = useNow(clock);
  const words = useMemo(
    () => createWords({ t, now, locale: localeOf(language), catalogue }),
    [t, now, language, catalogue],
  );
  return (
    <WordsContext.Provider value={words}>{children}</WordsContext.Provider>
  );
}

/** The words of the moment; only below a {@link WordsProvider}. */
export function useWords(): Words {
  const words = useContext(WordsContext);
  if (!words) {
    throw new Error('useWords is used outside of a WordsProvider');
  }
  return words;
}
