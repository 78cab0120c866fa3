/** Defines how the documentation is searched. The build and the browser use the same options. */
import type { Options } from 'minisearch';

/** A found section. */
export interface SearchHit {
  readonly href: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
  /** The words of the section that matched. */
  readonly terms: readonly string[];
}

/** Splits at everything but letters, digits and underscores; a Chinese character is a word. */
const words = /\p{Script=Han}|[\p{L}\p{N}_]+/gu;

export const indexOptions: Options = {
  fields: ['title', 'page', 'text'],
  storeFields: ['href', 'page', 'title', 'text'],
  tokenize: (text) => text.match(words) ?? [],
  searchOptions: {
    boost: { title: 4, page: 2 },
    // Ranks results about using Podscope above results about developing it.
    boostDocument: (_id, _term, stored) =>
      /^(?:develop|reference(?!\/glossary))\//.test(String(stored?.['href'])) ? 0.5 : 1,
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND',
  },
};
