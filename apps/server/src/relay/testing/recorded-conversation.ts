/**
 * Replays a recorded conversation of a genuine kubelet through the relay's own process. The client sends the recorded
 * requests one after the other, and the runtime behind the relay answers with the recorded responses, byte by byte.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:http2';
import { connect as openSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { encodeCallMessage } from '@podscope/cri/grpc';
import { relayArguments, supervisorProgram } from '@podscope/relay';
import { answerWithinTests, type CallResult, callThrough, grpcFrame, listening } from '@podscope/relay/testing';
import { z } from 'zod';

const recordings = join(import.meta.dirname, '../../../../../packages/observer/recordings');

const lineSchema = z.object({
  service: z.string(),
  method: z.string(),
  request: z.record(z.string(), z.unknown()).default({}),
  response: z.record(z.string(), z.unknown()).nullish(),
  status: z.int(),
  message: z.string().nullish(),
});

export interface RecordedCall {
  readonly path: string;
  readonly method: string;
  /** The messages with their gRPC prefix. */
  readonly request: Buffer;
  readonly response: Buffer | undefined;
  readonly status: number;
  readonly message: string;
}

/** Returns the calls of a session whose answers were recorded. */
export async function recordedCalls(session: 'a' | 'b' | 'c'): Promise<readonly RecordedCall[]> {
  const text = gunzipSync(await readFile(join(recordings, `calls-${session}.jsonl.gz`))).toString('utf8');
  return text.split('\n').flatMap((line) => {
    const { data } = lineSchema.safeParse(line === '' ? undefined : JSON.parse(line));
    if (!data || (data.status === 0 && !data.response)) return [];
    const { service, method, request, response, status, message } = data;
    return [
      {
        path: `/${service}/${method}`,
        method,
        request: grpcFrame(encodeCallMessage(method, 'request', request)),
        response: response ? grpcFrame(encodeCallMessage(method, 'response', response)) : undefined,
        status,
        message: status === 0 ? '' : (message ?? ''),
      },
    ];
  });
}

export interface Conversation {
  /** Path of the relay's control socket. */
  readonly control: string;
  /**
   * Makes a call. Returns what the client got, and how many times the runtime got the call.
   * @param deadline cancels the call
   */
  call(call: RecordedCall, deadline?: AbortSignal): Promise<CallResult & { readonly served: number }>;
  /** The runtime answers only after this promise. */
  gate: Promise<unknown>;
  close(): Promise<void>;
}

const unimplemented = { response: undefined, status: 12, message: 'not recorded' } as const;

/** Starts a runtime and the relay's processes in front of it. */
export async function startConversation(): Promise<Conversation> {
  const directory = await mkdtemp(join(tmpdir(), 'conversation-'));
  const [runtimePath, listen, control] = ['runtime', 'cri', 'relay'].map((name) => join(directory, `${name}.sock`)) as [
    string,
    string,
    string,
  ];
  let current: RecordedCall | undefined;
  let served = 0;
  const sockets = new Set<Socket>();
  const runtime = createServer();
  runtime.on('connection', (socket: Socket) => sockets.add(socket));
  runtime.on('stream', (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    const answer = async (): Promise<void> => {
      const isRelay = headers['user-agent'] === 'podscope-relay';
      const isExpected = current?.path === headers[':path'] && current?.request.equals(Buffer.concat(chunks));
      if (!isRelay) served += 1;
      if (!isRelay) await conversation.gate;
      // Fail the relay's own lists, and calls that aren't the recorded ones.
      const { response, status, message } = !isRelay && isExpected && current ? current : unimplemented;
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () =>
        stream.sendTrailers({ 'grpc-status': String(status), 'grpc-message': encodeURIComponent(message) }),
      );
      stream.end(response);
    };
    stream.on('end', () => void answer());
  });
  await listening(runtime, runtimePath);
  const answerWithin = answerWithinTests;
  const args = relayArguments({ listen, runtime: runtimePath, control, version: 'test', answerWithin });
  const relay: ChildProcess = fork(fileURLToPath(supervisorProgram), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(relay, 'message');
  const session = connect('http://localhost', { createConnection: () => openSocket(listen) });
  session.on('error', () => undefined);
  const conversation: Conversation = {
    control,
    gate: Promise.resolve(),
    async call(call, deadline) {
      current = call;
      const before = served;
      const result = await callThrough(session, call.path, [call.request], { 'grpc-timeout': '120000m' }, deadline);
      return { ...result, served: served - before };
    },
    async close() {
      session.destroy();
      const exited = once(relay, 'exit');
      relay.kill('SIGTERM');
      await exited;
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => runtime.close(done));
      await rm(directory, { recursive: true, force: true });
    },
  };
  return conversation;
}
