/** Implements the HTTP client of lifecycle handlers and probes. Upstream: k8s.io/kubernetes/pkg/probe/http (v1.36). */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { goQuote } from '@podscope/k8s';
import type { HttpProber } from '@podscope/kubelet';
import { requestErrorText } from './network-errors.ts';

/** Maximum length of a body that is read, in bytes. Upstream: maxRespBodyLength. */
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

/** Maximum number of redirects to follow on the same host. Upstream: RedirectChecker. */
const maxRedirects = 10;

/**
 * Returns the target of a redirect. Returns undefined if the response isn't a redirect, or if the target is on another
 * host.
 */
function redirectOf(response: IncomingMessage, from: URL): URL | undefined {
  const { statusCode = 0, headers } = response;
  if (
    ![301, 302, 303, 307, 308].includes(statusCode) ||
    !headers.location ||
    !URL.canParse(headers.location, from.href)
  )
    return undefined;
  const target = new URL(headers.location, from);
  return target.hostname === from.hostname && /^https?:$/.test(target.protocol) ? target : undefined;
}

function send(url: URL, headers: ProbeRequest['headers'], signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = {
      headers: { 'User-Agent': 'kube-probe/1.36', Accept: '*/*', Connection: 'close', ...headers },
      rejectUnauthorized: false,
      agent: false,
      signal,
    };
    (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, resolve).on('error', reject).end();
  });
}

/**
 * A prober that uses Node's HTTP client. Like the kubelet, it uses no proxy, doesn't verify certificates, and follows
 * redirects only on the same host. Errors have Go's format: `Get "http://10.0.0.7:80/": dial tcp 10.0.0.7:80: connect:
 * connection refused`.
 */
export const nodeHttpProber: HttpProber = {
  async get({ url, headers, timeoutMs = defaultTimeout, signal }: ProbeRequest) {
    const limit = AbortSignal.timeout(timeoutMs);
    const either = signal ? AbortSignal.any([signal, limit]) : limit;
    let at = new URL(url);
    let text = url;
    try {
      for (let hops = 0; ; hops++) {
        const response = await send(at, headers, either);
        const next = redirectOf(response, at);
        if (!next) return { status: response.statusCode ?? 0, body: await readBody(response) };
        response.destroy();
        at = next;
        text = next.href;
        if (hops + 1 >= maxRedirects) throw new Error(`stopped after ${maxRedirects} redirects`);
      }
    } catch (error) {
      if (signal?.aborted) throw error;
      const reason = limit.aborted
        ? 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
        : requestErrorText(error, at);
      throw new Error(`Get ${goQuote(text)}: ${reason}`, { cause: error });
    }
  },
};
