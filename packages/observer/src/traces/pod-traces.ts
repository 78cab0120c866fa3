/**
 * Reads the spans of a pod from a trace storage and converts them to the events of a run. The spans come from the
 * relays, kubelets and container runtimes of all nodes on which pods of that name ran.
 */
import { kubeletPoints, kuberuntimePoints } from '@podscope/flow';
import type { Pod } from '@podscope/k8s';
import { grpcCodeOf, type TraceEvent } from '@podscope/trace';
import { callPoint, type EventPlace, EventWriter, type SpanPoint } from '../event-writer.ts';
import type { ObservedSpan } from '../inputs.ts';
import { SortingSink } from '../recording/replay.ts';
import { type AnsweredCall, InferredPods, type SpecHints } from '../state/inferred-pods.ts';
import type { PodName } from '../state/registry.ts';
import { rpcOf } from '../syncs/inner-spans.ts';
import { inferredSyncName } from './call-spans.ts';
import { messagesOf } from './object-attributes.ts';

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

/**
 * A span that is shown. The kubelet, the relay and the runtime each report a span of the same call, one below the
 * other, and only one of these spans is shown.
 */
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

  /**
   * Returns the pod of a span. If the span itself names no pod, returns the pod of an enclosing span or of a call
   * inside the span.
   */
  podOf(shown: Shown): PodName | undefined {
    const own = [shown.span, ...shown.merged].map(podOf).find((pod) => pod !== undefined);
    const around = this.around(shown);
    return own ?? (around && this.podOf(around));
  }
}

function pointOf(span: StoredSpan): SpanPoint {
  const call = rpcOf(span);
  if (call) return callPoint(call.method);
  if (syncNames.has(span.name)) return kubeletPoints.podWorkerLoop;
  return { id: `otlp.${span.name}`, kind: 'criStep', title: span.name };
}

const hookPoint = (name: string): SpanPoint | undefined =>
  name === 'postStart' || name === 'preStop' ? kuberuntimePoints[name] : undefined;

const containerTypes = ['init', 'sidecar', 'container'] as const;
const restartPolicies = ['Always', 'OnFailure', 'Never'] as const;

/** Returns the facts about the pod's spec that the exporter knew. */
function hintsOf(attributes: StoredSpan['attributes'], nodeName: string | undefined): SpecHints {
  const name = textOf(attributes, 'k8s.container.name');
  return {
    nodeName,
    container: name === '' ? undefined : name,
    type: containerTypes.find((each) => each === attributes['podscope.container.type']),
    restartPolicy: restartPolicies.find((each) => each === attributes['podscope.restart_policy']),
  };
}

/** Writes the pods that the calls show, with their statuses. For a pod without calls, only the name is known. */
function inferPods(writer: EventWriter, answered: readonly AnsweredCall[], spans: readonly StoredSpan[]): void {
  const calls = answered.toSorted((a, b) => a.end - b.end);
  // The spec is built from all calls, so that a pull is shown at its container before the container exists.
  const specs = new Map<string, Pod['spec']>();
  const seen = new InferredPods();
  for (const call of calls) {
    const changed = seen.apply(call);
    if (changed) specs.set(call.pod.uid, changed.pod.spec);
  }
  const inferred = new InferredPods();
  const place = ({ uid, name, namespace }: PodName): EventPlace => ({
    thread: 'kubelet',
    pod: { uid, name, namespace },
    source: 'otlp',
    inferred: true,
  });
  const begun = new Set<string>();
  for (const span of spans) {
    const name = podOf(span);
    if (!name || begun.has(name.uid)) continue;
    begun.add(name.uid);
    const pod = inferred.begin(name, span.t, specs.get(name.uid));
    writer.emit(span.t, place(name), { type: 'podChanged', operation: 'ADDED', object: { ...pod } });
  }
  for (const call of calls) {
    const changed = inferred.apply(call);
    if (!changed) continue;
    const { operation, pod } = changed;
    if (pod.status) writer.emit(call.end, place(call.pod), { type: 'podStatus', status: { ...pod.status } });
    if (operation === 'DELETED')
      writer.emit(call.end, place(call.pod), { type: 'podChanged', operation, object: { ...pod } });
  }
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
 * Returns the events of the pods with this name.
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
  const answered: AnsweredCall[] = [];
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
    const method = rpcOf(span)?.method;
    const messages = method === undefined || !pod ? undefined : messagesOf(method, attributes, pod);
    const error = errorOf(shown);
    const end = Math.max(span.end, ...merged.map((each) => each.end));
    const probe = textOf(attributes, 'podscope.probe');
    const hook = hookPoint(textOf(attributes, 'podscope.hook'));
    const outer = probe === '' ? hook : kubeletPoints.probe;
    const exec = { container, ...(probe === '' ? {} : { type: probe }) };
    const outerSpan = outer && writer.begin(span.t, { ...place, inferred: true }, outer, exec);
    const inner: EventPlace = { ...place, parent: outerSpan ?? place.parent };
    const number = writer.begin(span.t, inner, pointOf(span), {
      ...(container === '' ? {} : { container }),
      ...(typeof attempt === 'number' ? { attempt } : {}),
      ...(node === undefined ? {} : { node }),
      ...(messages ? { request: messages.request } : {}),
      ...attributes,
    });
    numbers.set(shown, number);
    const response = error ? undefined : messages?.response;
    // The page compares calls with predictions if a sync has a verdict, and predictions aren't exported.
    writer.end(end, inner, number, { error, ...(response ? { attributes: { response } } : {}) });
    if (outerSpan !== undefined) {
      const failed = error !== undefined || (attributes['process.exit.code'] ?? 0) !== 0;
      const failure = failed && hook ? { reason: 'HookFailed', message: error?.message ?? '' } : undefined;
      const result = hook ? undefined : { result: failed ? 'failure' : 'success' };
      writer.end(end, place, outerSpan, { error: failure, ...(result ? { attributes: result } : {}) });
    }
    if (method !== undefined && pod && messages)
      answered.push({
        method,
        request: messages.request,
        response,
        end,
        pod,
        container: container === '' || typeof attempt !== 'number' ? undefined : { name: container, attempt },
        hints: hintsOf(attributes, node),
      });
  }
  inferPods(
    writer,
    answered,
    spans.filter((span) => isWanted(podOf(span))).toSorted((a, b) => a.t - b.t),
  );
  const version = spans
    .map(({ resource }) => textOf(resource, 'podscope.kubelet.version', 'service.version'))
    .find((text) => /^v1\.\d+/.test(text));
  return { events: sink.sorted(), nodes, version };
}
