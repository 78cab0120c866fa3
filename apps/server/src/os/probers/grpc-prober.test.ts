import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeGrpcProber } from './grpc-prober.ts';

const identity = (bytes: Buffer): Buffer => bytes;

const health = (path: string) => ({
  Check: {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: identity,
    requestDeserialize: identity,
    responseSerialize: identity,
    responseDeserialize: identity,
  },
});

type Handler = (call: ServerUnaryCall<Buffer, Buffer>, answer: sendUnaryData<Buffer>) => void;

let server: Server;

const serve = (check: Handler, path = '/grpc.health.v1.Health/Check'): Promise<number> => {
  server = new Server();
  server.addService(health(path), { Check: check });
  return new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    ),
  );
};

const probe = (port: number, service = '', timeoutMs = 60_000) =>
  nodeGrpcProber.check({ host: '127.0.0.1', port, service, timeoutMs, userAgent: 'kube-probe/1.36' });

afterEach(() => server.forceShutdown());

describe('nodeGrpcProber', () => {
  it('sends the name of the service and returns SERVING', async () => {
    let asked: Buffer | undefined;
    const port = await serve((call, answer) => {
      asked = call.request;
      answer(null, Buffer.from([0x08, 1]));
    });
    expect(await probe(port, 'db')).toEqual({ status: 'SERVING' });
    expect(asked).toEqual(Buffer.from([0x0a, 2, 100, 98]));
  });

  it.each([
    [Buffer.from([0x08, 2]), 'NOT_SERVING'],
    [Buffer.alloc(0), 'UNKNOWN'],
  ])('returns the status of an unhealthy service: %j', async (bytes, expected) => {
    const port = await serve((_call, answer) => answer(null, bytes));
    expect(await probe(port)).toEqual({ status: expected });
  });

  it('returns Unimplemented for a server without the health service', async () => {
    const port = await serve((_call, answer) => answer(null, Buffer.alloc(0)), '/other.Service/Check');
    expect(await probe(port)).toMatchObject({ code: 'Unimplemented' });
  });

  it('returns the code and text of the service’s error', async () => {
    const port = await serve((_call, answer) => answer({ code: status.NOT_FOUND, details: 'unknown service' }));
    expect(await probe(port)).toEqual({ code: 'NotFound', details: 'unknown service' });
  });

  it('returns DeadlineExceeded for a silent service, and no connection for a silent server', async () => {
    const port = await serve(() => undefined);
    // On a busy machine, 200 ms may not be enough to connect.
    await expect.poll(() => probe(port, '', 200)).toMatchObject({ code: 'DeadlineExceeded' });
    server.forceShutdown();
    expect(await probe(port, '', 200)).toBe('not connected');
  });
});
