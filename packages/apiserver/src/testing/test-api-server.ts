/** Provides an API server on a virtual clock, and a persistence in memory, for tests. */
import type { KubernetesObject } from '@podscope/k8s';
import { VirtualClock } from '@podscope/trace';
import { baselinePolicy } from '../admission/pod-security/policy.ts';
import { ApiServer, type ApiServerOptions } from '../api-server.ts';
import type { ObjectPersistence } from '../storage/persistence.ts';

/** Keeps objects in a map. */
export class MemoryPersistence implements ObjectPersistence {
  readonly kept = new Map<string, KubernetesObject>();

  load(): Promise<readonly KubernetesObject[]> {
    return Promise.resolve([...this.kept.values()]);
  }
  async put(key: string, object: KubernetesObject): Promise<void> {
    this.kept.set(key, object);
  }
  async delete(key: string): Promise<void> {
    this.kept.delete(key);
  }
}

export interface TestApiServer {
  readonly clock: VirtualClock;
  readonly api: ApiServer;
  /** Advances the virtual clock until the condition holds. */
  until(condition: () => boolean, limit?: number): Promise<void>;
}

/** Returns an API server whose controllers run. */
export async function startTestApiServer(
  options: Partial<Pick<ApiServerOptions, 'persistence' | 'policy'>> = {},
): Promise<TestApiServer> {
  const clock = new VirtualClock();
  const api = new ApiServer({
    policy: baselinePolicy,
    ...options,
    clock,
    random: seededRandom(7),
    nodeName: 'node',
    onPersistence: () => undefined,
  });
  await api.storage.load();
  api.createDefaultObjects();
  api.startControllers();
  return { clock, api, until: (condition, limit) => clock.advanceUntil(condition, limit) };
}

/** Returns a Lehmer generator, which yields the same numbers in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
