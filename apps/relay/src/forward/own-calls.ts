/**
 * Lists the sandboxes and containers of the runtime, reads their statuses and reports these calls like those of a
 * client. So a debugger knows the names and the states of pods that started before it.
 */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RelayMessage } from '@podscope/relay-protocol/wire';
import { errorCodes } from '../http2/frames.ts';
import type { Fields } from '../http2/hpack.ts';
import { Peer } from '../http2/peer.ts';
import { grpcMessage, grpcStatus, metadataOf } from './fields.ts';
import { idsInList, requestWithId } from './list-ids.ts';
import { MessageSplitter } from './message-splitter.ts';
import type { CallRegistry } from './observer.ts';

const unimplemented = 12;
const timeoutMs = 10_000;
/** The first delay before lists without an answer are requested again, and the longest one, in milliseconds. */
const repeatAfter = 1_000;
const longestWait = 30_000;
/** An empty gRPC message, which requests a list without a filter. */
const emptyRequest = Buffer.alloc(5);
/** The lists, each with the method that reads the status of an item. */
const methods = [
  ['ListPodSandbox', 'PodSandboxStatus'],
  ['ListContainers', 'ContainerStatus'],
] as const;
/** The number of statuses that are read at a time, so that the kubelet's own calls aren't delayed. */
const readAtATime = 4;

/** The debugger that gets the reports. A later debugger gets reports of its own. */
interface ListObserver {
  readonly report: (message: RelayMessage, bytes?: Buffer) => void;
  readonly isConnected: () => boolean;
}

/** How a call ended: the gRPC status, or -1 without one, and the bytes of the response. */
interface OwnAnswer {
  readonly status: number;
  readonly message: Buffer | undefined;
}

interface OwnCall {
  readonly number: number;
  readonly splitter: MessageSplitter;
  readonly resolve: (answer: OwnAnswer) => void;
  message: Buffer | undefined;
}

/**
 * Reports ListPodSandbox and ListContainers of `runtime.v1`, or of `runtime.v1alpha2` if the runtime has no v1, and
 * then the status of each sandbox and container. A runtime that doesn't answer in time, or with an error, is asked
 * again, at growing intervals: a client may not list for minutes.
 * @param path the runtime's socket
 */
export async function listExisting(path: string, observer: ListObserver, calls: CallRegistry): Promise<void> {
  let wait = repeatAfter;
  while (observer.isConnected() && !(await listOnce(path, observer, calls))) {
    await sleep(wait, undefined, { ref: false });
    wait = Math.min(2 * wait, longestWait);
  }
}

/** Returns false if the runtime didn't answer one of the lists, or answered with an error. */
async function listOnce(path: string, observer: ListObserver, calls: CallRegistry): Promise<boolean> {
  const open = new Map<number, OwnCall>();
  const { report } = observer;
  const finish = (stream: number, fields: Fields): void => {
    const call = open.get(stream);
    if (!call) return;
    open.delete(stream);
    const status = grpcStatus(fields);
    const common = { call: call.number, time: Date.now() };
    const message = grpcMessage(fields);
    report({ type: 'trailers', ...common, metadata: metadataOf(fields), status, message, injected: false });
    report({ type: 'ended', ...common });
    call.resolve({ status, message: call.message });
  };
  const fail = (stream: number, code: number): void => {
    const call = open.get(stream);
    if (!call) return;
    open.delete(stream);
    report({ type: 'reset', call: call.number, time: Date.now(), by: 'runtime', code });
    report({ type: 'ended', call: call.number, time: Date.now() });
    call.resolve({ status: -1, message: undefined });
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
      for (const { bytes, isCompressed } of call?.splitter.push(data) ?? []) {
        const message = Buffer.from(bytes);
        if (call && !isCompressed) call.message = message;
        report({ type: 'response', call: call?.number ?? 0, time: Date.now(), compressed: isCompressed }, message);
      }
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
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    failAll();
  }, timeoutMs);
  let nextStream = 1;
  const ask = (service: string, method: string, request: Buffer): Promise<OwnAnswer> => {
    const { promise, resolve } = Promise.withResolvers<OwnAnswer>();
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
    if (peer.isClosed || isOver || !observer.isConnected()) {
      resolve({ status: -1, message: undefined });
      return promise;
    }
    open.set(stream, { number, splitter: new MessageSplitter(), resolve, message: undefined });
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
    report({ type: 'request', ...common, compressed: false }, request.subarray(5));
    report({ type: 'forwarded', ...common });
    const pseudo: Fields = [
      [':method', 'POST'],
      [':scheme', 'http'],
      [':path', requestPath],
      [':authority', 'localhost'],
    ];
    peer.openStream(stream, [...pseudo, ...metadata], false);
    peer.sendData(stream, request, true);
    return promise;
  };
  let isAnswered = true;
  const found: { readonly path: readonly [service: string, method: string]; readonly id: string }[] = [];
  // Both lists come first: the time may be over before all statuses are known.
  for (const [method, statusOf] of methods) {
    let service = 'runtime.v1.RuntimeService';
    let list = await ask(service, method, emptyRequest);
    if (list.status === unimplemented) {
      service = 'runtime.v1alpha2.RuntimeService';
      list = await ask(service, method, emptyRequest);
    }
    isAnswered &&= list.status === 0 || list.status === unimplemented;
    const ids = list.status === 0 && list.message ? idsInList(list.message) : [];
    found.push(...ids.map((id) => ({ path: [service, statusOf] as const, id })));
  }
  const read = isAnswered ? found : [];
  for (let first = 0; first < read.length; first += readAtATime)
    await Promise.all(
      read
        .slice(first, first + readAtATime)
        .map(({ path: [service, method], id }) => ask(service, method, requestWithId(id))),
    );
  clearTimeout(timer);
  peer.end();
  return isAnswered;
}
