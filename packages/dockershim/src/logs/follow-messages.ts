/** Following a container's output to its very end. */
import { type Context, sleep } from '@podscope/trace';
import type { DockerClient, LogsArgs } from '../docker/port.ts';
import { type LogMessage, logMessages } from './log-messages.ts';
import type { LogPosition } from './log-position.ts';

/** A stream may end a moment before the engine notes the container's end. */
const pauseMs = 50;

interface FollowOptions {
  /** Whole seconds before the position from which to read again. */
  readonly slack?: number;
  /** Where to begin while the position is empty: Unix seconds with fraction. Left out: at the beginning. */
  readonly begin?: string;
}

/**
 * What the container writes after `position`, until it has ended; the position moves along. The engine's own following may end without
 * the last lines (20.10 loses what is written at the exit in every second case): when the container has ended, the rest is read once more.
 * @throws DockerError Unavailable when the engine goes away: call again with the same position.
 */
export async function* followMessages(
  docker: DockerClient,
  ctx: Context,
  container: Pick<LogsArgs, 'id' | 'tty'>,
  position: LogPosition,
  options: FollowOptions = {},
): AsyncGenerator<LogMessage> {
  for (;;) {
    yield* newMessages(docker, ctx, { ...container, follow: true }, position, options);
    if (ctx.signal.aborted) return;
    const { State } = await docker.inspectContainer(ctx, { id: container.id });
    if (!State.Running) break;
    await sleep(ctx.clock, pauseMs, ctx.signal).catch(() => undefined);
    if (ctx.signal.aborted) return;
  }
  yield* newMessages(docker, ctx, container, position, options);
}

async function* newMessages(
  docker: DockerClient,
  ctx: Context,
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
