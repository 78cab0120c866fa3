/** Defines how the documentation is searched. The build and the browser use the same options. */
import type { Options } from 'minisearch';

/** A found section. */
export interface SearchHit {
  readonly href: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
  /** The words of the section that match the search. */
  readonly terms: readonly string[];
}

/** Matches words: letters, digits and underscores. Each Chinese character is a word of its own. */
const words = /\p{Script=Han}|[\p{L}\p{N}_]+/gu;

export const indexOptions: Options = {
  fields: ['title', 'page', 'text'],
  storeFields: ['href', 'page', 'title', 'text'],
  tokenize: (text) => text.match(words) ?? [],
  searchOptions: {
    boost: { title: 4, page: 2 },
    // Rank results about using Podscope above results about developing it.
    boostDocument: (_id, _term, stored) =>
      /^(?:develop|reference(?!\/glossary))\//.test(String(stored?.['href'])) ? 0.5 : 1,
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND',
  },
};
