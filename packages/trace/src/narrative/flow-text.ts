/**
 * Formats a run as text while it happens, with one line per notable event. The command line prints this text, and the
 * golden files of scenarios contain it. Activity that only reads (relists, status calls, empty steps) is omitted.
 */
import type { Attributes, TraceEvent, TraceEventOf } from '../events/event.ts';
import { textAt } from '../folds/attribute-values.ts';
import { describeStatusChange, type StatusSummary, summarizeStatus } from './status-summary.ts';

/** The kind of a line, for example to color it in a terminal. */
export type FlowTone = 'plain' | 'step' | 'call' | 'good' | 'wait' | 'bad' | 'debugger';

/** A line of text. */
export interface FlowLine {
  /** Time of the event, in milliseconds since the Unix epoch. */
  readonly time: number;
  /** Name of the pod as `namespace/name`. */
  readonly pod: string | undefined;
  readonly depth: number;
  readonly tone: FlowTone;
  readonly text: string;
}

/** The CRI calls that only read. */
const looks =
  /^cri\.(Version|Status|RuntimeConfig|List\w+|PodSandboxStatus|ContainerStatus|ImageStatus|ImageFsInfo|\w+Stats)$/;

interface OpenSpan {
  readonly event: TraceEventOf<'spanStarted'>;
  /** True once a line was written for this span or for an event inside it. */
  printed: boolean;
}

/**
 * Formats milliseconds as `3 ms`, `2.5 s` or `3 min 20 s`. The lines are sentences and their times have no fractions of
 * milliseconds, unlike the durations of the timeline, which measure steps down to microseconds.
 */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${Number(seconds.toFixed(seconds < 10 ? 2 : 1))} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = Math.round(seconds - minutes * 60);
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** Formats events as lines, in order. It stores the open spans, so each run needs its own instance. */
export class FlowText {
  readonly #spans = new Map<number, OpenSpan>();
  readonly #names = new Map<string, string>();
  readonly #statuses = new Map<string, StatusSummary>();
  readonly #syncs = new Map<string, number>();
  /** The names of containers by id, because most calls contain only the id. */
  readonly #containers = new Map<string, string>();

  /** Returns the lines of this event: no line, one line, or one line below its headings. */
  lines(event: TraceEvent): readonly FlowLine[] {
    const lines: FlowLine[] = [];
    const print = (depth: number, tone: FlowTone, text: string): void =>
      void lines.push({
        time: event.time,
        pod: event.pod === undefined ? undefined : this.#names.get(event.pod),
        depth,
        tone,
        text,
      });
    switch (event.type) {
      case 'podChanged':
        this.#podChanged(event, print);
        break;
      case 'spanStarted':
        this.#spanStarted(event, lines);
        break;
      case 'spanEnded':
        this.#spanEnded(event, lines, print);
        break;
      case 'decision':
        if (event.decisive && event.span !== undefined && this.#isStep(event.span)) this.#decision(event, lines, print);
        break;
      case 'syncResult':
        if (event.error !== undefined) {
          this.#headings(event.span, event, lines);
          print(
            3,
            'bad',
            `✗ ${event.action} ${event.target}: ${event.error}${event.message ? `: ${event.message}` : ''}`,
          );
        }
        break;
      case 'kubernetesEvent':
        print(
          1,
          event.eventType === 'Warning' ? 'bad' : 'plain',
          `event ${event.reason}: ${event.message.trimEnd()}${event.count > 1 ? ` (×${event.count})` : ''}`,
        );
        break;
      case 'podStatus':
        this.#podStatus(event, print);
        break;
      case 'backOff':
        if (event.state === 'armed' && event.seconds > 0)
          print(
            1,
            'wait',
            `back-off of ${event.kind} ${event.container}: ${event.seconds} ` +
              `s${event.kind === 'image' ? ` (${event.image ?? ''})` : ''}`,
          );
        break;
      case 'runtimeStateChanged':
        this.#runtimeState(event, print);
        break;
      case 'stopped':
        print(1, 'debugger', `■ stopped ${event.phase} ${event.point} (${event.text ?? event.reason})`);
        break;
      case 'continued':
        print(1, 'debugger', `▶ continued${event.reason ? ` (${event.reason})` : ''}`);
        break;
      case 'intervention':
        print(1, 'debugger', `⚡ ${event.text}`);
        break;
      case 'output':
        if (event.level !== 'debug') print(1, event.level === 'error' ? 'bad' : 'plain', event.message);
        break;
      case 'pullProgress':
      case 'breakpointsChanged':
      case 'command':
        break;
      default:
        event satisfies never;
    }
    return lines;
  }

  #podChanged(event: TraceEventOf<'podChanged'>, print: (depth: number, tone: FlowTone, text: string) => void): void {
    if (event.pod === undefined) return;
    const { metadata } = event.object as {
      readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly deletionTimestamp?: string };
    };
    const known = this.#names.has(event.pod);
    this.#names.set(event.pod, `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`);
    if (event.operation === 'ADDED' && !known) print(0, 'plain', `pod ${this.#names.get(event.pod)} appears`);
    if (event.operation === 'DELETED') print(0, 'plain', `pod ${this.#names.get(event.pod)} is gone`);
  }

  #spanStarted(event: TraceEventOf<'spanStarted'>, lines: FlowLine[]): void {
    if (event.pod !== undefined || this.#spans.has(event.parent ?? 0))
      this.#spans.set(event.span, { event, printed: false });
    if (event.point === 'kuberuntime.SyncPod' && event.pod !== undefined)
      this.#syncs.set(event.pod, (this.#syncs.get(event.pod) ?? 0) + 1);
    if ((event.kind === 'cri' && !looks.test(event.point)) || event.kind === 'hook')
      this.#headings(event.parent, event, lines);
  }

  #spanEnded(
    event: TraceEventOf<'spanEnded'>,
    lines: FlowLine[],
    print: (depth: number, tone: FlowTone, text: string) => void,
  ): void {
    const open = this.#spans.get(event.span);
    this.#spans.delete(event.span);
    if (!open || event.outcome === 'canceled') return;
    const { kind, title, point, attributes, time } = open.event;
    if (point === 'cri.CreateContainer')
      this.#learn(
        textAt(event.attributes, 'response', 'containerId'),
        textAt(attributes, 'request', 'config', 'metadata', 'name'),
      );
    const took = event.time - time;
    const failed = event.error
      ? `: ${event.error.reason === event.error.message ? '' : `${event.error.reason}: `}${event.error.message}`
      : '';
    if (kind === 'cri' && (failed !== '' || !looks.test(point))) {
      this.#headings(open.event.parent, event, lines);
      print(
        3,
        failed ? 'bad' : 'call',
        `${failed ? '✗ ' : ''}${title}${this.#subjectOf(attributes)} ${formatDuration(took)}${failed}`,
      );
    } else if (kind === 'hook' || kind === 'cni' || (kind === 'probe' && (failed || isFailedProbe(event.attributes)))) {
      this.#headings(open.event.parent, event, lines);
      print(
        kind === 'cni' ? 4 : 2,
        failed || kind === 'probe' ? 'bad' : 'call',
        `${title}${this.#subjectOf(attributes)} ${formatDuration(took)}${failed || probeText(event.attributes)}`,
      );
    } else if (kind === 'syncStep' && open.printed && took >= 1) print(2, 'step', `… ${formatDuration(took)}`);
  }

  #learn(id: string | undefined, name: string | undefined): void {
    if (id !== undefined && name !== undefined) this.#containers.set(id, name);
  }

  /** Returns the container or image of a call with a leading space; empty if it is unknown. */
  #subjectOf(attributes: Attributes): string {
    const id = textAt(attributes, 'request', 'containerId');
    const name =
      textAt(attributes, 'container') ??
      textAt(attributes, 'request', 'image', 'image') ??
      textAt(attributes, 'request', 'config', 'metadata', 'name') ??
      (id === undefined ? undefined : this.#containers.get(id));
    return name === undefined ? '' : ` ${name}`;
  }

  #decision(
    event: TraceEventOf<'decision'>,
    lines: FlowLine[],
    print: (depth: number, tone: FlowTone, text: string) => void,
  ): void {
    if (quietDecisions.has(event.rule)) return;
    this.#headings(event.span, event, lines);
    const { container } = event.facts as { readonly container?: unknown };
    print(
      3,
      'plain',
      (typeof container === 'string' ? `${container}: ` : '') +
        (typeof event.outcome === 'string' ? event.outcome : JSON.stringify(event.outcome)),
    );
  }

  #isStep(span: number): boolean {
    return this.#spans.get(span)?.event.kind === 'syncStep';
  }

  /** Adds the headings (the sync, the step) above a line inside this span, if they weren't written yet. */
  #headings(span: number | undefined, at: TraceEvent, lines: FlowLine[]): void {
    const path: OpenSpan[] = [];
    for (let id = span; id !== undefined; ) {
      const open = this.#spans.get(id);
      if (!open) break;
      path.unshift(open);
      id = open.event.parent;
    }
    for (const open of path) {
      if (open.printed) continue;
      open.printed = true;
      const { kind, title, point, pod } = open.event;
      const heading =
        kind === 'sync'
          ? `${title}${point === 'kuberuntime.SyncPod' ? ` ${this.#syncs.get(pod ?? '') ?? 1}` : ''}`
          : kind === 'syncStep'
            ? title
            : undefined;
      if (heading === undefined) continue;
      lines.push({
        time: at.time,
        pod: pod === undefined ? undefined : this.#names.get(pod),
        depth: kind === 'sync' ? 1 : 2,
        tone: 'step',
        text: heading,
      });
    }
  }

  #podStatus(event: TraceEventOf<'podStatus'>, print: (depth: number, tone: FlowTone, text: string) => void): void {
    if (event.pod === undefined) return;
    const summary = summarizeStatus(event.status);
    const change = describeStatusChange(this.#statuses.get(event.pod), summary);
    this.#statuses.set(event.pod, summary);
    if (change) print(1, summary.phase === 'Failed' ? 'bad' : summary.ready ? 'good' : 'plain', `status ${change}`);
  }

  #runtimeState(
    event: TraceEventOf<'runtimeStateChanged'>,
    print: (depth: number, tone: FlowTone, text: string) => void,
  ): void {
    if (event.object === 'container') this.#learn(event.id, event.name);
    const subject =
      event.object === 'sandbox' ? `sandbox ${event.attempt}` : `container ${event.name} ${event.attempt}`;
    if (event.to === 'running')
      print(
        1,
        'good',
        `${subject} ${event.object === 'sandbox' ? `ready${event.ip ? ` at ${event.ip}` : ''}` : 'running'}`,
      );
    // The runtime reports a sandbox that is being created as not ready, which isn't an exit.
    else if (event.to === 'exited' && (event.object === 'container' || event.from === 'running')) {
      const code = event.object === 'container' && event.exitCode !== undefined ? ` with code ${event.exitCode}` : '';
      print(
        1,
        event.exitCode ? 'bad' : 'plain',
        `${subject} ` +
          `exited${code}` +
          (event.reason && event.reason !== 'Completed' && event.reason !== 'Error' ? ` (${event.reason})` : ''),
      );
    }
  }
}

/** The decisions that get no line, because the lines after them contain the same information. */
const quietDecisions: ReadonlySet<string> = new Set(['podSandboxChanged.unchanged', 'computePodActions.keepContainer']);

const isFailedProbe = (attributes: Readonly<Record<string, unknown>> | undefined): boolean =>
  attributes?.['result'] === 'failure';

const probeText = (attributes: Readonly<Record<string, unknown>> | undefined): string =>
  typeof attributes?.['output'] === 'string' && attributes['output'] !== ''
    ? `: ${attributes['output'].split('\n')[0]}`
    : '';
