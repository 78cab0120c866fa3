/**
 * Generates random logs for property tests: valid events in any order, including orders that a kubelet would never
 * produce.
 */
import * as fc from 'fast-check';
import type { TraceEvent } from '../../events/event.ts';

const pods = ['pod-a', 'pod-b', 'pod-c'];
const containers = ['app', 'init', 'proxy'];

const pod = fc.constantFrom(...pods);
const container = fc.constantFrom(...containers);
const index = fc.nat(7);
const text = fc.string({ maxLength: 12 });
const state = fc.constantFrom('nonexistent', 'created', 'running', 'exited', 'unknown');
const point = fc.constantFrom(
  'kubelet.podWorkerLoop',
  'kuberuntime.SyncPod',
  'syncPod.computePodActions',
  'kuberuntime.startContainer',
  'images.EnsureImageExists',
  'cri.RunPodSandbox',
  'cri.CreateContainer',
  'cri.StartContainer',
  'cri.StopContainer',
  'cri.RemoveContainer',
  'cri.PullImage',
  'cri.ContainerStatus',
  'lifecycle.postStart',
);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('open' as const), pod, point, container, index, late: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('close' as const),
      index,
      outcome: fc.constantFrom('ok' as const, 'error' as const, 'canceled' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('decide' as const), index, text }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('result' as const), pod, index, container, failed: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('object' as const),
      pod,
      containers: fc.subarray(containers, { minLength: 1 }),
      gone: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('status' as const),
      pod,
      container,
      phase: fc.constantFrom('Pending', 'Running', 'Failed'),
      waiting: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('runtime' as const), pod, container, index, from: state, to: state }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('backOff' as const),
      pod,
      container,
      seconds: fc.constantFrom(10, 20),
      state: fc.constantFrom('armed' as const, 'waiting' as const, 'reset' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pull' as const), pod, index, current: fc.nat(100) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const), pod, index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('go' as const), pod }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('intervene' as const), pod, index, text }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('say' as const), text }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const request = (name: string, uid: string, index: number): Record<string, unknown> => ({
  containerId: `${name}-${index}`,
  podSandboxId: `POD-${index}`,
  config: { metadata: { name, attempt: index, uid, namespace: 'default' }, image: { image: 'busybox' } },
  sandboxConfig: { metadata: { name: uid, uid, namespace: 'default' } },
  image: { image: 'busybox' },
});

/**
 * Converts steps to events. If a step refers to a span by a number, the event refers to one of the spans that exist at
 * that point, open or ended.
 */
class Narrator {
  readonly events: TraceEvent[] = [];
  readonly #open: {
    readonly span: number;
    readonly pod: string;
    readonly container: string;
    readonly index: number;
    readonly point: string;
  }[] = [];
  #spans = 0;
  #stops = 0;
  #time = Date.UTC(2026, 0, 1);

  #emit(event: Record<string, unknown>): void {
    this.#time += (this.events.length % 7) * 100;
    // As in JSON, members that are undefined are omitted.
    this.events.push(
      JSON.parse(
        JSON.stringify({ ...event, thread: event['pod'] ?? 'node', seq: this.events.length + 1, time: this.#time }),
      ) as TraceEvent,
    );
  }

  /** Returns one of the open spans or, for every third index, any span up to now. */
  #spanAt(index: number): number | undefined {
    return index % 3 === 0 && this.#spans > 0
      ? 1 + (index % this.#spans)
      : this.#open.at(-1 - (index % Math.max(1, this.#open.length)))?.span;
  }

  perform(step: Step): void {
    switch (step.do) {
      case 'open': {
        const { pod, point, container: name, index, late } = step;
        const span = ++this.#spans;
        const parent = late ? this.#spanAt(index) : this.#open.findLast((entry) => entry.pod === pod)?.span;
        const kind = point.startsWith('cri.')
          ? 'cri'
          : point.startsWith('syncPod.')
            ? 'syncStep'
            : point === 'kubelet.podWorkerLoop'
              ? 'worker'
              : 'function';
        this.#emit({
          type: 'spanStarted',
          pod,
          span,
          parent: parent === span ? undefined : parent,
          point,
          kind,
          title: point,
          attributes: { container: name, request: request(name, pod, index) },
        });
        this.#open.push({ span, pod, container: name, index, point });
        return;
      }
      case 'close': {
        const [entry] = this.#open.splice(-1 - (step.index % Math.max(1, this.#open.length)), 1);
        if (!entry) return;
        const id = entry.point === 'cri.RunPodSandbox' ? `POD-${entry.index}` : `${entry.container}-${entry.index}`;
        const status = {
          id,
          state: 'CONTAINER_EXITED',
          exitCode: 3,
          metadata: { name: entry.container, attempt: entry.index },
        };
        const { outcome } = step;
        const error = outcome === 'ok' ? undefined : { reason: 'Unknown', message: 'it failed' };
        this.#emit({
          type: 'spanEnded',
          pod: entry.pod,
          span: entry.span,
          outcome,
          error,
          attributes: { response: { containerId: id, podSandboxId: id, status } },
        });
        return;
      }
      case 'decide':
        return this.#emit({
          type: 'decision',
          span: this.#spanAt(step.index),
          rule: 'a.rule',
          facts: { fact: step.text },
          outcome: 'yes',
          decisive: true,
        });
      case 'result':
        return this.#emit({
          type: 'syncResult',
          pod: step.pod,
          span: this.#spanAt(step.index),
          action: 'StartContainer',
          target: step.container,
          error: step.failed ? 'CrashLoopBackOff' : undefined,
        });
      case 'object': {
        const object = {
          metadata: { name: step.pod, namespace: 'default', uid: step.pod },
          spec: { containers: step.containers.map((name) => ({ name, image: 'busybox' })) },
        };
        return this.#emit({ type: 'podChanged', pod: step.pod, operation: step.gone ? 'DELETED' : 'MODIFIED', object });
      }
      case 'status': {
        const containerStatuses = [
          { name: step.container, state: step.waiting ? { waiting: { reason: 'CrashLoopBackOff' } } : { running: {} } },
        ];
        return this.#emit({ type: 'podStatus', pod: step.pod, status: { phase: step.phase, containerStatuses } });
      }
      case 'runtime':
        return this.#emit({
          type: 'runtimeStateChanged',
          pod: step.pod,
          object: 'container',
          id: `${step.container}-${step.index}`,
          name: step.container,
          attempt: step.index,
          from: step.from,
          to: step.to,
        });
      case 'backOff': {
        const { pod, container, seconds, state } = step;
        return this.#emit({
          type: 'backOff',
          pod,
          kind: 'container',
          key: container,
          container,
          seconds,
          since: this.#time,
          until: this.#time + seconds * 1_000,
          state,
        });
      }
      case 'pull':
        return this.#emit({
          type: 'pullProgress',
          pod: step.pod,
          span: this.#spanAt(step.index),
          image: 'busybox',
          layers: [{ id: 'a', status: 'Downloading', current: step.current, total: 100 }],
        });
      case 'stop':
        return this.#emit({
          type: 'stopped',
          pod: step.pod,
          span: this.#spanAt(step.index),
          reason: 'breakpoint',
          point: 'cri.StartContainer',
          phase: 'before',
          stop: ++this.#stops,
        });
      case 'go':
        return this.#emit({ type: 'continued', pod: step.pod, reason: 'continue' });
      case 'intervene':
        return this.#emit({
          type: 'intervention',
          pod: step.pod,
          span: this.#spanAt(step.index),
          id: this.events.length + 1,
          action: 'fail',
          origin: 'stop',
          text: step.text,
        });
      case 'say':
        return this.#emit({ type: 'output', level: 'info', message: step.text });
    }
  }
}

/** Generates logs from up to `maxSteps` steps. Their events are numbered from 1. */
export const randomRun = (maxSteps = 120): fc.Arbitrary<readonly TraceEvent[]> =>
  fc.array(step, { maxLength: maxSteps }).map((steps) => {
    const narrator = new Narrator();
    for (const each of steps) narrator.perform(each);
    return narrator.events;
  });
