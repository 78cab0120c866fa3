/**
 * Lists the sandboxes and containers of the runtime and reports them like calls of a client. So a debugger knows the
 * names of pods that started before it.
 */
import { connect } from 'node:net';
import type { RelayMessage } from '@podscope/relay-protocol/wire';
import { errorCodes } from '../http2/frames.ts';
import type { Fields } from '../http2/hpack.ts';
import { Peer } from '../http2/peer.ts';
import { grpcMessage, grpcStatus, metadataOf } from './fields.ts';
import { MessageSplitter } from './message-splitter.ts';
import type { CallRegistry, Observer } from './observer.ts';

const unimplemented = 12;
const timeoutMs = 10_000;
/** An empty gRPC message: a list without a filter. */
const emptyRequest = Buffer.alloc(5);
const methods = ['ListPodSandbox', 'ListContainers'] as const;

interface OwnCall {
  readonly number: number;
  readonly splitter: MessageSplitter;
  readonly resolve: (status: number) => void;
}

/**
 * Reports ListPodSandbox and ListContainers of `runtime.v1`, or of `runtime.v1alpha2` if the runtime has no v1. If the
 * runtime doesn't answer, nothing is reported, and the debugger gets the names from the client's own lists.
 * @param path the runtime's socket
 */
export async function listExisting(path: string, observer: Observer, calls: CallRegistry): Promise<void> {
  const open = new Map<number, OwnCall>();
  const report = (message: RelayMessage, bytes?: Buffer): void => observer.report(message, bytes);
  const finish = (stream: number, fields: Fields): void => {
    const call = open.get(stream);
    if (!call) return;
    open.delete(stream);
    const status = grpcStatus(fields);
    const common = { call: call.number, time: Date.now() };
    const message = grpcMessage(fields);
    report({ type: 'trailers', ...common, metadata: metadataOf(fields), status, message, injected: false });
    report({ type: 'ended', ...common });
    call.resolve(status);
  };
  const fail = (stream: number, code: number): void => {
    const call = open.get(stream);
    if (!call) return;
    open.delete(stream);
    report({ type: 'reset', call: call.number, time: Date.now(), by: 'runtime', code });
    report({ type: 'ended', call: call.number, time: Date.now() });
    call.resolve(-1);
  };
  const failAll = (): void => {
    for (const stream of Array.from(open.keys())) fail(stream, errorCodes.cancel);
  };
  const peer = new Peer(connect(path), false, {
    settings: () => undefined,
    headers: (stream, fields, isEnd) => {
      if (isEnd) finish(stream, fields);
    },
    data: (stream, data) => {
      const call = open.get(stream);
      for (const { bytes, isCompressed } of call?.splitter.push(data) ?? [])
        report(
          { type: 'response', call: call?.number ?? 0, time: Date.now(), compressed: isCompressed },
          Buffer.from(bytes),
        );
      peer.acknowledge(stream);
    },
    reset: fail,
    ping: (payload, isAck) => {
      if (!isAck) peer.ping(payload, true);
    },
    drained: () => undefined,
    goaway: () => undefined,
    closed: failAll,
  });
  peer.start({});
  const timer = setTimeout(failAll, timeoutMs);
  let nextStream = 1;
  const list = (service: string, method: string): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const stream = nextStream;
    nextStream += 2;
    const number = calls.next();
    const requestPath = `/${service}/${method}`;
    const metadata: [string, string][] = [
      ['content-type', 'application/grpc'],
      ['te', 'trailers'],
      ['user-agent', 'podscope-relay'],
      ['grpc-timeout', `${timeoutMs}m`],
    ];
    if (peer.isClosed) {
      resolve(-1);
      return promise;
    }
    open.set(stream, { number, splitter: new MessageSplitter(), resolve });
    const common = { call: number, time: Date.now() };
    report({
      type: 'callOpened',
      ...common,
      connection: 0,
      origin: 'relay',
      endpoint: 'runtime',
      path: requestPath,
      authority: 'localhost',
      metadata,
      deadline: timeoutMs,
      inFlight: false,
    });
    report({ type: 'request', ...common, compressed: false });
    report({ type: 'forwarded', ...common });
    const pseudo: Fields = [
      [':method', 'POST'],
      [':scheme', 'http'],
      [':path', requestPath],
      [':authority', 'localhost'],
    ];
    peer.openStream(stream, [...pseudo, ...metadata], false);
    peer.sendData(stream, emptyRequest, true);
    return promise;
  };
  for (const method of methods) {
    const status = await list('runtime.v1.RuntimeService', method);
    if (status === unimplemented) await list('runtime.v1alpha2.RuntimeService', method);
  }
  clearTimeout(timer);
  peer.end();
}
