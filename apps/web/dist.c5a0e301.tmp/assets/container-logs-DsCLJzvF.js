var e=`/** Container output through the Docker API: works with every log driver that can be read, and with a remote engine. */
import type { ContainerLogLine, ContainerLogOptions } from '@podscope/cri';
import { type Context, type Instant, parseTime } from '@podscope/trace';
import type { Shim } from '../shim.ts';
import { followMessages } from './follow-messages.ts';
import { type LogMessage, logMessages } from './log-messages.ts';
import { LogPosition } from './log-position.ts';

/** Upstream: GetContainerLogs (dockershim docker_legacy_service.go, v1.20). @throws CriError NotFound */
export async function* containerLogs(shim: Shim, ctx: Context, containerId: string, options: ContainerLogOptions): AsyncGenerator<ContainerLogLine> {
  const startedAt = ctx.clock.now();
  const { Id: id, Config } = await shim.objects.inspect(ctx, containerId, 'container');
  const { follow, tailLines, since } = options;
  const container = { id, tty: Config.Tty };
  const part = {
    ...(follow ? { follow } : {}),
    ...(tailLines === undefined ? {} : { tail: Math.max(0, tailLines) }),
    ...(since === undefined ? {} : { since: engineTime(since) }),
  };
  const messages = logMessages(shim.docker.logs(ctx, { ...container, ...part }));
  yield* logLines(follow ? toTheEnd(messages) : messages);

  /** The engine's following may end too early: what is missing then is read after it. */
  async function* toTheEnd(first: AsyncIterable<LogMessage>): AsyncGenerator<LogMessage> {
    const position = new LogPosition();
    for await (const message of first) {
      position.note(message);
      yield message;
    }
    const begin = tailLines === undefined ? since : startedAt;
    if (!ctx.signal.aborted)
      yield* followMessages(shim.docker, ctx, container, position, { slack: 0, ...(begin === undefined ? {} : { begin: engineTime(begin) }) });
  }
}

/** Unix seconds with fraction. */
const engineTime = (at: Instant): string => (at / 1000).toFixed(9);

/** Turns messages into lines of text. */
export async function* logLines(messages: AsyncIterable<LogMessage>): AsyncGenerator<ContainerLogLine> {
  // A character may lie across a cut: its first bytes wait in the decoder.
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  for await (const { time, stream, content, isPartial } of messages) {
    const text = decoders[stream].decode(content, { stream: isPartial });
    const line = { time: parseTime(time), stream, text: isPartial ? text : text.replace(/\\r$/, '') };
    yield isPartial ? { ...line, partial: true } : line;
  }
}
`;export{e as default};
//# sourceMappingURL=container-logs-DsCLJzvF.js.map