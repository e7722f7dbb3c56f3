import { Catalogue, UnknownSentences } from '../types';

/** The sentences of a visit's reasons, without those that every condition shares. */
export type ReachableSentences = Omit<
  Catalogue['conditions']['Reachable'],
  keyof UnknownSentences
>;
