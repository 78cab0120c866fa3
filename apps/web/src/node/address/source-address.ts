/** Reads the part of the address that names the node: the page's server, or an engine in the page. */
import { readEngineOptions } from '../standalone/engine-address.ts';
import type { EngineOptions } from '../standalone/engine-messages.ts';

/** Where the events come from: the page's server, or an engine in the page. */
export type Source = { readonly kind: 'server' } | { readonly kind: 'page'; readonly options: EngineOptions };

/** Query parameters of the source, in the order in which they are written. */
const words = [
  'alone',
  'scenario',
  'lesson',
  'step',
  'profile',
  'seed',
  'speed',
  'paused',
  'time',
  'simulation',
  'embed',
  'host',
  'stops',
  'beside',
  'class',
  'server',
  'teach',
  'presenter',
] as const;

/** Query parameters of a page in a class: the learner's join code, the teacher's page, the presenter view. */
const classWords = ['class', 'teach', 'presenter'] as const;

/** The role of the page in a class. */
export type ClassAddress =
  | {
      readonly role: 'learner';
      readonly code: string;
      /** Origin of the class server; undefined for the server of the page. */
      readonly server: string | undefined;
    }
  | { readonly role: 'teacher' };

const originOf = (text: string | null): string | undefined => {
  const url = text === null ? null : URL.parse(text);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.origin : undefined;
};

/** Returns the class of a query string. */
export function readClassAddress(search: string): ClassAddress | undefined {
  const parameters = new URLSearchParams(search);
  if (parameters.has('teach')) return { role: 'teacher' };
  const code = parameters.get('class');
  return code === null ? undefined : { role: 'learner', code, server: originOf(parameters.get('server')) };
}

/** Returns true for the presenter view: notes and next step in a window beside the presentation. */
export const hasPresenterWord = (search: string): boolean => new URLSearchParams(search).has('presenter');

/** Returns true when the page is embedded in a frame of another site and shows only the run. */
export const hasEmbedWord = (search: string): boolean => new URLSearchParams(search).has('embed');

/** Returns true for a page beside an editor that debugs pods: the page shows each pod that stops. */
export const hasStopsWord = (search: string): boolean => new URLSearchParams(search).has('stops');

/** Returns the origin of the page around an embedded page that may control it; undefined if none may. */
export function readPlayerHost(search: string): string | undefined {
  return hasEmbedWord(search) ? originOf(new URLSearchParams(search).get('host')) : undefined;
}

/** Returns true when the scenario also plays in the other release, for comparison. */
export const hasOtherReleaseWord = (search: string): boolean => new URLSearchParams(search).has('beside');

/**
 * Returns the source of a query string.
 * @param standsAlone true for the static site, which has no server
 */
export function readSource(search: string, standsAlone: boolean): Source {
  const parameters = new URLSearchParams(search);
  // A class server has no node, so everyone in the class (the teacher, too) runs a simulated node in the page.
  const isInClass = classWords.some((word) => parameters.has(word));
  if (
    !standsAlone &&
    !isInClass &&
    !parameters.has('alone') &&
    !parameters.get('scenario') &&
    !parameters.has('lesson')
  )
    return { kind: 'server' };
  return { kind: 'page', options: readEngineOptions(search) };
}

/**
 * Returns the part of a query string that names the source, without a question mark. Returns an empty text if it names
 * none.
 */
export function sourceWords(search: string): string {
  const parameters = new URLSearchParams(search);
  return words
    .flatMap((word) => {
      const value = parameters.get(word);
      if (value === null) return [];
      return value === '' ? word : `${word}=${encodeURIComponent(value)}`;
    })
    .join('&');
}
