import { Phrases } from '../phrases';
import { Catalogue, UnknownSentences } from '../types';

/** The sentences of a certificate's reasons, without those that every condition shares. */
export type CertificateSentences = Omit<
  Catalogue['conditions']['CertificateReady'],
  keyof UnknownSentences
>;

/** Parts of sentences that a language has anyway. */
export type CertificatePhrases = Pick<Phrases, 'timing' | 'since'>;
