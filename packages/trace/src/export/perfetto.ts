/**
 * Exports a run in the Trace Event Format of Perfetto and chrome://tracing. The node and each pod are processes. Loops,
 * pod workers and containers are threads, with slices, instants and counters. The output is streamed, so that a long
 * run needs little memory. Format: "Trace Event Format", JSON object form; times are microseconds since the run's
 * start.
 */
import { asHappened } from '../events/as-happened.ts';
import type { TraceEvent, TraceEventOf } from '../events/event.ts';
import { toJson } from '../events/event-json.ts';
import type { RunInfo } from '../file/run-info.ts';
import { Lanes } from './lanes.ts';
import { PodNames } from './pod-names.ts';

type Args = Readonly<Record<string, unknown>>;
/** An entry of `traceEvents`. */
type TraceRecord = Readonly<Record<string, unknown>>;

interface OpenSpan {
  readonly started: TraceEventOf<'spanStarted'>;
  readonly thread: Thread;
}

/** A thread of the node or of a pod. It is drawn on one or more rows. */
interface Thread {
  readonly pid: number;
  readonly name: string;
  readonly lanes: Lanes;
  /** The id of the row of each lane. */
  readonly tids: number[];
}

interface RunningContainer {
  readonly pid: number;
  readonly tid: number;
  readonly start: number;
  readonly title: string;
}

const nodeProcess = 1;

/** Converts events to records of the format. A record is written when its slice is complete. */
class PerfettoRun {
  readonly #info: RunInfo;
  readonly #names = new PodNames();
  readonly #processes = new Map<string, number>();
  readonly #threads = new Map<string, Thread>();
  /** The number of rows of each process. */
  readonly #rows = new Map<number, number>();
  readonly #containerRows = new Map<string, number>();
  /** The end of the last slice on the row of each container. */
  readonly #containerEnds = new Map<string, number>();
  readonly #open = new Map<number, OpenSpan>();
  readonly #running = new Map<string, RunningContainer>();
  readonly #pods = new Set<string>();
  #base: number | undefined;
  #last = 0;
  #records: TraceRecord[] = [];

  constructor(info: RunInfo) {
    this.#info = info;
  }

  take(received: TraceEvent): readonly TraceRecord[] {
    const event = asHappened(received);
    this.#base ??= Math.min(this.#info.startedAt, event.time);
    this.#names.learn(event);
    this.#last = Math.max(this.#last, this.#at(event.time));
    if (event.type === 'podChanged' && event.pod !== undefined) this.#nameProcess(event.pod);
    this.#dispatch(event);
    return this.#taken();
  }

  /** Returns the records of slices that are still open. They end with the run. */
  finish(): readonly TraceRecord[] {
    for (const [id, { thread, started }] of this.#open)
      this.#slice(thread, id, this.#last, started, { unfinished: true });
    for (const container of this.#running.values()) this.#containerSlice(container, this.#last, { unfinished: true });
    return this.#taken();
  }

  #taken(): readonly TraceRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  #at(time: number): number {
    return Math.max(0, Math.round((time - (this.#base ?? 0)) * 1_000));
  }

  #dispatch(event: TraceEvent): void {
    switch (event.type) {
      case 'spanStarted': {
        const thread = this.#thread(event);
        const parent = event.parent !== undefined && this.#open.has(event.parent) ? event.parent : undefined;
        thread.lanes.begin(event.span, parent, this.#at(event.time));
        this.#open.set(event.span, { started: event, thread });
        return;
      }
      case 'spanEnded': {
        const open = this.#open.get(event.span);
        this.#open.delete(event.span);
        if (open)
          this.#slice(open.thread, event.span, this.#at(event.time), open.started, {
            outcome: event.outcome,
            error: event.error,
            result: event.attributes,
          });
        return;
      }
      case 'stopped': {
        const { lanes } = this.#thread(event);
        lanes.begin(`stop ${event.thread}`, lanes.innermost(), this.#at(event.time));
        return;
      }
      case 'continued': {
        const thread = this.#thread(event);
        this.#pieces(thread, `stop ${event.thread}`, this.#at(event.time), `stopped`, 'debugger', {
          reason: event.reason,
        });
        return;
      }
      case 'decision':
        if (event.decisive)
          this.#instant(event, event.rule, 'decision', { outcome: event.outcome, facts: event.facts });
        return;
      case 'kubernetesEvent':
        return this.#instant(event, event.reason, 'event', {
          type: event.eventType,
          message: event.message,
          count: event.count,
        });
      case 'syncResult':
        return this.#instant(event, `${event.action} ${event.target}`, 'syncResult', {
          error: event.error,
          message: event.message,
        });
      case 'intervention':
        return this.#instant(event, event.text, 'intervention', { action: event.action, origin: event.origin });
      case 'command':
        return this.#instant(event, event.command, 'command', event.arguments);
      case 'runtimeStateChanged':
        return this.#container(event);
      case 'podChanged':
        return this.#pod(event);
      case 'podStatus':
      case 'backOff':
      case 'pullProgress':
      case 'breakpointsChanged':
      case 'output':
        return;
    }
  }

  #process(pod: string | undefined): number {
    if (pod === undefined) {
      if (!this.#processes.has('')) {
        this.#processes.set('', nodeProcess);
        this.#metadata('process_name', nodeProcess, 0, { name: `node ${this.#info.nodeName}` });
        this.#metadata('process_sort_index', nodeProcess, 0, { sort_index: 0 });
      }
      return nodeProcess;
    }
    let pid = this.#processes.get(pod);
    if (pid === undefined) {
      pid = nodeProcess + 1 + this.#processes.size;
      this.#processes.set(pod, pid);
      this.#metadata('process_name', pid, 0, { name: `pod ${this.#names.text(pod)}` });
      this.#metadata('process_sort_index', pid, 0, { sort_index: pid });
    }
    return pid;
  }

  /** Names the process of a pod whose name wasn't known when the process began. */
  #nameProcess(pod: string): void {
    const pid = this.#processes.get(pod);
    if (pid !== undefined && !this.#pods.has(pod))
      this.#metadata('process_name', pid, 0, { name: `pod ${this.#names.text(pod)}` });
  }

  /**
   * Returns the thread of an event. A thread whose name is a pod's UID is that pod's worker. A loop belongs to the
   * node, even while it works for a pod.
   */
  #thread({ thread: name, pod }: TraceEvent): Thread {
    let thread = this.#threads.get(name);
    if (!thread) {
      const isWorker = pod !== undefined && name.startsWith(pod);
      const rest = isWorker ? name.slice(pod.length).replace(/^[/:]/, '') : '';
      thread = {
        pid: this.#process(isWorker ? pod : undefined),
        name: isWorker ? rest || 'pod worker' : name,
        lanes: new Lanes(),
        tids: [],
      };
      this.#threads.set(name, thread);
    }
    return thread;
  }

  #row(thread: Thread, lane: number): number {
    let tid = thread.tids[lane];
    if (tid === undefined) {
      tid = this.#newRow(thread.pid, lane === 0 ? thread.name : `${thread.name} (${lane + 1})`);
      thread.tids[lane] = tid;
    }
    return tid;
  }

  #newRow(pid: number, name: string): number {
    const tid = (this.#rows.get(pid) ?? 0) + 1;
    this.#rows.set(pid, tid);
    this.#metadata('thread_name', pid, tid, { name });
    this.#metadata('thread_sort_index', pid, tid, { sort_index: tid });
    return tid;
  }

  #metadata(name: string, pid: number, tid: number, args: Args): void {
    this.#records.push({ ph: 'M', name, pid, tid, ts: 0, args });
  }

  #slice(thread: Thread, id: number, end: number, started: TraceEventOf<'spanStarted'>, more: Args): void {
    this.#pieces(thread, id, end, started.title, started.kind, {
      point: started.point,
      span: id,
      ...started.attributes,
      ...more,
    });
  }

  #pieces(thread: Thread, span: number | string, end: number, name: string, cat: string, args: Args): void {
    for (const { lane, start, end: to, continued } of thread.lanes.end(span, end)) {
      const tid = this.#row(thread, lane);
      this.#records.push({
        ph: 'X',
        name: continued ? `${name} (continued)` : name,
        cat,
        ts: start,
        dur: to - start,
        pid: thread.pid,
        tid,
        args,
      });
    }
  }

  #instant(event: TraceEvent, name: string, cat: string, args: Args): void {
    const thread = this.#thread(event);
    this.#records.push({
      ph: 'i',
      s: 't',
      name,
      cat,
      ts: this.#at(event.time),
      pid: thread.pid,
      tid: this.#row(thread, 0),
      args,
    });
  }

  #counter(name: string, time: number, value: number): void {
    this.#records.push({ ph: 'C', name, ts: this.#at(time), pid: this.#process(undefined), tid: 0, args: { value } });
  }

  #pod(event: TraceEventOf<'podChanged'>): void {
    if (event.pod === undefined) return;
    const before = this.#pods.size;
    if (event.operation === 'DELETED') this.#pods.delete(event.pod);
    else this.#pods.add(event.pod);
    if (this.#pods.size !== before) this.#counter('pods', event.time, this.#pods.size);
  }

  #container(event: TraceEventOf<'runtimeStateChanged'>): void {
    const known = this.#running.get(event.id);
    if (event.to === 'running' && !known) {
      this.#running.set(event.id, this.#begin(event, event.startedAt ?? event.time));
      this.#counter('containers running', event.time, this.#running.size);
    } else if (event.to === 'exited' || event.to === 'nonexistent') {
      // If a container started and exited between two relists, the first event about it comes after its end.
      const running =
        known ??
        (event.startedAt === undefined || event.to === 'nonexistent' ? undefined : this.#begin(event, event.startedAt));
      if (!running) return;
      const end = Math.max(running.start, this.#at(event.finishedAt ?? event.time));
      this.#containerEnds.set(`${running.pid}/${running.tid}`, end);
      this.#containerSlice(running, end, { exitCode: event.exitCode, reason: event.reason });
      if (this.#running.delete(event.id)) this.#counter('containers running', event.time, this.#running.size);
    }
  }

  /**
   * Begins a slice on a container's row. Slices on a row must not overlap, so a start before the end of the last slice
   * (the clocks differ) is moved to that end.
   */
  #begin(event: TraceEventOf<'runtimeStateChanged'>, startedAt: number): RunningContainer {
    const pid = this.#process(event.pod);
    const key = `${pid} ${event.object} ${event.name}`;
    let tid = this.#containerRows.get(key);
    if (tid === undefined) {
      tid = this.#newRow(pid, event.object === 'sandbox' ? 'sandbox' : `container ${event.name}`);
      this.#containerRows.set(key, tid);
    }
    const start = Math.max(this.#at(startedAt), this.#containerEnds.get(`${pid}/${tid}`) ?? 0);
    return { pid, tid, start, title: `${event.name} attempt ${event.attempt}` };
  }

  #containerSlice({ pid, tid, start, title }: RunningContainer, end: number, args: Args): void {
    this.#records.push({
      ph: 'X',
      name: title,
      cat: 'container',
      ts: start,
      dur: Math.max(0, end - start),
      pid,
      tid,
      args,
    });
  }
}

/** Yields the text of a file for Perfetto in chunks. */
export async function* writePerfetto(
  info: RunInfo,
  events: Iterable<TraceEvent> | AsyncIterable<TraceEvent>,
): AsyncGenerator<string> {
  const run = new PerfettoRun(info);
  const { steps: _, notes: _notes, ...about } = info;
  let separator = '\n';
  const text = (records: readonly TraceRecord[]): string => {
    let joined = '';
    for (const record of records) {
      joined += separator + toJson(record);
      separator = ',\n';
    }
    return joined;
  };
  yield `{"displayTimeUnit":"ms","otherData":${toJson(about)},"traceEvents":[`;
  for await (const event of events) {
    const some = text(run.take(event));
    if (some !== '') yield some;
  }
  yield `${text(run.finish())}\n]}\n`;
}
