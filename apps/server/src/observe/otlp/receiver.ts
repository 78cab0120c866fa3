/**
 * Receives spans over the OpenTelemetry protocol (OTLP): over gRPC (port 4317) and over HTTP with protobuf (port 4318).
 */
import { createServer, type Server as HttpServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { errorMessage } from '@podscope/base';
import type { ObservedSpan } from '@podscope/observer';
import { StartError } from '../../start-error.ts';
import { decodeSpans } from './decode-spans.ts';

export interface OtlpReceiverOptions {
  /**
   * Address on which to listen for gRPC, such as `127.0.0.1:4317`; port 0 chooses a free port. If absent, gRPC is off.
   */
  readonly grpc?: string | undefined;
  readonly http?: string | undefined;
  readonly onSpans: (spans: readonly ObservedSpan[]) => void;
  readonly notify: (message: string) => void;
}

const maxBytes = 16 * 1024 * 1024;
const exportPath = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const tracesPath = '/v1/traces';
const protobufType = 'application/x-protobuf';

const identity = (bytes: Buffer): Buffer => bytes;

/** The gRPC service. It passes messages as bytes, because {@link decodeSpans} decodes them. */
const service = {
  Export: {
    path: exportPath,
    requestStream: false,
    responseStream: false,
    requestSerialize: identity,
    requestDeserialize: identity,
    responseSerialize: identity,
    responseDeserialize: identity,
  },
} as const;

export class OtlpReceiver {
  readonly #options: OtlpReceiverOptions;
  #grpc: Server | undefined;
  #http: HttpServer | undefined;

  constructor(options: OtlpReceiverOptions) {
    this.#options = options;
  }

  /**
   * Starts listening and returns the ports.
   * @throws StartError if an address can't be used
   */
  async start(): Promise<{ readonly grpc: number | undefined; readonly http: number | undefined }> {
    const { grpc, http } = this.#options;
    return {
      grpc: grpc === undefined ? undefined : await this.#startGrpc(grpc),
      http: http === undefined ? undefined : await this.#startHttp(http),
    };
  }

  stop(): void {
    this.#grpc?.forceShutdown();
    this.#http?.close();
    this.#http?.closeAllConnections();
  }

  /**
   * Reports and drops a message that can't be decoded. An error response would only make the exporter repeat the
   * message.
   */
  #received(bytes: Uint8Array): void {
    try {
      this.#options.onSpans(decodeSpans(bytes));
    } catch (error) {
      this.#options.notify(`a message of OTLP can't be read: ${errorMessage(error)}`);
    }
  }

  #startGrpc(address: string): Promise<number> {
    const server = new Server({ 'grpc.max_receive_message_length': maxBytes });
    server.addService(service, {
      Export: (call: { readonly request: Buffer }, respond: (error: null, response: Buffer) => void): void => {
        this.#received(call.request);
        respond(null, Buffer.alloc(0));
      },
    });
    this.#grpc = server;
    return new Promise((resolve, reject) => {
      server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) => {
        if (error)
          reject(new StartError(`OTLP over gRPC can't listen on ${address}: ${error.message}`, { cause: error }));
        else resolve(port);
      });
    });
  }

  #startHttp(address: string): Promise<number> {
    const [host = '127.0.0.1', port = '4318'] = address.split(/:(?=\d+$)/);
    const server = createServer((request, response) => {
      const isTraces = request.method === 'POST' && request.url === tracesPath;
      const isProtobuf = request.headers['content-type'] === protobufType;
      if (!isTraces || !isProtobuf) {
        response.writeHead(isTraces ? 415 : 404).end();
        return;
      }
      buffer(request).then(
        (body) => {
          try {
            const isPacked = request.headers['content-encoding'] === 'gzip';
            this.#received(isPacked ? gunzipSync(body, { maxOutputLength: maxBytes }) : body);
            response.writeHead(200, { 'content-type': protobufType }).end();
          } catch {
            response.writeHead(400).end();
          }
        },
        () => response.destroy(),
      );
    });
    this.#http = server;
    return new Promise((resolve, reject) => {
      server.on('error', (error) =>
        reject(new StartError(`OTLP over HTTP can't listen on ${address}: ${error.message}`, { cause: error })),
      );
      server.listen(Number(port), host, () => {
        const bound = server.address();
        resolve(typeof bound === 'object' && bound ? bound.port : Number(port));
      });
    });
  }
}
