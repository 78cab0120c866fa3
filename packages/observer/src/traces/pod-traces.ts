/**
 * Converts the spans of a pod that a trace storage returned to the events of a run. The spans are those of relays,
 * kubelets and container runtimes of all nodes on which pods of that name ran.
 */
import { kubeletPoints } from '@podscope/flow';
import type { Pod } from '@podscope/k8s';
import { grpcCodeOf, type TraceEvent } from '@podscope/trace';
import { callPoint, type EventPlace, EventWriter, type SpanPoint } from '../event-writer.ts';
import type { ObservedSpan } from '../inputs.ts';
import { SortingSink } from '../recording/replay.ts';
import type { PodName } from '../state/registry.ts';
import { rpcOf } from '../syncs/inner-spans.ts';
import { inferredSyncName } from './call-spans.ts';

/** A span with the attributes of the program that reported it. */
export interface StoredSpan extends ObservedSpan {
  readonly resource: Readonly<Record<string, unknown>>;
}

/** The events of a pod's spans. */
export interface PodTraces {
  readonly events: readonly TraceEvent[];
  /** The nodes whose spans were found, in the order of their first span. */
  readonly nodes: readonly string[];
  /** The kubelet's release, as a relay or a kubelet reports it. */
  readonly version: string | undefined;
}

const syncNames: ReadonlySet<string> = new Set([
  'syncPod',
  'syncTerminatingPod',
  'syncTerminatedPod',
  inferredSyncName,
]);

const textOf = (values: Readonly<Record<string, unknown>>, ...names: readonly string[]): string =>
  names.map((name) => values[name]).find((value): value is string => typeof value === 'string') ?? '';

/** Returns the pod that a span names. Every span of a relay names the pod; of a kubelet's spans, only syncs do. */
function podOf({ attributes }: StoredSpan): PodName | undefined {
  const uid = textOf(attributes, 'k8s.pod.uid');
  if (uid === '') return undefined;
  return {
    uid,
    name: textOf(attributes, 'k8s.pod.name'),
    namespace: textOf(attributes, 'k8s.namespace.name'),
  };
}

const nodeOf = ({ resource }: StoredSpan): string => textOf(resource, 'k8s.node.name', 'host.name');

/** A call is reported by the kubelet, the relay and the runtime, each below the one before: one of them is shown. */
interface Shown {
  readonly span: StoredSpan;
  readonly merged: StoredSpan[];
}

/** The spans by id, without those that repeat the call of the span around them. */
class SpanTree {
  readonly shown: readonly Shown[];
  readonly #byId = new Map<string, StoredSpan>();
  readonly #holders = new Map<string, Shown>();

  constructor(spans: readonly StoredSpan[]) {
    for (const span of spans) this.#byId.set(span.id, span);
    const shown: Shown[] = [];
    const place = (span: StoredSpan): Shown => {
      const known = this.#holders.get(span.id);
      if (known) return known;
      const around = this.#byId.get(span.parent);
      const call = rpcOf(span);
      const holder = around && call && rpcOf(around)?.method === call.method ? place(around) : { span, merged: [] };
      this.#holders.set(span.id, holder);
      if (holder.span === span) shown.push(holder);
      else holder.merged.push(span);
      return holder;
    };
    for (const span of this.#byId.values()) place(span);
    this.shown = shown.toSorted((a, b) => a.span.t - b.span.t);
  }

  /** Returns the shown span around a span. */
  around({ span }: Shown): Shown | undefined {
    return this.#holders.get(span.parent);
  }

  /** Returns the pod of a span: its own, or that of the spans around it, or that of a call inside it. */
  podOf(shown: Shown): PodName | undefined {
    const own = [shown.span, ...shown.merged].map(podOf).find((pod) => pod !== undefined);
    const around = this.around(shown);
    return own ?? (around && this.podOf(around));
  }
}

/** Returns the pods that spans name, with the containers and images of their calls. */
function podsOf(spans: readonly StoredSpan[]): ReadonlyMap<string, { pod: Pod; at: number }> {
  const pods = new Map<string, { pod: Pod; at: number }>();
  for (const span of spans.toSorted((a, b) => a.t - b.t)) {
    const pod = podOf(span);
    if (!pod) continue;
    const { uid, name, namespace } = pod;
    const known = pods.get(uid)?.pod.spec.containers ?? [];
    const container = textOf(span.attributes, 'k8s.container.name');
    const image = textOf(span.attributes, 'container.image.name');
    const isNew = container !== '' && !known.some((each) => each.name === container);
    const nodeName = nodeOf(span);
    pods.set(uid, {
      at: pods.get(uid)?.at ?? span.t,
      pod: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { uid, name, namespace },
        spec: {
          ...(nodeName === '' ? {} : { nodeName }),
          containers: isNew ? [...known, { name: container, ...(image === '' ? {} : { image }) }] : known,
        },
      },
    });
  }
  return pods;
}

function pointOf(span: StoredSpan): SpanPoint {
  const call = rpcOf(span);
  if (call) return callPoint(call.method);
  if (syncNames.has(span.name)) return kubeletPoints.podWorkerLoop;
  return { id: `otlp.${span.name}`, kind: 'criStep', title: span.name };
}

/** Returns the failure that one of the reports of a call has. */
function errorOf({ span, merged }: Shown): { readonly reason: string; readonly message: string } | undefined {
  const failed = [span, ...merged].find(({ error }) => error !== undefined && error !== '');
  const codes = [span, ...merged].map(({ attributes }) => attributes['rpc.grpc.status_code']);
  const code = codes.map(Number).find((each) => each > 0);
  if (!failed && code === undefined) return undefined;
  return { reason: code === undefined ? 'Error' : (grpcCodeOf(code) ?? `code ${code}`), message: failed?.error ?? '' };
}

/**
 * Returns the events of the pods with a name.
 * @param spans all spans of the traces in which the pod occurs; those of other pods are omitted
 */
export function podTraces(spans: readonly StoredSpan[], wanted: { namespace: string; name: string }): PodTraces {
  const isWanted = (pod: PodName | undefined): boolean =>
    pod !== undefined && pod.name === wanted.name && pod.namespace === wanted.namespace;
  const tree = new SpanTree(spans);
  const sink = new SortingSink();
  const writer = new EventWriter(sink);
  const own = tree.shown.filter((shown) => isWanted(tree.podOf(shown)));
  const nodes: string[] = [];
  const numbers = new Map<Shown, number>();
  for (const { pod, at } of podsOf(spans.filter((span) => isWanted(podOf(span)))).values()) {
    const { uid, name, namespace = '' } = pod.metadata;
    const place: EventPlace = { thread: 'kubelet', pod: { uid, name, namespace }, source: 'otlp', inferred: true };
    writer.emit(at, place, { type: 'podChanged', operation: 'ADDED', object: { ...pod } });
  }
  for (const shown of own) {
    const { span, merged } = shown;
    const node = [span, ...merged].map(nodeOf).find((name) => name !== '');
    if (node !== undefined && !nodes.includes(node)) nodes.push(node);
    const around = tree.around(shown);
    const pod = tree.podOf(shown);
    const attributes = Object.assign(
      {},
      ...[span, ...merged].map((each) => each.attributes),
    ) as StoredSpan['attributes'];
    const place: EventPlace = {
      thread: textOf(attributes, 'podscope.thread') || (pod?.uid ?? 'runtime'),
      pod,
      parent: around && numbers.get(around),
      source: 'otlp',
      inferred: attributes['podscope.inferred'] === true,
    };
    const attempt = attributes['k8s.container.restart_count'];
    const container = textOf(attributes, 'k8s.container.name');
    const number = writer.begin(span.t, place, pointOf(span), {
      ...(container === '' ? {} : { container }),
      ...(typeof attempt === 'number' ? { attempt } : {}),
      ...(node === undefined ? {} : { node }),
      ...attributes,
    });
    numbers.set(shown, number);
    const end = Math.max(span.end, ...merged.map((each) => each.end));
    // The page compares calls with predictions if a sync has a verdict, and predictions aren't exported.
    writer.end(end, place, number, { error: errorOf(shown) });
  }
  const version = spans
    .map(({ resource }) => textOf(resource, 'podscope.kubelet.version', 'service.version'))
    .find((text) => /^v1\.\d+/.test(text));
  return { events: sink.sorted(), nodes, version };
}
