/**
 * The part of the address that says which node the page shows: the server it came from, or one of the page's own. It is read once; the
 * view's part changes beside it.
 */
import { type EngineOptions, engineOptionsSchema } from './engine-messages.ts';

/** Where the events come from. */
export type Source = { readonly kind: 'server' } | { readonly kind: 'page'; readonly options: EngineOptions };

/** Words of the query string that belong to the source, in the order they are written. */
const words = ['alone', 'scenario', 'lesson', 'step', 'profile', 'seed', 'speed', 'paused', 'simulation', 'embed', 'beside'] as const;

/** A page in somebody's frame: nothing around what it shows. */
export const isEmbedded = (search: string): boolean => new URLSearchParams(search).has('embed');

/** The scenario is to be played in the other release too, and laid beside it. */
export const wantsOtherBeside = (search: string): boolean => new URLSearchParams(search).has('beside');

const numeric = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);

/** Reads a query string. A page that was built to stand alone has no server to come from. */
export function readSource(search: string, standsAlone: boolean): Source {
  const parameters = new URLSearchParams(search);
  const scenario = parameters.get('scenario') || undefined;
  if (!standsAlone && !parameters.has('alone') && scenario === undefined && !parameters.has('lesson')) return { kind: 'server' };
  const [seed, speed] = [parameters.get('seed'), parameters.get('speed')];
  const said = Object.entries({
    ...(seed ? { seed: numeric(seed) } : {}),
    ...(speed ? { speed: Number(speed) } : {}),
    ...(parameters.has('profile') ? { profile: parameters.get('profile') } : {}),
    ...(parameters.has('paused') ? { paused: true } : {}),
    ...(parameters.get('simulation') ? { simulation: parameters.get('simulation') } : {}),
  });
  // What makes no sense in a link is as good as absent; the rest of it holds.
  const sensible = said.filter(([name, value]) => engineOptionsSchema.safeParse({ [name]: value }).success);
  return { kind: 'page', options: { ...engineOptionsSchema.parse(Object.fromEntries(sensible)), ...(scenario === undefined ? {} : { scenario }) } };
}

/** The source's words of a query string, without a question mark; empty when there are none. */
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
