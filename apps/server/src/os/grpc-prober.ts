/** The client of grpc probes: the health service of gRPC, without TLS. Upstream: pkg/probe/grpc (v1.36). */
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { GrpcProber } from '@podscope/kubelet';
import { formatGoDuration } from '@podscope/kuberuntime';

const healthCheck = '/grpc.health.v1.Health/Check';
const servingStatuses = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'] as const;
type ServingStatus = (typeof servingStatuses)[number];

/** Numbers of protobuf fields with their wire type: `HealthCheckRequest.service` (text), `HealthCheckResponse.status` (number). */
const serviceField = 0x0a;
const statusField = 0x08;
/** Lengths from here on take more than one byte. */
const longLength = 0x80;

/** `HealthCheckRequest`: one text field, left out when empty. */
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

/** `HealthCheckResponse`: one number, left out when 0. */
function decodeResponse(message: Buffer): ServingStatus {
  return (message[0] === statusField ? servingStatuses[message[1] ?? 0] : undefined) ?? 'UNKNOWN';
}

const codeName = (code: status): string => {
  const name = status[code] ?? 'UNKNOWN';
  return name.toLowerCase().replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
};

/** As Go prints an error of gRPC. */
const goText = ({ code, details }: ServiceError): string => `rpc error: code = ${codeName(code)} desc = ${details}`;

function describe(error: ServiceError, timeoutMs: number): string {
  if (error.code === status.UNIMPLEMENTED) return `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${error.details}`;
  if (error.code === status.DEADLINE_EXCEEDED) return `timeout: health rpc did not complete within ${formatGoDuration(timeoutMs)}`;
  return `error: health rpc probe failed: ${goText(error)}`;
}

/** A prober that opens a connection for each probe. */
export const nodeGrpcProber: GrpcProber = {
  async check({ host, port, service, timeoutMs, userAgent, signal }) {
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const client = new Client(address, credentials.createInsecure(), { 'grpc.primary_user_agent': userAgent, 'grpc.enable_http_proxy': 0 });
    const deadline = Date.now() + timeoutMs;
    const close = (): void => client.close();
    signal?.addEventListener('abort', close, { once: true });
    try {
      const refused = await new Promise<Error | undefined>((resolve) => client.waitForReady(deadline, resolve));
      if (refused) {
        return {
          serving: false,
          output: `timeout: failed to connect service ${JSON.stringify(address)} within ${formatGoDuration(timeoutMs)}: context deadline exceeded`,
        };
      }
      return await new Promise((resolve) => {
        client.makeUnaryRequest(healthCheck, encodeRequest, decodeResponse, service, new Metadata(), { deadline }, (error, answer) => {
          if (error) resolve({ serving: false, output: describe(error, timeoutMs) });
          else if (answer === 'SERVING') resolve({ serving: true, output: 'service healthy' });
          else resolve({ serving: false, output: `service unhealthy (responded with ${JSON.stringify(answer ?? 'UNKNOWN')})` });
        });
      });
    } finally {
      signal?.removeEventListener('abort', close);
      client.close();
    }
  },
};
