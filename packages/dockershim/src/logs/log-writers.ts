/**
 * Manages the log writers of all running containers. The kubelet and other CRI clients read log files in CRI's format,
 * which the engine doesn't write. Upstream: dockershim only linked to the engine's files.
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

/** Longest wait for an exited container's output. */
const drainPatienceMs = 10_000;

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
  /** Holds the positions of rotated logs. */
  readonly directory: string;
  /** False: no files are written and reopening fails. */
  readonly isEnabled: boolean;
}

/** Keeps one writer per running container with a log file. */
export class LogWriters {
  readonly #options: LogWritersDependencies;
  /** The context of the writers, which outlive the calls that start them. */
  readonly #ctx: Context;
  #resuming: Promise<void> = Promise.resolve();
  readonly #created = new Map<string, LoggedContainer>();
  readonly #running = new Map<string, Promise<Running | undefined>>();

  constructor(ctx: Context, options: LogWritersDependencies) {
    this.#ctx = withThread(withoutCancel(ctx), 'containerLogs');
    this.#options = options;
  }

  /** Continues the logs of containers that an earlier process started. Returns at once; works in the background. */
  resume(): void {
    if (this.#options.isEnabled)
      this.#resuming = this.#resume().catch((error: unknown) => this.#report('of an earlier process', error));
  }

  /** Records a created container, so that its start needs no inspect. */
  created(container: LoggedContainer): void {
    if (this.#options.isEnabled && isAbsolute(container.path)) this.#created.set(container.id, container);
  }

  /**
   * Opens the log of a starting container and writes it once it runs. Never fails.
   * @param started the start; the engine has no log before it
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

  /** Waits until the whole output of an exited container is in its log. */
  async drained(ctx: Context, id: string): Promise<void> {
    const running = await this.#running.get(id);
    if (!running) return;
    const patience = new AbortController();
    await Promise.race([running.done, sleep(ctx.clock, drainPatienceMs, patience.signal).catch(() => undefined)]);
    patience.abort();
  }

  /** Reopens a log after its rotation. @throws CriError FailedPrecondition for a container without a writer */
  async reopen(id: string): Promise<void> {
    const running = await this.#running.get(id);
    if (!running)
      throw new CriError('FailedPrecondition', `container ${goQuote(id)} is not running, or has no log file`);
    await running.writer.reopen();
  }

  /** Stops the writer of a removed container. The file stays; its owner deletes it. */
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
