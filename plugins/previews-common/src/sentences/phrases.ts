import { SourceState } from '../types';
import { SentenceFormat, TimeWords } from './format';

/** The words of a language that its phrases are made of. */
export interface PhraseWords {
  /** Before the name of a cluster at the beginning of a sentence. */
  cluster: string;
  /** Before the domain or the id of a zone of DNS at the beginning of a sentence. */
  dnsZone: string;
  usually: string;
  /** Between two facts in parentheses. */
  separator: string;
  since: TimeWords;
}

/** Parts of sentences that are built alike in every language. */
export interface Phrases {
  /** Name of a source at the beginning of a sentence. */
  nameOf(source: Pick<SourceState, 'kind' | 'name'>): string;
  /** The same for the id of a source; an id of an unknown kind as it is. */
  nameOfId(id: string): string;
  /** ` since 14:02`, or nothing. */
  sinceTime(format: SentenceFormat, time: string | undefined): string;
  /** ` since 14:02 (3 min)`, or nothing. */
  since(format: SentenceFormat, time: string | undefined): string;
  /** ` (1 min 10 s; usually 1 min 30 s)`, or what of it is known. */
  timing(
    format: SentenceFormat,
    times: { start?: string; usualSeconds?: number },
  ): string;
}

/** ` (text)`, or nothing. */
export function inParentheses(text: string | undefined): string {
  return text ? ` (${text})` : '';
}

/** Creates the phrases of a language. */
export function createPhrases(words: PhraseWords): Phrases {
  function nameOf(source: Pick<SourceState, 'kind' | 'name'>): string {
    const kinds = {
      gitlab: 'GitLab',
      argocd: 'Argo CD',
      cluster: words.cluster,
      dns: words.dnsZone,
    };
    // A module's source has a name of its own and no kind that anybody knows.
    return source.kind === 'extension'
      ? source.name
      : `${kinds[source.kind] ?? words.cluster} ${source.name}`;
  }

  function nameOfId(id: string): string {
    const match = /^(gitlab|cluster|argocd|dns|extension):(.+)$/.exec(id);
    return match
      ? nameOf({ kind: match[1] as SourceState['kind'], name: match[2] })
      : id;
  }

  function sinceTime(format: SentenceFormat, time: string | undefined): string {
    return time === undefined ? '' : ` ${format.when(time, words.since)}`;
  }

  function since(format: SentenceFormat, time: string | undefined): string {
    return `${sinceTime(format, time)}${inParentheses(format.elapsed(time))}`;
  }

  function timing(
    format: SentenceFormat,
    times: { start?: string; usualSeconds?: number },
  ): string {
    const elapsed = format.elapsed(times.start);
    const usual =
      times.usualSeconds === undefined
        ? undefined
        : `${words.usually} ${format.duration(times.usualSeconds)}`;
    return inParentheses(
      [elapsed, usual].filter(part => part !== undefined).join(words.separator),
    );
  }

  return { nameOf, nameOfId, sinceTime, since, timing };
}
