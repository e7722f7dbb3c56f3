import { findingDefinitions, FindingParams, FindingType } from '../findings';
import {
  ConditionType,
  findReason,
  ParamsOf,
  ReasonDefinition,
  ReasonOf,
  ReasonParams,
} from '../reasons';
import {
  SourceNoteParams,
  SourceNoteReason,
  sourceNotes,
} from '../sourceNotes';
import { cleanText } from '../text';
import {
  TimelineEvent,
  TimelineEventParams,
  timelineEvents,
} from '../timelineEvents';
import {
  AnnotationProblem,
  SourceError,
  SourceNote,
  SourceState,
  Transition,
} from '../types';
import { english } from './english';
import { createSentenceFormat } from './format';
import {
  AnnotationProblemParams,
  Catalogue,
  Sentence,
  SourceErrorParams,
} from './types';

/**
 * For whom a sentence is rendered.
 *
 * @public
 */
export interface RenderOptions {
  catalogue: Catalogue;
  /** BCP 47, for numbers and dates; default is the catalogue's language. */
  locale?: string;
  /**
   * The time at which the sentence is read. Leave it out for a sentence that is
   * stored: it then says nothing that is only true now, and its times are in UTC.
   */
  now?: Date;
  /** IANA name; default is the reader's own when `now` is given, else UTC. */
  timeZone?: string;
}

type ParamType = ReasonDefinition['params'][string];
type RawParams = Readonly<Record<string, unknown>>;
type CleanParams = Record<string, string | number | string[]>;

/** Upstreams leave out what went wrong, and the core group has no name. */
const MAY_BE_EMPTY = new Set(['error', 'group']);

const problemParams: {
  [R in AnnotationProblem['reason']]: Record<
    keyof AnnotationProblemParams[R],
    ParamType
  >;
} = {
  Malformed: { value: 'string', expected: 'string' },
  UnknownHost: { host: 'string' },
  ProjectNotFound: { project: 'string', host: 'string' },
  ProjectClaimedFromElsewhere: { project: 'string' },
  ApplicationSetNotFound: { applicationSet: 'string' },
};

const sourceErrorParams: Record<string, ParamType> = {
  subject: 'string?',
  since: 'time?',
  retryAt: 'time?',
};

function cleanParam(
  name: string,
  type: string,
  value: unknown,
): string | number | string[] | undefined {
  switch (type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
        ? value
        : undefined;
    case 'time':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value))
        ? value
        : undefined;
    case 'list':
      return Array.isArray(value)
        ? value
            .filter(item => typeof item === 'string')
            .map(cleanText)
            .filter(item => item !== '')
        : undefined;
    default: {
      const text = typeof value === 'string' ? cleanText(value) : undefined;
      return text === '' && !MAY_BE_EMPTY.has(name) ? undefined : text;
    }
  }
}

/**
 * The declared params in their declared types; undefined when a required one is
 * not there or is something else, as it may be from another version. Whatever
 * is not declared stays out.
 */
export function cleanParams(
  declared: Record<string, ParamType>,
  params: RawParams,
): CleanParams | undefined {
  const clean: CleanParams = {};
  for (const [name, type] of Object.entries(declared)) {
    const isOptional = type.endsWith('?');
    const value = Object.hasOwn(params, name)
      ? cleanParam(name, isOptional ? type.slice(0, -1) : type, params[name])
      : undefined;
    if (value !== undefined) {
      clean[name] = value;
    } else if (!isOptional) {
      return undefined;
    }
  }
  return clean;
}

function formatOf(options: RenderOptions) {
  return createSentenceFormat({
    language: options.catalogue.language,
    locale: options.locale,
    now: options.now,
    timeZone: options.timeZone,
  });
}

function ownSentence(
  sentences: object | undefined,
  reason: string,
): Sentence<object> | undefined {
  return sentences && Object.hasOwn(sentences, reason)
    ? (sentences as Record<string, Sentence<object>>)[reason]
    : undefined;
}

/**
 * Renders the sentence of a condition's reason.
 *
 * Undefined when this version does not know the reason, or when the params lack
 * what its sentence needs; the `message` that came along serves then.
 *
 * @public
 */
export function renderSentence(
  condition: { type: string; reason: string; params?: RawParams },
  options: RenderOptions,
): string | undefined {
  const { type, reason, params = {} } = condition;
  const definition = findReason(type, reason);
  const sentence =
    definition &&
    ownSentence(options.catalogue.conditions[type as ConditionType], reason);
  const clean = definition && cleanParams(definition.params, params);
  return sentence && clean && sentence(clean, formatOf(options));
}

/**
 * Renders the English sentence that is stored and sent along with a condition.
 * It says nothing that is only true at the time of writing.
 *
 * @public
 */
export function renderMessage<
  T extends ConditionType,
  R extends ReasonOf<T>,
>(condition: { type: T; reason: R; params: ParamsOf<T, R> }): string {
  return (
    renderSentence(
      { ...condition, params: condition.params as RawParams },
      { catalogue: english },
    ) ?? `${condition.type} is ${condition.reason}.`
  );
}

/**
 * Renders the sentence of an annotation's problem; undefined as for
 * {@link renderSentence}.
 *
 * @public
 */
export function renderProblem(
  problem: { annotation: string; reason: string; params: RawParams },
  options: RenderOptions,
): string | undefined {
  const { annotation, reason, params } = problem;
  const sentence = ownSentence(options.catalogue.problems, reason);
  const clean =
    sentence &&
    cleanParams(
      {
        ...problemParams[reason as AnnotationProblem['reason']],
        annotation: 'string',
      },
      { ...params, annotation },
    );
  return sentence && clean && sentence(clean, formatOf(options));
}

/**
 * Renders the sentence of a source's error; undefined as for
 * {@link renderSentence}.
 *
 * @public
 */
export function renderSourceError(
  error: Partial<Pick<SourceError, 'subject' | 'since' | 'retryAt'>> & {
    reason: string;
    source: Pick<SourceState, 'kind' | 'name'>;
  },
  options: RenderOptions,
): string | undefined {
  const { reason, source, ...facts } = error;
  const sentence = ownSentence(options.catalogue.sourceErrors, reason);
  const params: SourceErrorParams = {
    ...cleanParams(sourceErrorParams, facts),
    source: { kind: source.kind, name: cleanText(source.name) },
  };
  return sentence && sentence(params, formatOf(options));
}

function declaredOf<D extends ReasonDefinition['params']>(
  table: Readonly<Record<string, D>>,
  name: string,
): D | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * Renders the sentence of a timeline's entry that is no condition; undefined as
 * for {@link renderSentence}.
 *
 * @public
 */
export function renderEvent(
  event: { reason: string; params?: RawParams },
  options: RenderOptions,
): string | undefined {
  const { reason, params = {} } = event;
  const declared = declaredOf(timelineEvents, reason);
  const sentence = ownSentence(options.catalogue.events, reason);
  const clean = declared && cleanParams(declared, params);
  return sentence && clean && sentence(clean, formatOf(options));
}

/**
 * What a transition that is no condition carries of its event, with the English
 * sentence that is stored along.
 *
 * @public
 */
export function eventOf<E extends TimelineEvent>(
  reason: E,
  params: TimelineEventParams[E],
): Required<Pick<Transition, 'reason' | 'params' | 'message'>> {
  const facts: ReasonParams = { ...params };
  return {
    reason,
    params: facts,
    message:
      renderEvent({ reason, params: facts }, { catalogue: english }) ??
      `${reason}.`,
  };
}

/**
 * Renders the sentence of a finding; undefined as for {@link renderSentence}.
 *
 * @public
 */
export function renderFinding(
  finding: { type: string; params?: RawParams },
  options: RenderOptions,
): string | undefined {
  const { type, params = {} } = finding;
  const definition = Object.hasOwn(findingDefinitions, type)
    ? findingDefinitions[type as FindingType]
    : undefined;
  const sentence = ownSentence(options.catalogue.findings, type);
  const clean = definition && cleanParams(definition.params, params);
  return sentence && clean && sentence(clean, formatOf(options));
}

/**
 * The English sentence that is stored and sent along with a finding.
 *
 * @public
 */
export function findingMessage<T extends FindingType>(
  type: T,
  params: FindingParams[T],
): string {
  return (
    renderFinding(
      { type, params: params as RawParams },
      { catalogue: english },
    ) ?? `${type}.`
  );
}

/**
 * Renders the sentence of a note on a source; undefined as for
 * {@link renderSentence}.
 *
 * @public
 */
export function renderSourceNote(
  note: {
    reason: string;
    params?: RawParams;
    source: Pick<SourceState, 'kind' | 'name'>;
  },
  options: RenderOptions,
): string | undefined {
  const { reason, source, params = {} } = note;
  const declared = declaredOf(sourceNotes, reason);
  const sentence = ownSentence(options.catalogue.sourceNotes, reason);
  const clean = declared && cleanParams(declared, params);
  return (
    sentence &&
    clean &&
    sentence(
      { ...clean, source: { kind: source.kind, name: cleanText(source.name) } },
      formatOf(options),
    )
  );
}

/**
 * Makes a note on a source, with its English sentence.
 *
 * @public
 */
export function sourceNote<N extends SourceNoteReason>(options: {
  source: Pick<SourceState, 'kind' | 'name'>;
  reason: N;
  params: SourceNoteParams[N];
}): SourceNote {
  const { source, reason } = options;
  const params: ReasonParams = { ...options.params };
  return {
    reason,
    params,
    message:
      renderSourceNote({ source, reason, params }, { catalogue: english }) ??
      `${reason}.`,
  };
}
