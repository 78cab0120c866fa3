/**
 * Serves port-forward over SPDY. Each connection is a pair of streams, `data` and `error`; many pairs share one SPDY
 * connection. Upstream: httpStreamHandler (kubelet portforward, v1.36).
 */
import type { SpdyConnection } from '../spdy/connection.ts';
import type { SpdyStream } from '../spdy/stream.ts';
import { failureText, type PortForwardHandler } from './handler.ts';

interface Pair {
  readonly port: number;
  data?: SpdyStream;
  error?: SpdyStream;
  readonly timer: NodeJS.Timeout;
}

/**
 * Serves pairs until the connection ends.
 * @param creationTimeout milliseconds in which a pair must be complete
 */
export async function servePairs(
  connection: SpdyConnection,
  handler: PortForwardHandler,
  signal: AbortSignal,
  creationTimeout: number,
): Promise<void> {
  const pairs = new Map<string, Pair>();
  const running = new Set<Promise<void>>();
  for await (const stream of connection.incoming) {
    const type = stream.headers['streamtype'];
    const port = Number(stream.headers['port']);
    const isValid = (type === 'data' || type === 'error') && Number.isInteger(port) && port >= 1 && port <= 65_535;
    await connection.reply(stream, isValid);
    if (!isValid) continue;
    // Old clients send no request id. They open the error stream directly before the data stream, so the stream ids
    // show which two streams form a pair.
    const requestId = stream.headers['requestid'] ?? String(type === 'error' ? stream.id : stream.id - 2);
    const pair = pairs.get(requestId) ?? newPair(port, () => expire(pairs, requestId), creationTimeout);
    pairs.set(requestId, pair);
    if (pair[type]) {
      await writeError(pair.error, `error processing stream for request ${requestId}: ${type} stream already assigned`);
      continue;
    }
    pair[type] = stream;
    if (!pair.data || !pair.error) continue;
    pairs.delete(requestId);
    clearTimeout(pair.timer);
    const work = forward(pair.port, pair.data, pair.error, handler, signal).finally(() => running.delete(work));
    running.add(work);
  }
  for (const { timer } of pairs.values()) clearTimeout(timer);
  await Promise.all(running);
}

function newPair(port: number, onTimeout: () => void, milliseconds: number): Pair {
  return { port, timer: setTimeout(onTimeout, milliseconds) };
}

function expire(pairs: Map<string, Pair>, requestId: string): void {
  const pair = pairs.get(requestId);
  pairs.delete(requestId);
  void writeError(pair?.error, `request ${requestId} timed out waiting for streams`);
  void pair?.data?.reset();
}

async function writeError(stream: SpdyStream | undefined, text: string): Promise<void> {
  await stream?.write(Buffer.from(text)).catch(() => undefined);
  await stream?.end();
}

async function forward(
  port: number,
  data: SpdyStream,
  error: SpdyStream,
  handler: PortForwardHandler,
  signal: AbortSignal,
): Promise<void> {
  try {
    await handler(port, { source: data.source, write: (bytes) => data.write(bytes) }, signal);
  } catch (failure) {
    await error.write(Buffer.from(failureText(port, failure))).catch(() => undefined);
  }
  await data.end();
  await error.end();
}
