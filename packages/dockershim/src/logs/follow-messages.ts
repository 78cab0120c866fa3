/** Follows a container's output until its end. */
import { type Context, sleep } from '@podscope/trace';
import type { DockerClient, LogsArgs } from '../docker/port.ts';
import { type LogMessage, logMessages } from './log-messages.ts';
import type { LogPosition } from './log-position.ts';

/**
 * The pause in ms before the stream is opened again. A stream may end shortly before the engine reports the container's
 * exit.
 */
const pauseMs = 50;

interface FollowOptions {
  /** How many whole seconds before the position the reading starts. */
  readonly slack?: number;
  /**
   * The instant at which the reading starts if the position is empty, in Unix seconds with a fraction. Default: the
   * beginning of the log.
   */
  readonly begin?: string;
}

/**
 * Yields the messages after `position` until the container has exited, and advances `position`. The engine may drop the
 * last lines of a followed log (Docker 20.10 loses output written at the exit in every second case), so the rest is
 * read again after the exit.
 * @throws DockerError Unavailable if the connection to the engine breaks; call again with the same position
 */
export async function* followMessages(
  ctx: Context,
  docker: DockerClient,
  container: Pick<LogsArgs, 'id' | 'tty'>,
  position: LogPosition,
  options: FollowOptions = {},
): AsyncGenerator<LogMessage> {
  for (;;) {
    yield* newMessages(ctx, docker, { ...container, follow: true }, position, options);
    if (ctx.signal.aborted) return;
    const { State } = await docker.inspectContainer(ctx, { id: container.id });
    if (!State.Running) break;
    await sleep(ctx.clock, pauseMs, ctx.signal).catch(() => undefined);
    if (ctx.signal.aborted) return;
  }
  yield* newMessages(ctx, docker, container, position, options);
}

async function* newMessages(
  ctx: Context,
  docker: DockerClient,
  args: LogsArgs,
  position: LogPosition,
  { slack, begin }: FollowOptions,
): AsyncGenerator<LogMessage> {
  const since = position.since(slack) ?? begin;
  for await (const message of logMessages(docker.logs(ctx, { ...args, ...(since ? { since } : {}) }))) {
    if (!position.isNew(message)) continue;
    position.note(message);
    yield message;
  }
}
