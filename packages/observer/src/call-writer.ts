/**
 * Writes observed calls as spans of the log: below the span of their sync, with the span of a probe or hook around an
 * ExecSync, and with masked values.
 */
import { kubeletPoints, kuberuntimePoints } from '@podscope/flow';
import { type Attributes, grpcCodeOf } from '@podscope/trace';
import { nodeThreadOf, summarized, threadOf } from './call-display.ts';
import { callPoint, type EventPlace, type EventWriter } from './event-writer.ts';
import type { CallRecord, CallResult, ObservedCall, ObservedSpan } from './inputs.ts';
import { maskRequest, maskResponse, type SecretValues } from './mask.ts';
import { type ContainerEvent, stateChangeOf } from './state/container-events.ts';
import { textAt } from './state/fields.ts';
import { specHints } from './state/inferred-pods.ts';
import type { PodsSource } from './state/pods-source.ts';
import { containersOf, type ExecPurpose, type ProbeTracker } from './state/probes.ts';
import type { KnownObject, ObjectRegistry, PodName } from './state/registry.ts';
import { InnerSpans } from './syncs/inner-spans.ts';
import type { ObservedSync } from './syncs/sync.ts';
import type { EndedCall } from './traces/call-spans.ts';

/** A call in flight, with the place of its span in the log. */
export interface OpenCall {
  readonly call: ObservedCall;
  /** The attributes of the call's span, masked. */
  readonly attributes: Attributes;
  readonly place: EventPlace;
  readonly span: number;
  /** The enclosing spans that end together with the call, innermost first. */
  readonly around: readonly number[];
  readonly purpose: ExecPurpose | undefined;
  readonly pod: PodName | undefined;
}

export interface CallWriterOptions {
  readonly writer: EventWriter;
  readonly registry: ObjectRegistry;
  readonly pods: PodsSource;
  readonly probes: ProbeTracker;
  readonly secrets: SecretValues;
  /** Called with each call that ended. */
  readonly onCall: ((call: EndedCall) => void) | undefined;
}

export class CallWriter {
  readonly #options: CallWriterOptions;
  readonly #open = new Map<number, OpenCall>();
  readonly #inner = new InnerSpans((span, { span: parent, place }) => this.#writeInner(span, { ...place, parent }));
  readonly #spans = new Map<number, number>();

  constructor(options: CallWriterOptions) {
    this.#options = options;
  }

  /** The span in the log by call number. */
  get spans(): ReadonlyMap<number, number> {
    return this.#spans;
  }

  /** The calls in flight whose spans are written, by number. */
  get open(): ReadonlyMap<number, OpenCall> {
    return this.#open;
  }

  /** Writes the start of a call. */
  begin(
    call: CallRecord,
    sync: ObservedSync | undefined,
    pod: PodName | undefined,
    purpose: ExecPurpose | undefined,
  ): void {
    const { writer, registry, pods, secrets } = this.#options;
    const thread = sync ? sync.pod.uid : threadOf(call, pod, purpose);
    const place: EventPlace = { thread, pod: sync?.pod ?? pod, parent: sync?.span, source: 'cri' };
    const around = this.#aroundExec(call, place, purpose);
    const innermost = around[0] ?? sync?.span;
    const newest = place.pod && pods.newest(place.pod.uid);
    const container = registry.containerOf(call);
    const uid = place.pod?.uid;
    const masked = call.request && maskRequest(call.method, call.request, newest);
    if (call.method === 'CreateContainer' && uid !== undefined && call.request && masked)
      secrets.learn(uid, call.request, masked);
    const attributes: Attributes = {
      request: masked && secrets.message(uid, call.method, masked),
      ...(container ? { container: container.name, attempt: container.attempt } : {}),
      ...(call.deadline === undefined ? {} : { deadline: call.t + call.deadline }),
      ...(call.undecoded ? { undecoded: call.undecoded } : {}),
      ...(call.estimated ? { estimated: true } : {}),
      call: call.number,
    };
    const span = writer.begin(call.t, { ...place, parent: innermost }, callPoint(call.method), attributes);
    this.#spans.set(call.number, span);
    this.#inner.called(call.metadata['traceparent'], { span, place });
    this.#open.set(call.number, { call, attributes, place, span, around, purpose, pod: place.pod });
  }

  /** Opens the span of the probe or hook for which an ExecSync call runs. */
  #aroundExec(call: CallRecord, place: EventPlace, purpose: ExecPurpose | undefined): readonly number[] {
    const { writer } = this.#options;
    if (purpose?.kind === 'probe') {
      const attributes = { type: purpose.probe, container: purpose.container };
      return [writer.begin(call.t, { ...place, inferred: true }, kubeletPoints.probe, attributes)];
    }
    if (purpose?.kind !== 'hook') return [];
    const attributes = { container: purpose.container, containerID: textAt(call.request, 'containerId') };
    return [writer.begin(call.t, { ...place, inferred: true }, kuberuntimePoints[purpose.hook], attributes)];
  }

  /** Writes the end of a call, and passes it to `onCall`. Ignores a call whose start isn't written. */
  end({ method, number }: CallRecord, result: CallResult): void {
    const open = this.#open.get(number);
    if (!open) return;
    this.#open.delete(number);
    const { writer, secrets } = this.#options;
    const { place, span, around, purpose } = open;
    const { status, end, held, reset, undecoded } = result;
    const uid = place.pod?.uid;
    const message = secrets.text(uid, result.message);
    const response = result.response && secrets.message(uid, method, result.response);
    const reason = grpcCodeOf(status) ?? `code ${status}`;
    const error = status === 0 ? undefined : { reason, message };
    writer.end(end, place, span, {
      error,
      canceled: reset !== undefined && status === 1,
      attributes: {
        ...(response ? { response: summarized(method, maskResponse(response)) } : {}),
        ...(held === undefined ? {} : { held }),
        ...(reset === undefined ? {} : { reset }),
        ...(undecoded ? { undecodedResponse: undecoded } : {}),
      },
    });
    const exitCode = response?.['exitCode'];
    const failed = error !== undefined || (typeof exitCode === 'number' && exitCode !== 0);
    for (const outer of around) {
      const attributes = purpose?.kind === 'probe' ? { result: failed ? 'failure' : 'success' } : undefined;
      const said = error ? message : `command exited with ${Number(exitCode)}`;
      const failure = failed && purpose?.kind === 'hook' ? { reason: 'HookFailed', message: said } : undefined;
      writer.end(end, place, outer, { error: failure, ...(attributes ? { attributes } : {}) });
    }
    if (purpose?.kind === 'probe') this.#probed(open, end, !failed);
    this.#reportEnd({ ...open.call, result: { ...result, message, response } }, open);
  }

  #reportEnd(call: CallRecord, { place, pod, purpose }: OpenCall): void {
    const { registry, pods, onCall } = this.#options;
    if (!onCall) return;
    const container = registry.containerOf(call);
    const requested =
      textAt(call.request, 'config', 'image', 'userSpecifiedImage') ||
      textAt(call.request, 'config', 'image', 'image') ||
      textAt(call.request, 'image', 'image');
    const newest = pod && pods.newest(pod.uid);
    const hints = specHints(newest, container?.name, call.method === 'PullImage' ? requested : undefined);
    const ofSpec = newest && containersOf(newest).find(({ name }) => name === container?.name)?.image;
    const image = requested || ofSpec || undefined;
    onCall({ call, thread: place.thread, sync: place.parent, pod, container, image, purpose, hints });
  }

  #probed({ call, purpose, pod }: OpenCall, at: number, success: boolean): void {
    if (purpose?.kind !== 'probe' || !pod) return;
    const { pods, probes } = this.#options;
    const newest = pods.newest(pod.uid);
    const container = newest && containersOf(newest).find(({ name }) => name === purpose.container);
    if (container) probes.attempt(at, textAt(call.request, 'containerId'), purpose.probe, container, success);
  }

  /** Writes an event of the runtime below the stream in which it arrived. */
  message(number: number, at: number, event: ContainerEvent, object: KnownObject): void {
    const parent = this.#open.get(number)?.span;
    const { writer } = this.#options;
    const place: EventPlace = { thread: 'containerEvents', pod: object.pod, parent, source: 'cri' };
    const { type, id } = event;
    const point = { id: 'cri.ContainerEvent', kind: 'criStep', title: type };
    const container = object.name === 'POD' ? {} : { container: object.name, attempt: object.attempt };
    const span = writer.begin(at, place, point, { ...container, id });
    writer.emit(at, { ...place, parent: span }, stateChangeOf(event, object));
    writer.end(at, place, span);
  }

  /** Writes a span of the kubelet or the runtime below the sync or the call during which it happened. */
  innerSpan(span: ObservedSpan): void {
    this.#inner.add(span);
  }

  /** Writes the spans below a sync whose own span has arrived. */
  syncSpan(id: string, { span, pod }: ObservedSync): void {
    if (span !== undefined) this.#inner.known(id, { span, place: { thread: pod.uid, pod, source: 'otlp' } });
  }

  /** Writes a root span of the kubelet that belongs to no pod, such as garbage collection or an HTTP request. */
  nodeSpan(span: ObservedSpan): void {
    const thread = nodeThreadOf(span);
    if (thread === undefined) return;
    const place: EventPlace = { thread, source: 'otlp' };
    this.#inner.known(span.id, { span: this.#writeInner(span, place), place });
  }

  #writeInner({ t, end, name, scope, attributes, error }: ObservedSpan, placed: EventPlace): number {
    const { writer, secrets } = this.#options;
    const place: EventPlace = { ...placed, source: 'otlp' };
    const point = { id: `otlp.${name}`, kind: 'criStep', title: name };
    const uid = placed.pod?.uid;
    const shown = Object.entries(attributes).map(([key, value]) => [key, secrets.value(uid, value)]);
    const span = writer.begin(t, place, point, { ...Object.fromEntries(shown), scope });
    writer.end(end, place, span, { error: error === undefined ? undefined : { reason: 'Error', message: error } });
    return span;
  }

  /** Forgets a call that ended. */
  forget(call: number): void {
    this.#spans.delete(call);
  }
}
