/** Resolves runtime classes to the handlers of the runtime. Upstream: pkg/kubelet/runtimeclass (v1.36). */
import type { RuntimeHandler } from '@podscope/cri';
import type { Pod } from '@podscope/k8s';
import type { KubeClient } from '../dependencies.ts';

/** Reads runtime classes and stores their handlers, as upstream's informer does. */
export class RuntimeClasses {
  readonly #client: Pick<KubeClient, 'getRuntimeClass'>;
  readonly #standalone: boolean;
  readonly #handlers = new Map<string, string>();

  /** @param standalone whether there is no API server; then every pod has the default handler */
  constructor(client: Pick<KubeClient, 'getRuntimeClass'>, standalone = false) {
    this.#client = client;
    this.#standalone = standalone;
  }

  /** Returns the name of a class's handler; undefined if the class doesn't exist. Upstream: LookupRuntimeHandler. */
  async lookupRuntimeHandler(name: string): Promise<string | undefined> {
    if (this.#standalone) return '';
    const handler = (await this.#client.getRuntimeClass(name))?.handler;
    if (handler === undefined) this.#handlers.delete(name);
    else this.#handlers.set(name, handler);
    return handler;
  }

  /** Reads the classes of new pods, so that they are known before the first status. Errors leave a class unknown. */
  async learn(pods: readonly Pod[]): Promise<void> {
    const names = new Set(pods.flatMap(({ spec: { runtimeClassName } }) => runtimeClassName || []));
    for (const name of names) await this.lookupRuntimeHandler(name).catch(() => undefined);
  }

  /**
   * Returns true if the handler of the pod supports recursively read-only mounts; always false without an API server.
   * Upstream: runtimeClassSupportsRecursiveReadOnlyMounts.
   * @param handlers what the runtime last reported; empty if it reports no handlers
   */
  supportsRecursiveReadOnly({ spec: { runtimeClassName } }: Pod, handlers: readonly RuntimeHandler[]): boolean {
    if (this.#standalone) return false;
    const wanted = runtimeClassName ? this.#handlers.get(runtimeClassName) : '';
    const handler = handlers.find(({ name = '' }) => name === wanted);
    return handler?.features?.recursiveReadOnlyMounts ?? false;
  }
}
