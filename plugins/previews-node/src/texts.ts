/**
 * A text in English, and in the other languages of the portal where there is
 * one; who reads another language reads English.
 *
 * @public
 */
export interface PreviewsTexts {
  en: string;
  ca?: string;
  fr?: string;
  es?: string;
}
