/**
 * Serves watches: streams of JSON documents with one change each. Upstream: apiserver endpoints/handlers/watch.go
 * (v1.36).
 */
import {
  ApiError,
  asApiError,
  type Change,
  type Storage,
  type StoredKind,
  type StoredKinds,
} from '@podscope/apiserver';
import type { Clock, Milliseconds, Timer } from '@podscope/trace';
import type { Response } from 'express';
import type { Predicate } from './selectors.ts';

export interface WatchRequest<K extends StoredKind> {
  readonly kind: K;
  readonly matches: Predicate;
  /** The version after which the watch starts. If empty or `0`, the watch starts with all existing objects. */
  readonly resourceVersion: string;
  readonly timeoutSeconds: number | undefined;
  readonly bookmarks: boolean;
  /** True to start with all existing objects and to send a bookmark after them. */
  readonly sendInitialEvents: boolean;
  /** Converts an object to the form that is sent. */
  readonly present: (object: StoredKinds[K]) => unknown;
  /** Converts a bookmark to the form that is sent. */
  readonly presentBookmark: (metadata: Readonly<Record<string, unknown>>) => unknown;
}

/** The duration of a watch without `timeoutSeconds`. */
const defaultTimeout: Milliseconds = 3_600_000;
const bookmarkInterval: Milliseconds = 60_000;
/**
 * The number of unread bytes, without the initial objects, at which a client is disconnected. The client then lists the
 * objects again.
 */
const maxBehind = 4 * 1024 * 1024;

type WatchType = Change['type'] | 'BOOKMARK' | 'ERROR';

/** Returns one document of the stream. */
const documentOf = (type: WatchType, object: unknown): string => `${JSON.stringify({ type, object })}\n`;

/**
 * Returns the type of a change from the view of a client that sees only matching objects; undefined if the client
 * doesn't see the change.
 */
function visibleType({ type, object, previous }: Change, matches: Predicate): Change['type'] | undefined {
  const before = previous !== undefined && matches(previous);
  const now = type !== 'DELETED' && matches(object);
  if (before) return now ? 'MODIFIED' : 'DELETED';
  return now ? 'ADDED' : undefined;
}

function beginStream(response: Response): void {
  response.status(200).setHeader('Content-Type', 'application/json');
  response.setHeader('Cache-Control', 'no-cache, private');
  response.flushHeaders();
}

const lengthOf = (timeoutSeconds: number | undefined): Milliseconds => (timeoutSeconds ?? 0) * 1000 || defaultTimeout;

/**
 * Returns the metadata of a bookmark.
 * @param endsInitialEvents true for the bookmark that follows the initial objects
 */
export const bookmarkMetadata = (
  { resourceVersion }: Storage,
  endsInitialEvents: boolean,
): Readonly<Record<string, unknown>> => ({
  resourceVersion: String(resourceVersion),
  creationTimestamp: null,
  ...(endsInitialEvents ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
});

/**
 * Serves a watch without changes, for a kind that never has objects.
 * @param timeoutSeconds the duration that the request asks for
 * @param bookmark the bookmark that ends the initial objects; undefined if the client doesn't request them
 */
export function holdWatchOpen(
  response: Response,
  clock: Clock,
  timeoutSeconds: number | undefined,
  bookmark: unknown,
): void {
  beginStream(response);
  if (bookmark !== undefined) response.write(documentOf('BOOKMARK', bookmark));
  const timer = clock.schedule(lengthOf(timeoutSeconds), () => response.end());
  response.on('close', () => timer.cancel());
}

/** Handles a watch request. Returns at once; the watch ends at its timeout or when the client disconnects. */
export function serveWatch<K extends StoredKind>(
  response: Response,
  storage: Storage,
  clock: Clock,
  request: WatchRequest<K>,
): void {
  const { kind, matches, present, presentBookmark } = request;
  beginStream(response);
  const timers = new Set<Timer>();
  let unwatch: (() => void) | undefined;
  const end = (): void => {
    unwatch?.();
    for (const timer of timers) timer.cancel();
    if (!response.writableEnded) response.end();
  };
  response.on('close', end);
  let allowed = Number.POSITIVE_INFINITY;
  const send = (type: WatchType, object: unknown): void => {
    if (response.writableEnded) return;
    response.write(documentOf(type, object));
    if (response.writableLength > allowed) response.destroy();
  };
  const bookmark = (endsInitialEvents: boolean): void =>
    send('BOOKMARK', presentBookmark(bookmarkMetadata(storage, endsInitialEvents)));

  const fresh = request.sendInitialEvents || request.resourceVersion === '' || request.resourceVersion === '0';
  try {
    if (fresh) for (const object of storage.list(kind)) if (matches(object)) send('ADDED', present(object));
    if (request.sendInitialEvents) bookmark(true);
    allowed = maxBehind + response.writableLength;
    response.once('drain', () => (allowed = maxBehind));
    unwatch = storage.watch(kind, fresh ? storage.resourceVersion : parseVersion(request.resourceVersion), (change) => {
      const type = visibleType(change, matches);
      if (type) send(type, present(change.object));
    });
  } catch (error) {
    send('ERROR', asApiError(error).status);
    end();
    return;
  }
  timers.add(clock.schedule(lengthOf(request.timeoutSeconds), end));
  const scheduleBookmark = (): void => {
    const timer = clock.schedule(bookmarkInterval, () => {
      timers.delete(timer);
      bookmark(false);
      scheduleBookmark();
    });
    timers.add(timer);
  };
  if (request.bookmarks) scheduleBookmark();
}

function parseVersion(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new ApiError(400, 'BadRequest', `invalid resource version ${JSON.stringify(text)}`);
  return Number(text);
}
