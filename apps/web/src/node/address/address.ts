/** Reads and writes the page's address. No other module touches `location` or `history`. */
import { linkVersion } from '@podscope/protocol';
import { isStaticSite } from '../../base/static-site.ts';
import { breakpointWord, type LinkedBreakpoints, readBreakpoints, writeBreakpoints } from './breakpoint-link.ts';
import {
  type ClassAddress,
  hasEmbedWord,
  hasOtherReleaseWord,
  hasPresenterWord,
  hasStopsWord,
  readClassAddress,
  readPlayerHost,
  readSource,
  type Source,
  sourceWords,
} from './source-address.ts';
import { readView, type View, writeView } from './view-address.ts';

/** Unit tests run without a browser: their address is empty. */
const search = (): string => (typeof location === 'undefined' ? '' : location.search);

/** The word of the query string that holds the format number of a link. */
const versionWord = 'v';

const initialSearch = search();

/**
 * Returns the format number of a link that is newer than this page, or undefined. A link without a number has format 1.
 */
export function readNewerLink(query: string): number | undefined {
  const version = Number(new URLSearchParams(query).get(versionWord) ?? linkVersion);
  return Number.isSafeInteger(version) && version > linkVersion ? version : undefined;
}

/** The node that the page shows, according to the address when the page was loaded. */
export const addressedSource: Source = readSource(initialSearch, isStaticSite);

/** True when the page runs an engine of its own instead of talking to a server. */
export const isPageSource = addressedSource.kind === 'page';

/** The options of the page's own engine; undefined for a server's page. */
export const engineOptions = addressedSource.kind === 'page' ? addressedSource.options : undefined;

/** True for a page in a frame of another site: it shows the run and nothing around it. */
export const isEmbedded = hasEmbedWord(initialSearch);

/** True for a page beside an editor that debugs pods: the page shows each pod that stops. */
export const followsStops = hasStopsWord(initialSearch);

/** The origin of the page around an embedded page that may control it. A server's page can't be controlled. */
export const playerHost = isPageSource ? readPlayerHost(initialSearch) : undefined;

/** The class of the page, according to the address when the page was loaded; undefined outside a class. */
export const addressedClass: ClassAddress | undefined = readClassAddress(initialSearch);

/** True for the presenter view beside a presentation. */
export const isPresenterView = hasPresenterWord(initialSearch);

/** Returns the address of the presenter view for this page. */
export function presenterAddress(): string {
  const address = new URL(location.pathname, location.href);
  address.searchParams.set('presenter', 'yes');
  if (addressedClass?.role === 'teacher') address.searchParams.set('teach', '');
  return address.href;
}

/**
 * Returns the WebSocket address of the class: on the server with the origin `server`, or by default on the page's own
 * server.
 */
export function classSocketAddress(server: string | undefined, role: ClassAddress['role']): string {
  const url = new URL('/class', server ?? location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  if (role === 'teacher') url.searchParams.set('role', 'teacher');
  return url.href;
}

/** The format number of the link that opened the page if it is newer than this page can read, or undefined. */
export const newerLink: number | undefined = readNewerLink(initialSearch);

/**
 * The breakpoints in the link that opened the page. They are stored here because the view overwrites the address later.
 */
export const linkedBreakpoints: LinkedBreakpoints | undefined = readBreakpoints(
  new URLSearchParams(initialSearch).get(breakpointWord),
);

/** Returns true when the link asks for a comparison with the other release. */
export const wantsOtherRelease = (): boolean => hasOtherReleaseWord(search());

/** Returns the view of the current address. */
const readAddressedView = (): View => readView(search());

/**
 * Returns the view in the address that opened the page. For a link that requests the other release, this is the Compare
 * tab.
 */
export function readInitialView(): View {
  const view = readAddressedView();
  return wantsOtherRelease() && !new URLSearchParams(search()).has('tab') ? { ...view, tab: 'compare' } : view;
}

/**
 * Time during which changes of the view are collected before the address changes, in milliseconds. Browsers limit how
 * often the address may change.
 */
const addressDelay = 250;
let addressTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Writes the view into the address and keeps the parameters that name the node. `push` adds an entry to the history.
 */
export function writeAddressedView(view: View, how: 'push' | 'replace'): void {
  const query = [sourceWords(search()), writeView(view).slice(1)].filter((part) => part !== '').join('&');
  const address = `${location.pathname}${query === '' ? '' : `?${query}`}`;
  clearTimeout(addressTimer);
  if (how === 'push') {
    history.pushState(null, '', address);
    return;
  }
  addressTimer = setTimeout(() => history.replaceState(null, '', address), addressDelay);
}

/**
 * Calls `listener` with the view after the browser's back and forward buttons. Returns a function that unsubscribes.
 */
export function onHistory(listener: (view: View) => void): () => void {
  const read = (): void => {
    clearTimeout(addressTimer);
    listener(readAddressedView());
  };
  addEventListener('popstate', read);
  return () => removeEventListener('popstate', read);
}

/** Returns the lesson of the address and its step. */
export function readAddressedLesson(): { readonly lesson: string; readonly step: string | undefined } | undefined {
  const words = new URLSearchParams(search());
  const lesson = words.get('lesson');
  return lesson ? { lesson, step: words.get('step') ?? undefined } : undefined;
}

/** Writes the lesson and its step into the address; undefined removes them. */
export function writeAddressedLesson(lesson: string | undefined, step: string | undefined): void {
  const address = pageAddress();
  for (const [word, value] of [
    ['lesson', lesson],
    ['step', step],
  ] as const)
    if (value === undefined) address.searchParams.delete(word);
    else address.searchParams.set(word, value);
  history.replaceState(null, '', address);
}

/** Returns a copy of the current address. */
export const pageAddress = (): URL => new URL(location.href);

/** The speed of a run in the page, and its elapsed virtual time. */
export interface SharedTime {
  readonly speed: number;
  readonly paused: boolean;
  readonly elapsed: number;
}

/**
 * Returns a link to the current view that can be shared. It omits the token. It contains the breakpoints if they fit,
 * and the time of a run in the page.
 */
export function shareAddress(
  breakpoints: Parameters<typeof writeBreakpoints>[0] | undefined,
  time: SharedTime | undefined,
): {
  readonly link: URL;
  /** The number of breakpoints and filters in the link. */
  readonly count: number;
} {
  const link = pageAddress();
  // Remove the token, which grants access, from the link.
  link.searchParams.delete('token');
  link.searchParams.set(versionWord, String(linkVersion));
  if (time) {
    const { speed, paused, elapsed } = time;
    for (const word of ['speed', 'paused', 'time']) link.searchParams.delete(word);
    if (speed !== 1) link.searchParams.set('speed', String(speed));
    if (paused) link.searchParams.set('paused', 'yes');
    if (elapsed > 0) link.searchParams.set('time', String(Math.round(elapsed * 1_000) / 1_000));
  }
  const written = breakpoints && writeBreakpoints(breakpoints);
  if (written) link.searchParams.set(breakpointWord, written.text);
  return { link, count: written?.count ?? 0 };
}

/** The profile of scenario links that don't name one. */
const usualProfile = 'v1.36';

/**
 * Returns the address of a page that plays a scenario; `compare` also plays it in the other release, for comparison.
 */
export const scenarioAddress = (
  id: string,
  profile: string = usualProfile,
  { compare = false }: { readonly compare?: boolean } = {},
): string =>
  `${location.pathname}?scenario=${id}${profile === usualProfile ? '' : `&profile=${profile}`}` +
  (compare ? '&tab=compare&beside=other' : '');

/** Returns a link to a step of a lesson, without the view of the current run. */
export function lessonAddress(lesson: string, step: string): string {
  const link = new URL(location.pathname, location.href);
  link.searchParams.set('lesson', lesson);
  link.searchParams.set('step', step);
  return link.href;
}

/** Loads another page. */
export const goTo = (address: string): void => location.assign(address);
