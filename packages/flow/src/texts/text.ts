/** The shape of the text catalogue: the title and description of each point in every language, side by side. */

/** The languages of the catalogue, as BCP 47 tags. */
export type FlowLanguage = 'en' | 'zh-CN';

export interface StepText {
  /** A short label. Names of functions and calls are the same in every language. */
  readonly title: string;
  /** One sentence on what happens here. */
  readonly description: string;
}

/** One step's text in every language. */
export type Translations = Readonly<Record<FlowLanguage, StepText>>;

/** Texts by point id. `ID` makes the type checker name every id that lacks a text. */
export type Texts<ID extends string> = Readonly<Record<ID, Translations>>;

/** The text of a function or call: its own name as title, and a description in each language. */
export const named = (title: string, english: string, chinese: string): Translations => ({
  en: { title, description: english },
  'zh-CN': { title, description: chinese },
});

/** The text of a step: title and description in English, then in Chinese. */
export const titled = (
  [title, description]: readonly [string, string],
  [chineseTitle, chineseDescription]: readonly [string, string],
): Translations => ({
  en: { title, description },
  'zh-CN': { title: chineseTitle, description: chineseDescription },
});
