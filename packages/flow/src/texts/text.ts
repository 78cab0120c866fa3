/**
 * Declares the types of the text catalogue. Each entry has the title and the description of a point in every language.
 */

/** The languages of the catalogue, as BCP 47 tags. */
export type FlowLanguage = 'en' | 'zh-CN';

export interface StepText {
  /** The title, a short label. Names of functions and calls are the same in every language. */
  readonly title: string;
  /** A sentence that describes the step. */
  readonly description: string;
}

/** The text of a step in every language. */
export type Translations = Readonly<Record<FlowLanguage, StepText>>;

/** Texts by the id of the point. With `ID`, the type checker reports every id without a text. */
export type Texts<ID extends string> = Readonly<Record<ID, Translations>>;

/** Returns the text of a function or a call. Its name is the title, and each language has a description. */
export const named = (title: string, english: string, chinese: string): Translations => ({
  en: { title, description: english },
  'zh-CN': { title, description: chinese },
});

/** Returns the text of a step: title and description in English, then in Chinese. */
export const titled = (
  [title, description]: readonly [string, string],
  [chineseTitle, chineseDescription]: readonly [string, string],
): Translations => ({
  en: { title, description },
  'zh-CN': { title: chineseTitle, description: chineseDescription },
});
