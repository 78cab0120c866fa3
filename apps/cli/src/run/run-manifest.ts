/**
 * Implements `podscope run`: applies a manifest on a new node, prints the flow of the run, and returns an exit code for
 * the outcome.
 */

import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { errorMessage } from '@podscope/base';
import { UsageError } from '@podscope/command-line';
import type { ManifestError, StoppedThread } from '@podscope/protocol';
import { readSimulationFile, StartError } from '@podscope/server/embed';
import type { TraceEvent } from '@podscope/trace';
import { formatBreakSpec } from '../break-spec.ts';
import { exitCodes } from './exit-codes.ts';
import { FlowPrinter, type Terminal } from './flow-printer.ts';
import { type RunNode, startNode } from './node.ts';
import type { NodeOptions, RunOptions, Until } from './options.ts';
import { Prompt, type PromptStreams } from './prompt.ts';
import { writeRun } from './recorder.ts';
import { DebuggerAccess, describeStack, describeVariables } from './show-stop.ts';
import { UntilCondition, type Verdict } from './until-condition.ts';

export interface RunDependencies {
  readonly terminal: Terminal;
  /** Prints a message about the run that isn't part of the flow. */
  readonly print: (message: string) => void;
  readonly stdin: NodeJS.ReadableStream;
  /** The streams of the prompt; undefined if the program doesn't run on a terminal. */
  readonly prompt: PromptStreams | undefined;
  /** Aborted when the user presses Ctrl+C. */
  readonly signal: AbortSignal;
}

/** Name of the breakpoint group of the command line. */
const breakGroup = 'run';

/** Formats an error as `FILE:LINE:COLUMN: FIELD: MESSAGE`. */
const placed = (file: string, { message, field, line, column }: ManifestError): string =>
  [file, ...(line === undefined ? [] : [line, column ?? 1])].join(':') +
  `: ${field !== undefined && !message.startsWith(field) ? `${field}: ` : ''}${message}`;

async function readInput(file: string, stdin: NodeJS.ReadableStream): Promise<string> {
  if (file === '-') return readAll(stdin);
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'ENOENT' ? `${file} does not exist` : `${file} cannot be read: ${error.message}`,
      { cause: error },
    );
  });
}

async function readSimulation(file: string): Promise<NodeOptions['simulation']> {
  try {
    return await readSimulationFile(file);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

/** Checks before the run that the recording can be written, so that no run is lost at its end. */
async function checkRecord(file: string): Promise<void> {
  await access(dirname(file), constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `--record ${file} cannot be written: ` +
        (error.code === 'ENOENT' ? `${dirname(file)} does not exist` : error.message),
      {
        cause: error,
      },
    );
  });
}

/** Runs a manifest. @returns the exit code @throws UsageError for a file that can't be read */
export async function runManifest(options: RunOptions, dependencies: RunDependencies): Promise<number> {
  const { print, stdin } = dependencies;
  const manifest = await readInput(options.file, stdin);
  const plan = options.faults === undefined ? undefined : await readInput(options.faults, stdin);
  if (options.record !== undefined) await checkRecord(options.record);
  const simulation = options.simulation === undefined ? undefined : await readSimulation(options.simulation);
  let node: RunNode;
  try {
    node = await startNode({ ...options, simulation }, print);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    print(`podscope: ${error.message}`);
    return exitCodes.unavailable;
  }
  const detach = node.nodeHost.debugger.attach();
  try {
    return await new Run(options, dependencies, node).go(manifest, plan);
  } finally {
    detach();
    await node.stop();
  }
}

/** One run on a started node. */
class Run {
  readonly #options: RunOptions;
  readonly #around: RunDependencies;
  readonly #node: RunNode;
  readonly #debugger: DebuggerAccess;
  readonly #texts: string[] = [];
  readonly #stopped = new Set<string>();
  #printer: FlowPrinter | undefined;
  #prompt: Prompt | undefined;
  #condition: UntilCondition | undefined;

  constructor(options: RunOptions, around: RunDependencies, node: RunNode) {
    this.#options = options;
    this.#around = around;
    this.#node = node;
    this.#debugger = new DebuggerAccess(node.nodeHost.commandTable);
  }

  async go(manifest: string, plan: string | undefined): Promise<number> {
    const { nodeHost, notices, runtime } = this.#node;
    const { print } = this.#around;
    const wrong = this.#prepare(plan);
    if (wrong.length > 0) return this.#refuse(wrong);
    const { log } = nodeHost;
    const recorded = nodeHost.recorded();
    const uids = new Map<string, string>();
    // Buffer events until the pods of the run are known, because the printer needs their names.
    const early: TraceEvent[] = [...log.after(0)];
    const unsubscribe = log.subscribe((event) =>
      this.#printer ? this.#take(event, recorded.encode(event)) : void early.push(event),
    );
    try {
      const { applied, errors } = await nodeHost.commands.apply(manifest);
      if (errors.length > 0) return this.#refuse(errors.map((error) => placed(this.#options.file, error)));
      for (const { kind, namespace = '', name, uid } of applied)
        if (kind === 'Pod' && uid !== undefined) uids.set(uid, `${namespace}/${name}`);
      if (uids.size === 0) return this.#refuse([`${this.#options.file}: there is no pod in the manifest`]);
      print(`${runtime}, ${this.#options.profile}`);
      for (const notice of notices) print(notice);
      this.#condition = new UntilCondition(pointOf(this.#options.until), uids);
      this.#printer = new FlowPrinter(this.#around.terminal, nodeHost.clock.now(), [...uids.values()]);
      for (const event of early) this.#take(event, recorded.encode(event));
      const code = await this.#follow();
      for (const { group, hits, message, spec } of nodeHost.debugger.state().breakpoints)
        if (group === breakGroup && hits === 0)
          print(`--break ${formatBreakSpec(spec)} was not hit${message === undefined ? '' : `: ${message}`}`);
      if (this.#options.record !== undefined) {
        await writeRun(
          this.#options.record,
          recorded.info,
          basename(this.#options.file),
          this.#texts,
          nodeHost.clock.now(),
        );
        print(`recorded ${this.#texts.length} events in ${this.#options.record}`);
      }
      return code;
    } finally {
      unsubscribe();
      this.#printer?.end();
      this.#prompt?.close();
    }
  }

  /** Sets breakpoints, filters and faults. @returns their errors */
  #prepare(plan: string | undefined): readonly string[] {
    const { debugger: debug } = this.#node.nodeHost;
    const { until, breakpoints, filters, faults = '' } = this.#options;
    const wrong = plan === undefined ? [] : debug.setFaultPlan(plan).errors.map((error) => placed(faults, error));
    const step = pointOf(until);
    if ('step' in step && debug.catalog.matching(step.step).length === 0) {
      const known = debug.catalog
        .list()
        .points.flatMap(({ id, kind }) => (kind === 'syncStep' ? [id.replace('syncPod.', '')] : []));
      wrong.push(
        `--until step:${'step' in until ? until.step : ''}: there is no such step: ${known.join(', ')}, or the ` +
          'id of any point',
      );
    }
    for (const breakpoint of debug.setBreakpoints(breakGroup, breakpoints)) {
      const { verified, message, spec } = breakpoint.state();
      if (!verified) wrong.push(`--break ${formatBreakSpec(spec)}: ${message ?? 'can never be hit'}`);
    }
    try {
      debug.setFilters(filters);
    } catch (error) {
      wrong.push(`--break: ${errorMessage(error)}`);
    }
    return wrong;
  }

  #refuse(messages: readonly string[]): number {
    for (const message of messages) this.#around.print(`podscope: ${message}`);
    return exitCodes.usage;
  }

  #take(event: TraceEvent, encoded: string): void {
    if (this.#options.record !== undefined) this.#texts.push(encoded);
    if (event.type === 'stopped') this.#stopped.add(event.thread);
    else if (event.type === 'continued') this.#stopped.delete(event.thread);
    this.#condition?.apply(event);
    if (this.#options.json) this.#around.terminal.write(`${encoded}\n`);
    // Print the encoder's redacted copy of the event. So the terminal shows no secrets that the page masks.
    else this.#printer?.event(JSON.parse(encoded) as TraceEvent);
  }

  /**
   * Advances time until the run ends.
   * @returns the exit code
   */
  async #follow(): Promise<number> {
    const { nodeHost } = this.#node;
    const { signal, print } = this.#around;
    const end = nodeHost.clock.now() + this.#options.timeout;
    let verdict: Verdict | undefined;
    for (;;) {
      const happened = await this.#node.until(
        () =>
          signal.aborted ||
          this.#stopped.size > 0 ||
          (verdict = this.#condition?.judge(nodeHost.clock.now())) !== undefined,
        Math.max(0, end - nodeHost.clock.now()),
      );
      if (signal.aborted) {
        print('interrupted');
        return exitCodes.interrupted;
      }
      if (verdict) {
        print(verdict.reached ? `reached: ${verdict.text}` : `not reached: ${verdict.text}`);
        return verdict.reached ? exitCodes.reached : exitCodes.contrary;
      }
      if (!happened) {
        print(`not reached within ${this.#options.timeout / 1_000} s`);
        return exitCodes.timeout;
      }
      for (const stop of nodeHost.debugger.state().stopped) {
        const code = await this.#atStop(stop);
        if (code !== undefined) return code;
      }
    }
  }

  /**
   * Handles a stop.
   * @returns the exit code if the run ends at the stop
   */
  async #atStop(stop: StoppedThread): Promise<number | undefined> {
    const { prompt, signal, print } = this.#around;
    if (!this.#options.json) await this.#show(stop);
    if (this.#options.goOn) {
      await this.#debugger.send({ command: 'continue', thread: stop.thread });
      return undefined;
    }
    if (!prompt || this.#options.json) {
      print(`stopped: ${stop.text}`);
      return exitCodes.stopped;
    }
    this.#prompt ??= new Prompt(prompt);
    if ((await this.#prompt.at(stop, this.#debugger, signal)) === 'continues') return undefined;
    return signal.aborted ? exitCodes.interrupted : exitCodes.stopped;
  }

  async #show(stop: StoppedThread): Promise<void> {
    for (const line of await describeStack(this.#debugger, stop)) this.#printer?.print(line, 'debugger');
    for (const line of await describeVariables(this.#debugger, stop)) this.#printer?.print(line);
  }
}

/** Adds the prefix `syncPod.` to the name of a step, which users may omit. */
const pointOf = (until: Until): Until =>
  'step' in until && !until.step.includes('.') ? { step: `syncPod.${until.step}` } : until;
