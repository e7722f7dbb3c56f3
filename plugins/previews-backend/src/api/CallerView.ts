import { Visibility } from '../store';

/** What one caller may see, worked out before anything is read for them. */
export interface CallerView {
  /** Name of the caller, for limits and to tell answers apart. */
  caller: string;
  visibility: Visibility;
  /** Nothing that is stored is hidden from the caller. */
  seesEverything: boolean;
  /** The policy allows previews that only this entity claims. */
  allows(entityRef: string): boolean;
  /** Those of the entities that the caller may read. */
  readable(entityRefs: readonly string[]): Promise<ReadonlySet<string>>;
}
