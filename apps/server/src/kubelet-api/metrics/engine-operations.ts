/**
 * Counts calls of the Docker Engine and of the network plugin as dockershim does. Upstream:
 * dockershim/metrics/metrics.go, network/metrics (v1.20).
 */
import type { TraceEvent } from '@podscope/trace';
import type { Meters } from './meters.ts';

interface OpenOperation {
  readonly type: string;
  readonly isDocker: boolean;
  readonly startedAt: number;
}

const irregular: Readonly<Record<string, string>> = { 'docker.UpdateContainerResources': 'update_container' };

/** Returns the metric label of an engine call: `docker.InspectContainer` becomes `inspect_container`. */
const operationOf = (point: string): string =>
  irregular[point] ??
  point.slice('docker.'.length).replaceAll(/[A-Z]/g, (letter, at) => `${at === 0 ? '' : '_'}${letter.toLowerCase()}`);

/** Counts the engine and network plugin calls of one node. */
export class EngineOperations {
  readonly #meters: Meters;
  readonly #open = new Map<number, OpenOperation>();

  constructor(meters: Meters) {
    this.#meters = meters;
  }

  observe(event: TraceEvent): void {
    if (event.type === 'spanStarted') {
      const { span, point, time, attributes } = event;
      if (event.kind === 'docker') this.#open.set(span, { type: operationOf(point), isDocker: true, startedAt: time });
      else if (point === 'dockershim.setUpSandboxNetwork' && attributes['hostNetwork'] !== true) {
        this.#open.set(span, { type: 'set_up_pod', isDocker: false, startedAt: time });
      } else if (point === 'cni.DEL') this.#open.set(span, { type: 'tear_down_pod', isDocker: false, startedAt: time });
    } else if (event.type === 'spanEnded') {
      const operation = this.#open.get(event.span);
      if (!operation) return;
      this.#open.delete(event.span);
      this.#ended(
        operation,
        (event.time - operation.startedAt) / 1000,
        event.outcome === 'ok' ? undefined : (event.error?.message ?? ''),
      );
    }
  }

  #ended({ type, isDocker }: OpenOperation, seconds: number, error: string | undefined): void {
    const {
      dockerOperations,
      dockerDuration,
      dockerErrors,
      dockerTimeouts,
      networkOperations,
      networkDuration,
      networkErrors,
    } = this.#meters;
    const labels = { operation_type: type };
    (isDocker ? dockerOperations : networkOperations).inc(labels);
    (isDocker ? dockerDuration : networkDuration).observe(labels, seconds);
    if (error === undefined) return;
    (isDocker ? dockerErrors : networkErrors).inc(labels);
    if (isDocker && /operation timeout|deadline exceeded/.test(error)) dockerTimeouts.inc(labels);
  }
}
