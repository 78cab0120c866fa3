/**
 * Exports a run as OTLP's JSON (opentelemetry.proto.trace.v1), for Jaeger, Tempo and other tools. A span that
 * upstream's kubelet also creates has upstream's name and attributes (pkg/kubelet, v1.36; otelgrpc for the CRI).
 * Searches that were written for a genuine node therefore work here, too.
 */
import { asHappened } from '../events/as-happened.ts';
import type { TraceEvent, TraceEventOf } from '../events/event.ts';
import { toJson } from '../events/event-json.ts';
import type { RunInfo } from '../file/run-info.ts';
import { type GrpcCode, grpcCodeNumber, isGrpcErrorCode } from '../grpc-codes.ts';
import { attributesOf, type KeyValue, nanoseconds, OtlpIds } from './otlp-values.ts';
import { PodNames } from './pod-names.ts';

/** Span kinds and status codes of OTLP. */
const internal = 1;
const client = 3;
const statusUnset = 0;
const statusError = 2;

const imageServiceMethods: ReadonlySet<string> = new Set([
  'ListImages',
  'ImageStatus',
  'PullImage',
  'RemoveImage',
  'ImageFsInfo',
]);

/** The span names of upstream's kubelet, by point. */
const kubeletNames: Readonly<Record<string, string>> = {
  'kubelet.SyncPod': 'syncPod',
  'kubelet.SyncTerminatingPod': 'syncTerminatingPod',
  'kubelet.SyncTerminatedPod': 'syncTerminatedPod',
  'kubelet.garbageCollection': 'Containers/GarbageCollect',
};

const criMethod = (point: string): string | undefined =>
  point.startsWith('cri.') ? point.slice('cri.'.length) : undefined;
const criService = (method: string): string =>
  imageServiceMethods.has(method) ? 'runtime.v1.ImageService' : 'runtime.v1.RuntimeService';

/** Returns the OTLP name of the spans at a point. */
export function otlpSpanName(point: string): string {
  const method = criMethod(point);
  return method ? `${criService(method)}/${method}` : (kubeletNames[point] ?? point);
}

interface SpanEventRecord {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly KeyValue[];
}

interface OpenSpan {
  readonly started: TraceEventOf<'spanStarted'>;
  /** The id of the root span of the trace. */
  readonly root: number;
  readonly events: SpanEventRecord[];
}

type SpanRecord = Readonly<Record<string, unknown>>;

/** Converts an event to a span event; undefined for types of events that OTLP files don't contain. */
function spanEvent(event: TraceEvent): SpanEventRecord | undefined {
  const spanEvent = (name: string, values: object): SpanEventRecord => ({
    timeUnixNano: nanoseconds(event.time),
    name,
    attributes: attributesOf(values),
  });
  switch (event.type) {
    case 'decision':
      return spanEvent(`decision ${event.rule}`, {
        outcome: event.outcome,
        decisive: event.decisive,
        facts: event.facts,
      });
    case 'syncResult':
      return spanEvent(`syncResult ${event.action}`, {
        target: event.target,
        error: event.error,
        message: event.message,
      });
    case 'kubernetesEvent':
      return spanEvent(event.reason, {
        type: event.eventType,
        message: event.message,
        fieldPath: event.fieldPath,
        count: event.count,
      });
    case 'backOff':
      return spanEvent('backOff', {
        kind: event.kind,
        container: event.container,
        seconds: event.seconds,
        state: event.state,
      });
    case 'runtimeStateChanged':
      return spanEvent(`${event.object} ${event.to}`, {
        id: event.id,
        name: event.name,
        attempt: event.attempt,
        from: event.from,
        exitCode: event.exitCode,
        reason: event.reason,
      });
    case 'stopped':
      return spanEvent('stopped', { reason: event.reason, point: event.point, phase: event.phase });
    case 'continued':
      return spanEvent('continued', { reason: event.reason });
    case 'intervention':
      return spanEvent('intervention', { action: event.action, origin: event.origin, text: event.text });
    case 'output':
      return spanEvent('log', { level: event.level, message: event.message });
    case 'spanStarted':
    case 'spanEnded':
    case 'podChanged':
    case 'podStatus':
    case 'pullProgress':
    case 'breakpointsChanged':
    case 'command':
      return undefined;
  }
}

class OtlpRun {
  readonly #ids: OtlpIds;
  readonly #names = new PodNames();
  readonly #open = new Map<number, OpenSpan>();
  #last = 0;

  constructor(info: RunInfo) {
    this.#ids = new OtlpIds(info.id);
  }

  take(received: TraceEvent): SpanRecord | undefined {
    const event = asHappened(received);
    this.#names.learn(event);
    this.#last = Math.max(this.#last, event.time);
    if (event.type === 'spanStarted') {
      const parent = event.parent === undefined ? undefined : this.#open.get(event.parent);
      this.#open.set(event.span, { started: event, root: parent?.root ?? event.span, events: [] });
      return undefined;
    }
    const open = event.span === undefined ? undefined : this.#open.get(event.span);
    if (event.type === 'spanEnded') {
      if (!open) return undefined;
      this.#open.delete(event.span);
      return this.#span(open, event.time, event);
    }
    const said = open && spanEvent(event);
    if (said) open.events.push(said);
    return undefined;
  }

  /** Yields the spans that are open when the recording ends. */
  *finish(): Iterable<SpanRecord> {
    for (const open of this.#open.values()) yield this.#span(open, this.#last, undefined);
  }

  #span({ started, root, events }: OpenSpan, end: number, ended: TraceEventOf<'spanEnded'> | undefined): SpanRecord {
    const { span, parent, point, kind, title, thread, pod, attributes } = started;
    const start = ended?.start ?? started.time;
    const method = criMethod(point);
    const name = pod === undefined ? undefined : this.#names.of(pod);
    const error =
      ended && ended.outcome !== 'ok' ? (ended.error ?? { reason: ended.outcome, message: ended.outcome }) : undefined;
    const failure: GrpcCode | undefined = error && (isGrpcErrorCode(error.reason) ? error.reason : 'Unknown');
    return {
      traceId: this.#ids.trace(root),
      spanId: this.#ids.span(span),
      ...(parent === undefined || root === span ? {} : { parentSpanId: this.#ids.span(parent) }),
      name: otlpSpanName(point),
      kind: method ? client : internal,
      startTimeUnixNano: nanoseconds(start),
      endTimeUnixNano: nanoseconds(Math.max(start, end)),
      attributes: [
        ...attributesOf({
          'k8s.pod.uid': pod,
          'k8s.pod.name': name?.name,
          'k8s.namespace.name': name?.namespace,
          'k8s.pod': point === 'kubelet.SyncPod' && name ? `${name.namespace}/${name.name}` : undefined,
          'k8s.pod.update_type': point === 'kubelet.SyncPod' ? attributes['updateType'] : undefined,
          'rpc.system': method ? 'grpc' : undefined,
          'rpc.service': method ? criService(method) : undefined,
          'rpc.method': method,
          'rpc.grpc.status_code': method && ended ? grpcCodeNumber(failure ?? 'OK') : undefined,
          // The thread of a pod worker is its pod's UID, which `k8s.pod.uid` already contains.
          'thread.name': thread === pod ? undefined : thread,
          'podscope.point': point,
          'podscope.kind': kind,
          'podscope.title': title,
          'podscope.unfinished': ended ? undefined : true,
          'podscope.outcome': ended?.outcome === 'ok' ? undefined : ended?.outcome,
          'error.type': error?.reason,
        }),
        ...attributesOf(attributes),
        ...attributesOf(ended?.attributes ?? {}),
      ].filter(({ key }, index, all) => all.findIndex((other) => other.key === key) === index),
      events,
      status: error ? { code: statusError, message: `${error.reason}: ${error.message}` } : { code: statusUnset },
    };
  }
}

/** Yields the text of an OTLP file in chunks. The file contains one ExportTraceServiceRequest. */
export async function* writeOtlp(
  info: RunInfo,
  events: Iterable<TraceEvent> | AsyncIterable<TraceEvent>,
): AsyncGenerator<string> {
  const run = new OtlpRun(info);
  const resource = {
    attributes: attributesOf({
      'service.name': 'kubelet',
      'service.version': info.engine,
      'service.instance.id': info.id,
      'k8s.node.name': info.nodeName,
      'podscope.runtime': `${info.runtime.name} ${info.runtime.version}`,
      'podscope.profile': info.profile,
      'podscope.run.title': info.title,
    }),
  };
  const scope = { name: 'k8s.io/kubernetes/pkg/kubelet', version: info.engine };
  let separator = '\n';
  const text = (span: SpanRecord): string => {
    const joined = separator + toJson(span);
    separator = ',\n';
    return joined;
  };
  yield `{"resourceSpans":[{"resource":${toJson(resource)},"scopeSpans":[{"scope":${toJson(scope)},"spans":[`;
  for await (const event of events) {
    const span = run.take(event);
    if (span) yield text(span);
  }
  for (const span of run.finish()) yield text(span);
  yield '\n]}]}]}\n';
}
