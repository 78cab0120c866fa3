/** Stores checked requests under one-time tokens. Upstream: requestCache (kubelet streaming, v1.36). */
import { randomBytes } from 'node:crypto';
import { CriError } from '@podscope/cri';

const tokenBytes = 6;
/** Lifetime of a token in milliseconds. */
const lifetimeMs = 60_000;
const maxPending = 1000;

/** The requests whose URL hasn't been opened. */
export class TokenCache<T> {
  readonly #pending = new Map<string, { readonly value: T; readonly expires: number }>();
  readonly #now: () => number;

  /** @param now milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns a token for the request. @throws CriError ResourceExhausted if too many requests wait */
  insert(value: T): string {
    const now = this.#now();
    for (const [token, { expires }] of this.#pending) if (expires <= now) this.#pending.delete(token);
    if (this.#pending.size >= maxPending)
      throw new CriError('ResourceExhausted', 'maximum number of in-flight requests exceeded');
    let token = randomBytes(tokenBytes).toString('base64url');
    while (this.#pending.has(token)) token = randomBytes(tokenBytes).toString('base64url');
    this.#pending.set(token, { value, expires: now + lifetimeMs });
    return token;
  }

  /** Removes and returns the request of a token; undefined if it is unknown, used or expired. */
  consume(token: string): T | undefined {
    const entry = this.#pending.get(token);
    this.#pending.delete(token);
    return entry && entry.expires > this.#now() ? entry.value : undefined;
  }
}
