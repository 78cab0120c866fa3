/** Writes the output of a container into its log file in CRI's format. */
import { isCriError } from '@podscope/cri';
import { LogFile } from '@podscope/cri/log-files';
import { type Context, sleep } from '@podscope/trace';
import { isNotFound } from '../docker/error.ts';
import type { DockerClient } from '../docker/port.ts';
import { followMessages } from './follow-messages.ts';
import { logFileLine } from './log-messages.ts';
import type { LogPosition } from './log-position.ts';
import { notePosition, writtenPosition } from './written-position.ts';

const firstPauseMs = 250;
const maxPauseMs = 5000;

/** A container that has a log file. */
export interface LoggedContainer {
  readonly id: string;
  readonly tty: boolean;
  /** The absolute path of the log file. */
  readonly path: string;
}

/** Writes the log of one container. */
export class LogWriter {
  readonly #docker: DockerClient;
  readonly #ctx: Context;
  readonly #container: LoggedContainer;
  readonly #notePath: string;
  readonly #file: LogFile;
  readonly #position: LogPosition;

  private constructor(
    ctx: Context,
    docker: DockerClient,
    container: LoggedContainer,
    notePath: string,
    file: LogFile,
    position: LogPosition,
  ) {
    this.#docker = docker;
    this.#ctx = ctx;
    this.#container = container;
    this.#notePath = notePath;
    this.#file = file;
    this.#position = position;
  }

  /** Opens the log file and finds out which messages it already contains. */
  static async open(
    ctx: Context,
    docker: DockerClient,
    container: LoggedContainer,
    notePath: string,
  ): Promise<LogWriter> {
    const position = await writtenPosition(container.path, notePath);
    return new LogWriter(ctx, docker, container, notePath, await LogFile.open(container.path), position);
  }

  /**
   * Writes output until the container has exited and all its output is in the file, or until the context is aborted.
   */
  async run(): Promise<void> {
    const { signal, clock } = this.#ctx;
    try {
      for (let pause = firstPauseMs; !signal.aborted; pause = Math.min(pause * 2, maxPauseMs)) {
        if (await this.#follow()) return;
        // The engine is unreachable or has closed the stream. The writer tries again and continues at its position.
        await sleep(clock, pause, signal).catch(() => undefined);
      }
    } finally {
      await this.#file.close();
    }
  }

  /** Closes the file. */
  close(): Promise<void> {
    return this.#file.close();
  }

  /**
   * Continues in a new file after the log was rotated. If the position can't be stored, the old file stays in use.
   * Upstream: ReopenContainerLog.
   */
  async reopen(): Promise<void> {
    await notePosition(this.#notePath, this.#position);
    await this.#file.reopen();
  }

  /** Writes messages as they arrive. Returns true at the end of the output. */
  async #follow(): Promise<boolean> {
    try {
      for await (const message of followMessages(this.#ctx, this.#docker, this.#container, this.#position)) {
        await this.#file.append(logFileLine(message));
      }
      return true;
    } catch (error) {
      if (isNotFound(error) || this.#ctx.signal.aborted) return true;
      if (!isCriError(error, 'Unavailable')) throw error;
      return false;
    }
  }
}
