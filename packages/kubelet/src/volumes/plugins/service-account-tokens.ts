/**
 * Requests service account tokens for projected volumes, caches them and renews them in time. Upstream: token.Manager
 * (pkg/kubelet/token/token_manager.go, v1.36).
 */
import { errorText } from '@podscope/base';
import type { Pod } from '@podscope/k8s';
import { type Context, type Instant, instant, type Milliseconds } from '@podscope/trace';
import type { KubeClient, ServiceAccountToken } from '../../dependencies.ts';

/** The longest time after which a token is renewed, even if its lifetime is longer. */
const maxTTL: Milliseconds = 24 * 3_600_000;
const maxJitter: Milliseconds = 10_000;
/** A token is renewed when at most this share of its lifetime remains. */
const refreshShare = 0.2;

/** The token that a projected volume requests. Upstream: ServiceAccountTokenProjection. */
export interface TokenProjection {
  readonly audience?: string | undefined;
  readonly expirationSeconds: number;
}

interface Kept extends ServiceAccountToken {
  readonly podUID: string;
  /** The requested lifetime in ms. */
  readonly lifetime: Milliseconds;
}

/** Caches tokens by pod and projection. */
export class ServiceAccountTokens {
  readonly #client: Pick<KubeClient, 'createServiceAccountToken'>;
  readonly #random: () => number;
  readonly #kept = new Map<string, Kept>();

  constructor(client: Pick<KubeClient, 'createServiceAccountToken'>, random: () => number) {
    this.#client = client;
    this.#random = random;
  }

  /**
   * Returns a valid token from the cache, or requests a new one when the cached token expires soon. If the request
   * fails, returns the cached token while it is valid. Upstream: GetServiceAccountToken.
   * @throws Error when the request fails and the cached token has expired
   */
  async get(ctx: Context, pod: Pod, { audience, expirationSeconds }: TokenProjection): Promise<string> {
    const { namespace = '', name, uid } = pod.metadata;
    const account = pod.spec.serviceAccountName || 'default';
    const key = JSON.stringify([uid, namespace, account, audience, expirationSeconds]);
    const kept = this.#kept.get(key);
    const now = ctx.clock.now();
    if (kept && !this.#requiresRefresh(kept, now)) return kept.token;
    try {
      const issued = await this.#client.createServiceAccountToken(namespace, account, {
        audiences: audience ? [audience] : [],
        expirationSeconds,
        boundPod: { name, uid },
      });
      this.#kept.set(key, { ...issued, podUID: uid, lifetime: expirationSeconds * 1000 });
      const facts = { serviceAccount: account, audience, expires: new Date(issued.expires).toISOString() };
      ctx.tracer.decide(ctx, 'volumes.serviceAccountToken', facts, kept ? 'renewed' : 'issued');
      return issued.token;
    } catch (error) {
      const text = errorText(error);
      if (!kept) throw new Error(`failed to fetch token: ${text}`, { cause: error });
      if (kept.expires <= now)
        throw new Error(`token ${JSON.stringify(`${account}/${namespace}`)} expired and refresh failed: ${text}`, {
          cause: error,
        });
      ctx.tracer.emit(ctx, {
        type: 'output',
        level: 'warning',
        message: `Couldn't update the token of ${namespace}/${account}: ${text}`,
      });
      return kept.token;
    }
  }

  /** Removes the tokens of a pod from the cache. Upstream: DeleteServiceAccountToken. */
  forget(podUID: string): void {
    for (const [key, kept] of this.#kept) if (kept.podUID === podUID) this.#kept.delete(key);
  }

  /**
   * True after four fifths of the lifetime, or after a day if that is earlier. A few seconds of jitter are subtracted,
   * so that not all tokens are renewed at once. Upstream: requiresRefresh.
   */
  #requiresRefresh({ expires, lifetime }: Kept, now: Instant): boolean {
    const jitter = this.#random() * maxJitter;
    const issued = instant(expires - lifetime);
    return now > issued + maxTTL - jitter || now > expires - lifetime * refreshShare - jitter;
  }
}
