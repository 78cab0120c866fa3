/**
 * Manages the log writers of all running containers. The kubelet and other CRI clients read log files in CRI's format,
 * which the engine doesn't write. Upstream's dockershim only linked to the engine's log files.
 */

import { mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { errorMessage } from '@podscope/base';
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import { type Context, sleep, withoutCancel, withSignal, withThread } from '@podscope/trace';
import type { DockerClient } from '../docker/port.ts';
import type { Deviations } from '../engine/deviations.ts';
import { labelKeys } from '../objects/labels.ts';
import type { OwnedObjects } from '../objects/owned-objects.ts';
import { type LoggedContainer, LogWriter } from './log-writer.ts';
import { forgetPosition } from './written-position.ts';

/** The longest wait in ms for the output of an exited container. */
const drainTimeoutMs = 10_000;

interface Running {
  readonly writer: LogWriter;
  readonly done: Promise<void>;
  readonly stop: AbortController;
}

/** The dependencies of {@link LogWriters}. */
export interface LogWritersDependencies {
  readonly docker: DockerClient;
  readonly objects: OwnedObjects;
  readonly deviations: Deviations;
  /** The directory that stores the positions of rotated logs. */
  readonly directory: string;
  /** Whether log files are written. If false, reopening a log fails. */
  readonly isEnabled: boolean;
}

/** Keeps a log writer for each running container that has a log file. */
export class LogWriters {
  readonly #options: LogWritersDependencies;
  /** The context of the writers. A writer runs longer than the call that starts it. */
  readonly #ctx: Context;
  #resuming: Promise<void> = Promise.resolve();
  readonly #created = new Map<string, LoggedContainer>();
  readonly #running = new Map<string, Promise<Running | undefined>>();

  constructor(ctx: Context, options: LogWritersDependencies) {
    this.#ctx = withThread(withoutCancel(ctx), 'containerLogs');
    this.#options = options;
  }

  /** Continues the logs of containers that an earlier process started. Returns at once and works in the background. */
  resume(): void {
    if (this.#options.isEnabled)
      this.#resuming = this.#resume().catch((error: unknown) => this.#report('of an earlier process', error));
  }

  /** Records the log path of a created container, so that starting the container needs no inspect call. */
  created(container: LoggedContainer): void {
    if (this.#options.isEnabled && isAbsolute(container.path)) this.#created.set(container.id, container);
  }

  /**
   * Opens the log of a container that is started, and writes it once the container runs. Never throws.
   * @param started resolves when the engine has started the container, because before that it has no log
   */
  async start(id: string, started: Promise<unknown> = Promise.resolve()): Promise<void> {
    if (!this.#options.isEnabled || this.#running.has(id)) return;
    const opening = this.#open(id, started).catch((error: unknown) => {
      this.#report(id, error);
      return undefined;
    });
    this.#running.set(id, opening);
    if (!(await opening)) this.#running.delete(id);
  }

  /** Waits until the log of an exited container contains its whole output. */
  async drained(ctx: Context, id: string): Promise<void> {
    const running = await this.#running.get(id);
    if (!running) return;
    const waiting = new AbortController();
    await Promise.race([running.done, sleep(ctx.clock, drainTimeoutMs, waiting.signal).catch(() => undefined)]);
    waiting.abort();
  }

  /**
   * Reopens a log after it was rotated.
   * @throws CriError FailedPrecondition for a container without a writer
   */
  async reopen(id: string): Promise<void> {
    const running = await this.#running.get(id);
    if (!running)
      throw new CriError('FailedPrecondition', `container ${goQuote(id)} is not running, or has no log file`);
    await running.writer.reopen();
  }

  /** Stops the writer of a removed container. The log file stays until its owner deletes it. */
  async forget(id: string): Promise<void> {
    this.#created.delete(id);
    if (!this.#options.isEnabled) return;
    const running = await this.#running.get(id);
    running?.stop.abort();
    await running?.done;
    await forgetPosition(this.#notePath(id));
  }

  /** Stops all writers. */
  async close(): Promise<void> {
    await this.#resuming;
    const all = (await Promise.all(this.#running.values())).filter((running) => running !== undefined);
    for (const { stop } of all) stop.abort();
    await Promise.all(all.map(({ done }) => done));
  }

  async #resume(): Promise<void> {
    await mkdir(this.#options.directory, { recursive: true, mode: 0o700 });
    const { docker, objects } = this.#options;
    const summaries = await docker.listContainers(this.#ctx, {
      all: true,
      filters: { label: objects.labelFilter('container') },
    });
    const started = summaries.filter(({ State, Labels }) => State !== 'created' && Labels[labelKeys.logPath]);
    await Promise.all(started.map(({ Id }) => this.start(Id)));
  }

  async #open(id: string, started: Promise<unknown>): Promise<Running | undefined> {
    const container = this.#created.get(id) ?? (await this.#inspect(id));
    this.#created.delete(id);
    if (!container) return undefined;
    const stop = new AbortController();
    const writer = await LogWriter.open(
      withSignal(this.#ctx, stop.signal),
      this.#options.docker,
      container,
      this.#notePath(id),
    );
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
      this.#report(id, error);
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

  #report(id: string, error: unknown): void {
    const why = errorMessage(error);
    this.#options.deviations.record(
      this.#ctx,
      `The log file of a container cannot be written (${why}). Logs are read through the engine.`,
    );
    this.#ctx.tracer.emit(this.#ctx, { type: 'output', level: 'warning', message: `log of container ${id}: ${why}` });
  }
}
