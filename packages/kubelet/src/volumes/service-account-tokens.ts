/**
 * Tokens of service accounts for projected volumes: asked of the API server, kept, and asked for anew in time.
 * Upstream: token.Manager (pkg/kubelet/token/token_manager.go, v1.36).
 */
import type { Pod } from '@podscope/k8s';
import { type Context, type Instant, instant, type Milliseconds } from '@podscope/trace';
import type { KubeClient, ServiceAccountToken } from '../dependencies.ts';
import { errorText } from '../util/error-text.ts';

/** A token that lives longer is asked for anew after this time, too. */
const maxTTL: Milliseconds = 24 * 3_600_000;
const maxJitter: Milliseconds = 10_000;
/** The share of its life that is left when a token is asked for anew. */
const refreshShare = 0.2;

/** What a volume asks for. Upstream: ServiceAccountTokenProjection. */
export interface TokenProjection {
  readonly audience?: string | undefined;
  readonly expirationSeconds: number;
}

interface Kept extends ServiceAccountToken {
  readonly podUID: string;
  /** How long it was to live when it was asked for. */
  readonly lifetime: Milliseconds;
}

/** Tokens by pod and projection. */
export class ServiceAccountTokens {
  readonly #client: Pick<KubeClient, 'createServiceAccountToken'>;
  readonly #random: () => number;
  readonly #kept = new Map<string, Kept>();

  constructor(client: Pick<KubeClient, 'createServiceAccountToken'>, random: () => number) {
    this.#client = client;
    this.#random = random;
  }

  /**
   * A token that is good for a while yet; when none can be had, the old one as long as it is good. Upstream: GetServiceAccountToken.
   * @throws Error when there is none
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
      if (kept.expires <= now) throw new Error(`token ${JSON.stringify(`${account}/${namespace}`)} expired and refresh failed: ${text}`, { cause: error });
      ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `Couldn't update the token of ${namespace}/${account}: ${text}` });
      return kept.token;
    }
  }

  /** Forgets the tokens of a pod. Upstream: DeleteServiceAccountToken. */
  forget(podUID: string): void {
    for (const [key, kept] of this.#kept) if (kept.podUID === podUID) this.#kept.delete(key);
  }

  /** After four fifths of its life, or a day; a few seconds earlier, so that not all come at once. Upstream: requiresRefresh. */
  #requiresRefresh({ expires, lifetime }: Kept, now: Instant): boolean {
    const jitter = this.#random() * maxJitter;
    const issued = instant(expires - lifetime);
    return now > issued + maxTTL - jitter || now > expires - lifetime * refreshShare - jitter;
  }
}
