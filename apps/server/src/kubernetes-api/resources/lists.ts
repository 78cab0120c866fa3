/** Lists objects, all at once or in pages (`limit` and `continue`). */
import { badRequest, type Storage, type StoredKind, type StoredKinds } from '@podscope/apiserver';
import { z } from 'zod';
import type { Predicate } from './selectors.ts';

export interface Page<K extends StoredKind> {
  readonly items: readonly StoredKinds[K][];
  /** The list's own metadata. Upstream: metav1.ListMeta. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * The content of a continue token. The next page starts after the object `after`. It includes changes that were made
 * after the previous page.
 */
const tokenSchema = z.object({ after: z.string().max(512) });

const keyOf = ({ metadata }: { readonly metadata: { readonly namespace?: string; readonly name: string } }): string =>
  `${metadata.namespace ?? ''}/${metadata.name}`;

function parseToken(token: string): string {
  try {
    return tokenSchema.parse(JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))).after;
  } catch {
    throw badRequest(`continue key is not valid: ${JSON.stringify(token.slice(0, 64))}`);
  }
}

/** Returns the matching objects of a kind: at most `limit`, starting after the object in the continue token. */
export function listPage<K extends StoredKind>(
  storage: Storage,
  kind: K,
  {
    namespace,
    matches,
    limit,
    continueToken,
  }: {
    readonly namespace: string | undefined;
    readonly matches: Predicate;
    readonly limit: number | undefined;
    readonly continueToken: string | undefined;
  },
): Page<K> {
  const after = continueToken === undefined ? '' : parseToken(continueToken);
  const rest = storage.list(kind, namespace).filter((object) => keyOf(object) > after && matches(object));
  const items = limit ? rest.slice(0, limit) : rest;
  const last = items.at(-1);
  const more =
    last && items.length < rest.length
      ? {
          continue: Buffer.from(JSON.stringify({ after: keyOf(last) })).toString('base64url'),
          remainingItemCount: rest.length - items.length,
        }
      : {};
  return { items, metadata: { resourceVersion: String(storage.resourceVersion), ...more } };
}
