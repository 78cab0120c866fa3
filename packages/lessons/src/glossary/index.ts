/**
 * Exports the glossary. The glossary is separate from the lessons' code, so that the page loads each of them only when
 * it is needed.
 */
import { type GlossaryId, terms } from './terms.ts';

export type { GlossaryId } from './terms.ts';

/** A term of the pod's flow in one language. */
export interface GlossaryTerm {
  readonly id: GlossaryId;
  readonly name: string;
  /** One to three sentences. */
  readonly text: string;
}

const scheme = 'glossary:';

/** Returns the id in a link to the glossary (`glossary:sandbox`); undefined for another link. */
export const termOfLink = (link: string): string | undefined =>
  link.startsWith(scheme) ? link.slice(scheme.length) : undefined;

export const isGlossaryTerm = (id: string): id is GlossaryId => Object.hasOwn(terms, id);

/** Returns a term in a language. */
export const termOf = (id: GlossaryId, language: 'en' | 'zh-CN'): GlossaryTerm => ({ id, ...terms[id][language] });

/** Returns all terms in a language, ordered by name. */
export const glossary = (language: 'en' | 'zh-CN'): readonly GlossaryTerm[] =>
  Object.keys(terms)
    .filter(isGlossaryTerm)
    .map((id) => termOf(id, language))
    .toSorted((a, b) => a.name.localeCompare(b.name, language));
