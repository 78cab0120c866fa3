/** The HTTP client of lifecycle handlers and probes. Upstream: k8s.io/kubernetes/pkg/probe/http (v1.36). */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { HttpProber } from '@podscope/kubelet';

/** Longest body that is read. Upstream: maxRespBodyLength. */
const maxBody = 10 * 1024;
const defaultTimeout = 30_000;

type ProbeRequest = Parameters<HttpProber['get']>[0];

function readBody(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (): void => resolve(Buffer.concat(chunks).subarray(0, maxBody).toString('utf8'));
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBody) {
        finish();
        response.destroy();
      }
    });
    response.on('end', finish);
    response.on('error', reject);
  });
}

/** A prober over Node's HTTP client: no proxy, no redirects followed, certificates not verified, as the kubelet does for pods. */
export const nodeHttpProber: HttpProber = {
  get({ url, headers, timeoutMs = defaultTimeout, signal }: ProbeRequest) {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const limit = AbortSignal.timeout(timeoutMs);
    return new Promise((resolve, reject) => {
      const request = send(
        url,
        {
          headers: { 'User-Agent': 'kube-probe/1.36', Accept: '*/*', Connection: 'close', ...headers },
          rejectUnauthorized: false,
          agent: false,
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
        },
        (response) => {
          readBody(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
        },
      );
      request.on('error', (error) => {
        const timedOut = limit.aborted && !signal?.aborted;
        reject(
          timedOut
            ? new Error(`Get ${JSON.stringify(url)}: context deadline exceeded (Client.Timeout exceeded while awaiting headers)`, { cause: error })
            : error,
        );
      });
      request.end();
    });
  },
};
