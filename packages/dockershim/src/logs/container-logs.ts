/** Container output through the Docker API: works with every log driver that can be read, and with a remote engine. */
import type { ContainerLogLine, ContainerLogOptions } from '@podscope/cri';
import { type Context, parseTime } from '@podscope/trace';
import type { OutputFrame } from '../docker/port.ts';
import type { Shim } from '../shim.ts';
import { logMessages } from './log-messages.ts';

/** Upstream: GetContainerLogs (dockershim docker_legacy_service.go, v1.20). @throws CriError NotFound */
export async function* containerLogs(shim: Shim, ctx: Context, containerId: string, options: ContainerLogOptions): AsyncGenerator<ContainerLogLine> {
  const { Id: id, Config } = await shim.objects.inspect(ctx, containerId, 'container');
  const frames = shim.docker.logs(ctx, {
    id,
    tty: Config.Tty,
    ...(options.follow ? { follow: true } : {}),
    ...(options.tailLines === undefined ? {} : { tail: Math.max(0, options.tailLines) }),
    ...(options.since === undefined ? {} : { since: (options.since / 1000).toFixed(9) }),
  });
  yield* logLines(frames);
}

/** Turns timestamped output into lines of text. */
export async function* logLines(frames: AsyncIterable<OutputFrame>): AsyncGenerator<ContainerLogLine> {
  // A character may lie across a cut: its first bytes wait in the decoder.
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  for await (const { time, stream, content, isPartial } of logMessages(frames)) {
    const text = decoders[stream].decode(content, { stream: isPartial });
    const line = { time: parseTime(time), stream, text: isPartial ? text : text.replace(/\r$/, '') };
    yield isPartial ? { ...line, partial: true } : line;
  }
}
