/**
 * Caches the answers of `GET /version` and `GET /info` for a minute, because every sync of a kubelet needs them.
 * Upstream: versionCache (dockershim docker_service.go, v1.20); cri-dockerd caches both.
 */
import type { Context, Instant } from '@podscope/trace';
import { DockerError } from './error.ts';
import type { DockerClient } from './port.ts';

const maxAgeMs = 60_000;

interface Entry {
  readonly value: unknown;
  readonly at: Instant;
}

type Call = (ctx: Context, args: object) => unknown;

/** Returns true if the engine didn't answer. Another release may replace such an engine. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof DockerError && error.code === 'Unavailable' && error.status === undefined;

/**
 * Returns a client that caches `version` and `info` for a minute. If any call can't reach the engine, the cache is
 * emptied, so that the next call for version or info fails if the engine is still unreachable.
 */
export function cacheEngine(client: DockerClient): DockerClient {
  const entries = new Map<PropertyKey, Entry>();

  const checked = async (ctx: Context, call: Call, args: object): Promise<unknown> => {
    try {
      return await call.call(client, ctx, args);
    } catch (error) {
      if (isUnreachable(error)) entries.clear();
      throw error;
    }
  };

  const cached = async (ctx: Context, key: 'version' | 'info', args: object): Promise<unknown> => {
    const now = ctx.clock.now();
    const entry = entries.get(key);
    if (entry && now - entry.at < maxAgeMs) return entry.value;
    const value = await checked(ctx, client[key] as Call, args);
    entries.set(key, { value, at: now });
    return value;
  };

  return new Proxy(client, {
    get(target, key) {
      if (key === 'version' || key === 'info') return (ctx: Context, args: object) => cached(ctx, key, args);
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      if (key === 'archive' || key === 'logs' || key === 'events' || key === 'close')
        return value.bind(target) as unknown;
      return (ctx: Context, args: object) => checked(ctx, value as Call, args);
    },
  });
}
