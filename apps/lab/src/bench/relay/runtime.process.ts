/**
 * A runtime for `bench relay`, with 110 pods. It answers `/bench/N` with a message of N bytes. With the header
 * `count: N`, ListContainers returns N containers and GetContainerEvents N events.
 */
import { createServer } from 'node:http2';
import { decodeCallMessage, encodeCallMessage } from '@podscope/cri/grpc';
import { methodOfPath } from '@podscope/relay-protocol';
import { containerEvent, listContainers, listPodSandbox, statusOf } from './cri-answers.ts';

const prefixLength = 5;

/** Returns a gRPC message with its prefix. */
function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(prefixLength);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

const known = new Map<string, Buffer>();
/** Returns the framed answer with this key, which is built once. */
function once(key: string, build: () => Uint8Array): Buffer {
  const message = known.get(key) ?? framed(build());
  known.set(key, message);
  return message;
}

function answerTo(path: string, count: number | undefined, request: Buffer): readonly Buffer[] {
  const method = methodOfPath(path);
  switch (method) {
    case 'ListContainers':
      return [once(`${path} ${count}`, () => listContainers(count))];
    case 'ListPodSandbox':
      return [once(path, listPodSandbox)];
    case 'ContainerStatus':
    case 'PodSandboxStatus': {
      const decoded = decodeCallMessage(method, 'request', request.subarray(prefixLength));
      const fields = 'message' in decoded ? decoded.message : {};
      return [framed(statusOf(method, String(fields['containerId'] ?? fields['podSandboxId'])))];
    }
    case 'GetContainerEvents':
      return Array.from({ length: count ?? 0 }, (_, index) =>
        once(`event ${index % 100}`, () => containerEvent(index % 100)),
      );
    case 'ExecSync':
      return [once(path, () => encodeCallMessage(method, 'response', { exitCode: 0 }))];
    default:
      return [once(path, () => new Uint8Array(Number(/\d+$/.exec(path)?.[0] ?? 0)))];
  }
}

const server = createServer({ maxSessionMemory: 1_000, settings: { initialWindowSize: 1024 * 1024 } });
server.on('stream', (stream, headers) => {
  const chunks: Buffer[] = [];
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => {
    const count = headers['count'] === undefined ? undefined : Number(headers['count']);
    const messages = answerTo(String(headers[':path']), count, Buffer.concat(chunks));
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    for (const message of messages) stream.write(message);
    stream.end();
  });
});
server.listen(process.argv[2], () => process.send?.('listening'));
