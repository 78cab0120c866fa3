/** Carries a command's streams over SPDY, one SPDY stream each, distinguished by the header `streamType`. */
import { SpdyConnection } from '../spdy/connection.ts';
import type { SpdyStream } from '../spdy/stream.ts';
import { acceptSpdy, type UpgradeRequest } from '../upgrade.ts';
import { abortedWhen, type OpenStreams } from './channels.ts';
import { encodeOutcome } from './outcome.ts';
import { hasJsonStatus, hasResize, type RemoteCommandStreams, spdyProtocols } from './protocols.ts';
import { readSizes } from './resize.ts';

type StreamType = 'error' | 'stdin' | 'stdout' | 'stderr' | 'resize';

/**
 * Waits until the client has opened all requested streams.
 * Upstream: createSPDYServerStreams and waitStreams (kubelet remotecommand, v1.36).
 * @param creationTimeout milliseconds in which the client must open them
 * @throws Error at the timeout
 */
export async function openSpdyStreams(
  upgrade: UpgradeRequest,
  wanted: RemoteCommandStreams,
  creationTimeout: number,
): Promise<OpenStreams> {
  const protocol = acceptSpdy(upgrade, spdyProtocols);
  const connection = new SpdyConnection(upgrade.socket, 'server');
  const expected = new Set<StreamType>(['error']);
  for (const type of ['stdin', 'stdout', 'stderr'] as const) if (wanted[type]) expected.add(type);
  if (wanted.tty && hasResize(protocol)) expected.add('resize');

  const opened = new Map<string, SpdyStream>();
  const timer = setTimeout(() => connection.destroy(), creationTimeout);
  const gathering = gather(connection, expected, opened);
  await Promise.race([gathering, connection.closed]);
  clearTimeout(timer);
  if ([...expected].some((type) => !opened.has(type))) {
    connection.destroy();
    throw new Error(
      'the client did not open the streams it asked for: ' +
        [...expected].filter((type) => !opened.has(type)).join(', '),
    );
  }
  const [error, stdin, stdout, stderr, resize] = (['error', 'stdin', 'stdout', 'stderr', 'resize'] as const).map(
    (type) => opened.get(type),
  );
  return {
    streams: {
      tty: wanted.tty,
      ...(stdin ? { stdin: stdin.source } : {}),
      ...(stdout ? { stdout } : {}),
      ...(stderr ? { stderr } : {}),
      ...(resize ? { resize: readSizes(resize.source) } : {}),
    },
    signal: abortedWhen(connection.closed),
    async finish(outcome) {
      await Promise.all([stdout?.end(), stderr?.end(), stdin?.end(), resize?.end()]);
      const reported = encodeOutcome(outcome, hasJsonStatus(protocol));
      // The client may have disconnected, so a failed write is ignored.
      if (reported) await error?.write(reported).catch(() => undefined);
      await error?.end();
      await connection.close();
    },
  };
}

async function gather(
  connection: SpdyConnection,
  expected: ReadonlySet<string>,
  opened: Map<string, SpdyStream>,
): Promise<void> {
  let missing = expected.size;
  for await (const stream of connection.incoming) {
    const type = stream.headers['streamtype'] ?? '';
    const isWanted = expected.has(type) && !opened.has(type);
    await connection.reply(stream, isWanted);
    if (!isWanted) continue;
    opened.set(type, stream);
    missing -= 1;
    if (missing === 0) return;
  }
}
