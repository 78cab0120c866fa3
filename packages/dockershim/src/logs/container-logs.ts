/**
 * Reads the output of containers through the Docker API, which also works with remote engines and with every log driver
 * that can be read.
 */
import type { ContainerLogLine, ContainerLogOptions } from '@podscope/cri';
import { type Context, type Instant, parseTime } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { followMessages } from './follow-messages.ts';
import { type LogMessage, logMessages } from './log-messages.ts';
import { LogPosition } from './log-position.ts';

/**
 * Yields the log lines of a container. Upstream: GetContainerLogs (dockershim docker_legacy_service.go, v1.20).
 * @throws CriError NotFound
 */
export async function* containerLogs(
  ctx: Context,
  dependencies: DockershimDependencies,
  containerId: string,
  options: ContainerLogOptions,
): AsyncGenerator<ContainerLogLine> {
  const startedAt = ctx.clock.now();
  const { Id: id, Config } = await dependencies.objects.inspect(ctx, containerId, 'container');
  const { follow, tailLines, since } = options;
  const container = { id, tty: Config.Tty };
  const part = {
    ...(follow ? { follow } : {}),
    ...(tailLines === undefined ? {} : { tail: Math.max(0, tailLines) }),
    ...(since === undefined ? {} : { since: engineTime(since) }),
  };
  const messages = logMessages(dependencies.docker.logs(ctx, { ...container, ...part }));
  yield* logLines(follow ? toTheEnd(messages) : messages);

  /** Yields the messages of `first` and then reads the rest. The engine may end a followed log too early. */
  async function* toTheEnd(first: AsyncIterable<LogMessage>): AsyncGenerator<LogMessage> {
    const position = new LogPosition();
    for await (const message of first) {
      position.note(message);
      yield message;
    }
    const begin = tailLines === undefined ? since : startedAt;
    if (!ctx.signal.aborted)
      yield* followMessages(ctx, dependencies.docker, container, position, {
        slack: 0,
        ...(begin === undefined ? {} : { begin: engineTime(begin) }),
      });
  }
}

/** Formats an instant as Unix seconds with a fraction, as the engine's API expects it. */
const engineTime = (at: Instant): string => (at / 1000).toFixed(9);

/** Decodes messages into lines of text. */
export async function* logLines(messages: AsyncIterable<LogMessage>): AsyncGenerator<ContainerLogLine> {
  // A decoder keeps the first bytes of a character until the next chunk contains the other bytes.
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  for await (const { time, stream, content, isPartial } of messages) {
    const text = decoders[stream].decode(content, { stream: isPartial });
    const line = { time: parseTime(time), stream, text: isPartial ? text : text.replace(/\r$/, '') };
    yield isPartial ? { ...line, partial: true } : line;
  }
}
