/** Returns the scopes of a frame: named groups of values to inspect. */
import { type Attributes, describeError, type Span, type TraceEvent } from '@podscope/trace';
import { exposedAt, exposedNames, framesOf } from '../gate/span-boundary.ts';
import type { ThreadStop } from '../gate/threads.ts';
import { isObject } from './format-value.ts';

/** A scope. Its variables are read only when they are requested. */
export interface FrameScope {
  readonly name: string;
  readonly value: object;
  /**
   * The text that precedes a member's name in expressions: `podActions.`, or empty for arguments. Undefined if
   * expressions can't refer to the members.
   */
  readonly prefix: string | undefined;
  readonly expensive: boolean;
}

/** A source of events after a sequence number, oldest first. */
export interface EventSource {
  after(seq: number, limit?: number): readonly TraceEvent[];
  /** Sequence number of the oldest event in memory. */
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** The exposed values that have a scope of their own, in display order. */
const exposedScopes: readonly (readonly [name: string, title: string])[] = [
  ['podActions', 'podActions'],
  ['pod', 'Pod'],
  ['podStatus', 'Pod status'],
  ['apiStatus', 'API status'],
  ['mirrorPod', 'Mirror pod'],
  ['containerSpec', 'Container'],
  ['sandboxConfig', 'Sandbox config'],
  ['containerConfig', 'Container config'],
  ['backOff', 'Back-off'],
  ['imageBackOff', 'Image back-off'],
  ['imageErrors', 'Image errors'],
  ['syncResults', 'Sync results'],
];
const ownScopes: ReadonlySet<string> = new Set(exposedScopes.map(([name]) => name));

/** Number of events per batch when searching for the start of a frame. */
const pageSize = 1_000;

function* exposed(span: Span): Generator<FrameScope> {
  for (const [name, title] of exposedScopes) {
    const value = exposedAt(span, name)?.read();
    if (isObject(value)) yield { name: title, value, prefix: `${name}.`, expensive: true };
  }
  const rest: Record<string, unknown> = {};
  for (const name of exposedNames(span))
    if (!ownScopes.has(name) && !name.includes('.')) rest[name] = exposedAt(span, name)?.read();
  if (Object.keys(rest).length > 0) yield { name: 'Sync', value: rest, prefix: '', expensive: false };
}

/** Yields the request of the nearest enclosing CRI call and, once it is known, its response. */
function* criCall(span: Span): Generator<FrameScope> {
  const call = [...framesOf(span)].find(({ point }) => point.kind === 'cri');
  if (isObject(call?.values.request))
    yield { name: 'CRI request', value: call.values.request, prefix: 'request.', expensive: false };
  if (isObject(call?.attributes?.response))
    yield { name: 'CRI response', value: call.attributes.response, prefix: 'response.', expensive: false };
}

interface DockerRequest {
  readonly request: Attributes;
  response?: unknown;
  error?: unknown;
}

/**
 * Returns the number of the event that started a span; undefined if the event is no longer in memory. Searches
 * backwards.
 */
export function startOf(span: Span, events: EventSource): number | undefined {
  const { id } = span;
  for (let end = events.lastSeq; end >= events.firstSeq; end -= pageSize) {
    const after = Math.max(events.firstSeq - 1, end - pageSize);
    const started = events
      .after(after, end - after)
      .findLast((event) => event.type === 'spanStarted' && event.span === id);
    if (started) return started.seq;
  }
  return undefined;
}

/** Yields the rules and engine API calls that the log contains for a frame. The search ends at the stop. */
function* fromLog(stop: ThreadStop, span: Span, events: EventSource): Generator<FrameScope> {
  const start = startOf(span, events);
  const within = new Set<number>();
  // Open spans belong to the frame even if their start is no longer in memory.
  for (const frame of framesOf(stop.boundary.span)) {
    within.add(frame.id);
    if (frame === span) break;
  }
  const decisions: Attributes[] = [];
  const calls = new Map<number, DockerRequest>();
  for (const event of events.after((start ?? events.firstSeq) - 1)) {
    if (event.type === 'stopped' && event.stop === stop.number) break;
    if (
      event.type === 'spanStarted' &&
      (event.span === span.id || (event.parent !== undefined && within.has(event.parent)))
    ) {
      within.add(event.span);
      if (event.kind === 'docker') calls.set(event.span, { request: { call: event.title, ...event.attributes } });
    } else if (event.type === 'decision' && event.span !== undefined && within.has(event.span)) {
      decisions.push({ rule: event.rule, outcome: event.outcome, decisive: event.decisive, facts: event.facts });
    } else if (event.type === 'spanEnded') {
      const call = calls.get(event.span);
      if (call) Object.assign(call, { response: event.attributes?.response, error: event.error?.message });
    }
  }
  if (decisions.length > 0) yield { name: 'Decisions', value: decisions, prefix: undefined, expensive: false };
  if (calls.size > 0) yield { name: 'Docker requests', value: [...calls.values()], prefix: undefined, expensive: true };
  if (start === undefined) {
    const note =
      `This frame began before event ${events.firstSeq}, the oldest in memory: decisions and Docker requests from ` +
      'before it are missing.';
    yield { name: 'Log', value: { note }, prefix: undefined, expensive: false };
  }
}

/** Yields the scopes of a frame of a stopped thread. */
export function* frameScopes(stop: ThreadStop, span: Span, events: EventSource): Generator<FrameScope> {
  yield { name: 'Arguments', value: span.values, prefix: '', expensive: false };
  if (span === stop.boundary.span) {
    const { result } = stop.boundary;
    if (result) {
      const outcome =
        result.outcome === 'ok'
          ? { outcome: 'ok', value: result.value }
          : { outcome: result.outcome, ...describeError(result.error), error: result.error };
      yield { name: 'Result', value: outcome, prefix: undefined, expensive: false };
    }
    if (stop.decision) yield { name: 'Decision', value: { ...stop.decision }, prefix: '', expensive: false };
  }
  if (span.attributes && Object.keys(span.attributes).length > 0)
    yield { name: 'Found', value: span.attributes, prefix: '', expensive: false };
  yield* criCall(span);
  yield* exposed(span);
  yield* fromLog(stop, span, events);
}
