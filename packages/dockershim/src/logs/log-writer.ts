/** Writes one container's output into its log file, from start to end. */
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

/** What a writer needs to know of its container. */
export interface LoggedContainer {
  readonly id: string;
  readonly tty: boolean;
  /** The log file's absolute path. */
  readonly path: string;
}

/** Follows one container. */
export class LogWriter {
  readonly #docker: DockerClient;
  readonly #ctx: Context;
  readonly #container: LoggedContainer;
  readonly #notePath: string;
  readonly #file: LogFile;
  readonly #position: LogPosition;

  private constructor(docker: DockerClient, ctx: Context, container: LoggedContainer, notePath: string, file: LogFile, position: LogPosition) {
    this.#docker = docker;
    this.#ctx = ctx;
    this.#container = container;
    this.#notePath = notePath;
    this.#file = file;
    this.#position = position;
  }

  /** Opens the file, at the place where it was left. */
  static async open(docker: DockerClient, ctx: Context, container: LoggedContainer, notePath: string): Promise<LogWriter> {
    const position = await writtenPosition(container.path, notePath);
    return new LogWriter(docker, ctx, container, notePath, await LogFile.open(container.path), position);
  }

  /** Writes until the container has ended and all its output is in the file, or the context is aborted. */
  async run(): Promise<void> {
    const { signal, clock } = this.#ctx;
    try {
      for (let pause = firstPauseMs; !signal.aborted; pause = Math.min(pause * 2, maxPauseMs)) {
        if (await this.#follow()) return;
        // The engine is away, or cut us off: from where we are, when it is back.
        await sleep(clock, pause, signal).catch(() => undefined);
      }
    } finally {
      await this.#file.close();
    }
  }

  /** Writes nothing more. */
  close(): Promise<void> {
    return this.#file.close();
  }

  /** Goes on in a new file: the old one has been moved away. Upstream: ReopenContainerLog. */
  async reopen(): Promise<void> {
    await this.#file.reopen();
    await notePosition(this.#notePath, this.#position);
  }

  /** True when there is nothing more to come. */
  async #follow(): Promise<boolean> {
    try {
      for await (const message of followMessages(this.#docker, this.#ctx, this.#container, this.#position)) {
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
