/**
 * A runtime for `bench relay`. It answers each call with the number of bytes in its path: `/bench/200` returns one
 * message, and `/bench/1500x1000` a stream of messages.
 */
import { createServer } from 'node:http2';

const prefixLength = 5;

/** Returns a gRPC message of the given length. */
function messageOf(length: number): Buffer {
  const message = Buffer.alloc(prefixLength + length, 1);
  message[0] = 0;
  message.writeUInt32BE(length, 1);
  return message;
}

const messages = new Map<number, Buffer>();
const server = createServer({ maxSessionMemory: 1_000, settings: { initialWindowSize: 1024 * 1024 } });
server.on('stream', (stream, headers) => {
  const [, length = 0, count = 1] = (/(\d+)(?:x(\d+))?$/.exec(String(headers[':path'])) ?? []).map(Number);
  const message = messages.get(length) ?? messageOf(length);
  messages.set(length, message);
  stream.on('error', () => undefined);
  stream.on('end', () => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    for (let sent = 1; sent < count; sent += 1) stream.write(message);
    stream.end(message);
  });
  stream.resume();
});
server.listen(process.argv[2], () => process.send?.('listening'));
