/**
 * The writers of all running containers' logs. The engine keeps logs in a form of its own; the kubelet, and every CRI client, reads files in
 * CRI's. Upstream dockershim only linked to the engine's files.
 */
import { mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import { type Context, sleep, withoutCancel, withSignal, withThread } from '@podscope/trace';
import type { Deviations } from '../deviations.ts';
import type { DockerClient } from '../docker/port.ts';
import { labelKeys } from '../labels.ts';
import type { OwnedObjects } from '../owned-objects.ts';
import { type LoggedContainer, LogWriter } from './log-writer.ts';
import { forgetPosition } from './written-position.ts';

/** An exited container's output is waited for so long at most. */
const drainPatienceMs = 10_000;

interface Running {
  readonly writer: LogWriter;
  readonly done: Promise<void>;
  readonly stop: AbortController;
}

/** Dependencies of {@link LogWriters}. */
export interface LogWritersOptions {
  readonly docker: DockerClient;
  readonly objects: OwnedObjects;
  readonly deviations: Deviations;
  /** For notes on rotated logs. */
  readonly directory: string;
  /** False: no files are written, and reopening is refused. */
  readonly isEnabled: boolean;
}

/** Keeps a writer for each running container that wants a log file. */
export class LogWriters {
  readonly #options: LogWritersOptions;
  /** Where writers run: they outlive the calls that start them. */
  readonly #ctx: Context;
  #resuming: Promise<void> = Promise.resolve();
  readonly #created = new Map<string, LoggedContainer>();
  readonly #running = new Map<string, Promise<Running | undefined>>();

  constructor(ctx: Context, options: LogWritersOptions) {
    this.#ctx = withThread(withoutCancel(ctx), 'containerLogs');
    this.#options = options;
  }

  /** Goes on with the logs of containers that an earlier process started; in the background, nobody waits for it. */
  resume(): void {
    if (this.#options.isEnabled) this.#resuming = this.#resume().catch((error: unknown) => this.#tell('of an earlier process', error));
  }

  /** Notes what a container that was just created will need. */
  created(container: LoggedContainer): void {
    if (this.#options.isEnabled && isAbsolute(container.path)) this.#created.set(container.id, container);
  }

  /**
   * Opens the log of a container that is being started, and writes it as soon as it is. A log that cannot be written fails no start.
   * @param started the start: the engine gives out no log before it.
   */
  async start(id: string, started: Promise<unknown> = Promise.resolve()): Promise<void> {
    if (!this.#options.isEnabled || this.#running.has(id)) return;
    const opening = this.#open(id, started).catch((error: unknown) => {
      this.#tell(id, error);
      return undefined;
    });
    this.#running.set(id, opening);
    if (!(await opening)) this.#running.delete(id);
  }

  /** Waits until all that an exited container wrote is in its log. */
  async drained(ctx: Context, id: string): Promise<void> {
    const running = await this.#running.get(id);
    if (!running) return;
    const patience = new AbortController();
    await Promise.race([running.done, sleep(ctx.clock, drainPatienceMs, patience.signal).catch(() => undefined)]);
    patience.abort();
  }

  /** @throws CriError FailedPrecondition for a container whose log nobody writes. */
  async reopen(id: string): Promise<void> {
    const running = await this.#running.get(id);
    if (!running) throw new CriError('FailedPrecondition', `container ${goQuote(id)} is not running, or has no log file`);
    await running.writer.reopen();
  }

  /** Ends the writing for a container that is removed. The file stays: it is the caller's. */
  async forget(id: string): Promise<void> {
    this.#created.delete(id);
    if (!this.#options.isEnabled) return;
    const running = await this.#running.get(id);
    running?.stop.abort();
    await running?.done;
    await forgetPosition(this.#notePath(id));
  }

  /** Ends all writing. */
  async close(): Promise<void> {
    await this.#resuming;
    const all = (await Promise.all(this.#running.values())).filter((running) => running !== undefined);
    for (const { stop } of all) stop.abort();
    await Promise.all(all.map(({ done }) => done));
  }

  async #resume(): Promise<void> {
    await mkdir(this.#options.directory, { recursive: true, mode: 0o700 });
    const { docker, objects } = this.#options;
    const summaries = await docker.listContainers(this.#ctx, { all: true, filters: { label: objects.labelFilter('container') } });
    const started = summaries.filter(({ State, Labels }) => State !== 'created' && Labels[labelKeys.logPath]);
    await Promise.all(started.map(({ Id }) => this.start(Id)));
  }

  async #open(id: string, started: Promise<unknown>): Promise<Running | undefined> {
    const container = this.#created.get(id) ?? (await this.#inspect(id));
    this.#created.delete(id);
    if (!container) return undefined;
    const stop = new AbortController();
    const writer = await LogWriter.open(this.#options.docker, withSignal(this.#ctx, stop.signal), container, this.#notePath(id));
    const done = this.#write(id, writer, started);
    return { writer, stop, done };
  }

  async #write(id: string, writer: LogWriter, started: Promise<unknown>): Promise<void> {
    try {
      const isStarted = await started.then(
        () => true,
        () => false,
      );
      if (isStarted) await writer.run();
      else await writer.close();
    } catch (error) {
      this.#tell(id, error);
    } finally {
      this.#running.delete(id);
    }
  }

  #notePath(id: string): string {
    return join(this.#options.directory, id);
  }

  async #inspect(id: string): Promise<LoggedContainer | undefined> {
    const { Config } = await this.#options.objects.inspect(this.#ctx, id, 'container');
    const path = Config.Labels[labelKeys.logPath] ?? '';
    return isAbsolute(path) ? { id, tty: Config.Tty, path } : undefined;
  }

  #tell(id: string, error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#options.deviations.record(this.#ctx, `The log file of a container cannot be written (${why}). Logs are read through the engine.`);
    this.#ctx.tracer.emit(this.#ctx, { type: 'output', level: 'warning', message: `log of container ${id}: ${why}` });
  }
}
