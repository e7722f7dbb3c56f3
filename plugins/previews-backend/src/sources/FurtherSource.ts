import { SourceState } from '@previews/backstage-plugin-previews-common';
import { FurtherPolicy, FurtherReading, PreviewSubject } from '../model';
import { Source } from './types';

/** A source that a module of the backend added. */
export interface FurtherSource extends Source {
  reading(): FurtherReading;
  state(now: Date): SourceState;
  /** Where it finds the previews that facts are wanted of, when it reads. */
  previewsFrom(previews: () => readonly PreviewSubject[]): void;
}

/** What modules of the backend add to the reading and to the deciding of previews. */
export interface Extensions {
  sources: readonly FurtherSource[];
  /** In the order in which they were added. */
  policies: readonly FurtherPolicy[];
  /** States of conditions that read no source: of those that fail, and no others. */
  failures(now: Date): SourceState[];
}
