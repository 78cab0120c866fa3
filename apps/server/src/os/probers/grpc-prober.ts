/** Implements grpc probes: calls the gRPC health service without TLS. Upstream: pkg/probe/grpc (v1.36). */
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import type { GrpcProber, ServingStatus } from '@podscope/kubelet';
import { grpcCodeOf } from '@podscope/trace';

const healthCheck = '/grpc.health.v1.Health/Check';
const servingStatuses: readonly ServingStatus[] = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];

/**
 * The tags (number and wire type) of the protobuf fields `HealthCheckRequest.service` (string) and
 * `HealthCheckResponse.status` (enum).
 */
const serviceField = 0x0a;
const statusField = 0x08;
/** The smallest length whose encoding needs more than one byte. */
const longLength = 0x80;

/** Encodes a `HealthCheckRequest`: one string field, omitted when empty. */
function encodeRequest(service: string): Buffer {
  const text = Buffer.from(service, 'utf8');
  if (text.length === 0) return text;
  const length: number[] = [];
  for (let rest = text.length; ; rest >>= 7) {
    if (rest < longLength) {
      length.push(rest);
      break;
    }
    length.push((rest & (longLength - 1)) | longLength);
  }
  return Buffer.concat([Buffer.from([serviceField, ...length]), text]);
}

/** Decodes a `HealthCheckResponse`: one number, omitted when 0. */
function decodeResponse(message: Buffer): ServingStatus {
  return (message[0] === statusField ? servingStatuses[message[1] ?? 0] : undefined) ?? 'UNKNOWN';
}

/** A prober that opens a new connection for each probe. */
export const nodeGrpcProber: GrpcProber = {
  async check({ host, port, service, timeoutMs, userAgent, signal }) {
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const client = new Client(address, credentials.createInsecure(), {
      'grpc.primary_user_agent': userAgent,
      'grpc.enable_http_proxy': 0,
    });
    const deadline = Date.now() + timeoutMs;
    const close = (): void => client.close();
    signal?.addEventListener('abort', close, { once: true });
    try {
      const refused = await new Promise<Error | undefined>((resolve) => client.waitForReady(deadline, resolve));
      if (refused) return 'not connected';
      return await new Promise((resolve) => {
        client.makeUnaryRequest(
          healthCheck,
          encodeRequest,
          decodeResponse,
          service,
          new Metadata(),
          { deadline },
          (error, status = 'UNKNOWN') => {
            if (!error) return resolve({ status });
            const code = grpcCodeOf(error.code);
            return resolve({ code: code === undefined || code === 'OK' ? 'Unknown' : code, details: error.details });
          },
        );
      });
    } finally {
      signal?.removeEventListener('abort', close);
      client.close();
    }
  },
};
