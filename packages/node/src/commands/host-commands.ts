/** Implements the node's commands: apply, validate, delete, YAML and logs. */

import { ApiError, badRequest, ManifestApplier, type Registry, type Storage } from '@podscope/apiserver';
import { errorMessage } from '@podscope/base';
import { workerUID } from '@podscope/k8s';
import type { Kubelet } from '@podscope/kubelet';
import type { ApplyResult, LogLine } from '@podscope/protocol';
import { type Context, withSignal } from '@podscope/trace';
import { stringify } from 'yaml';
import type { LogRequest, NodeCommands } from './node-commands.ts';

export interface HostCommandsOptions {
  readonly registry: Registry;
  /** The registry for dry runs. */
  readonly dryRunRegistry: Registry;
  readonly storage: Storage;
  /** Returns the current kubelet. */
  readonly kubelet: () => Kubelet;
  readonly ctx: Context;
}

/** The commands of one node. */
export class HostCommands implements NodeCommands {
  readonly #options: HostCommandsOptions;
  readonly #applier: ManifestApplier;
  readonly #validator: ManifestApplier;

  constructor(options: HostCommandsOptions) {
    this.#options = options;
    this.#applier = new ManifestApplier(options);
    this.#validator = new ManifestApplier({ registry: options.dryRunRegistry, storage: options.storage });
  }

  /** Applies all objects in a text. If any object is invalid, applies none of them. */
  async apply(manifest: string): Promise<ApplyResult> {
    const { ctx, storage } = this.#options;
    const result = this.#applier.apply(manifest);
    const objects = result.applied.map(({ kind, namespace, name, operation }) => ({
      kind,
      namespace,
      name,
      operation,
    }));
    if (objects.length > 0) ctx.tracer.emit(ctx, { type: 'command', command: 'apply', arguments: { objects } });
    await storage.saved();
    return result;
  }

  validate(manifest: string): Promise<ApplyResult> {
    return Promise.resolve(this.#validator.validate(manifest));
  }

  async deletePod(namespace: string, name: string, gracePeriodSeconds: number | undefined): Promise<void> {
    const { ctx, registry, storage } = this.#options;
    const { object } = registry.delete('Pod', namespace, name, { gracePeriodSeconds });
    ctx.tracer.emit(ctx, {
      type: 'command',
      command: 'deletePod',
      pod: workerUID(object),
      arguments: { namespace, name, gracePeriodSeconds },
    });
    await storage.saved();
  }

  getPodYaml(namespace: string, name: string): string {
    const { managedFields: _, ...metadata } = this.#options.storage.mustGet('Pod', namespace, name).metadata;
    return stringify(
      { ...this.#options.storage.mustGet('Pod', namespace, name), metadata },
      { aliasDuplicateObjects: false, lineWidth: 0 },
    );
  }

  async *logs({ namespace, name, container, ...options }: LogRequest, signal: AbortSignal): AsyncIterable<LogLine> {
    const { kubelet, storage, ctx } = this.#options;
    storage.mustGet('Pod', namespace, name);
    try {
      for await (const { time, stream, text } of kubelet().containerLogs(
        withSignal(ctx, signal),
        namespace,
        name,
        container,
        options,
      ))
        yield { time, stream, text };
    } catch (error) {
      throw error instanceof ApiError || signal.aborted ? error : badRequest(errorMessage(error));
    }
  }
}
