/** Formats network errors like Go, as the kubelet shows them in events and statuses. */

import { isIP } from 'node:net';
import { asError } from '@podscope/base';
import { goQuote } from '@podscope/k8s';

/** The fields of Node's network errors. */
interface NetworkError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly port?: number;
  /** The received bytes, if the server doesn't speak HTTP. */
  readonly rawPacket?: Uint8Array;
}

/** The texts of errno values. Upstream: Go's syscall package. */
const errnoTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  ECONNABORTED: 'software caused connection abort',
  EHOSTUNREACH: 'no route to host',
  EHOSTDOWN: 'host is down',
  ENETUNREACH: 'network is unreachable',
  ENETDOWN: 'network is down',
  ETIMEDOUT: 'connection timed out',
  EADDRNOTAVAIL: 'cannot assign requested address',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EINVAL: 'invalid argument',
  EPIPE: 'broken pipe',
};

const asNetworkError = (error: unknown): NetworkError => asError(error);

const joinHostPort = (host: string, port: number | string): string =>
  isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;

/** Returns the error itself, or the first of the errors if several addresses were tried. */
const firstOf = (error: unknown): NetworkError =>
  asNetworkError(error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error);

/**
 * Returns why a connection failed, in Go's format: `dial tcp 10.0.0.7:80: connect: connection refused`. Upstream: Go's
 * net.OpError.
 */
export function dialErrorText(error: unknown, host: string, port: number | string): string {
  const failure = firstOf(error);
  if (failure.code === 'ENOTFOUND' || failure.code === 'EAI_AGAIN') {
    const text = failure.code === 'ENOTFOUND' ? 'no such host' : 'Temporary failure in name resolution';
    return `dial tcp: lookup ${host}: ${text}`;
  }
  const reason = errnoTexts[failure.code ?? ''];
  const address = joinHostPort(failure.address ?? host, failure.port ?? port);
  return reason === undefined ? failure.message : `dial tcp ${address}: connect: ${reason}`;
}

/**
 * Returns the reason of a failed request, without the requested address. Upstream: errors of Go's
 * http.Transport.RoundTrip.
 */
export function requestErrorText(error: unknown, url: URL): string {
  const failure = firstOf(error);
  const port = url.port || (url.protocol === 'https:' ? 443 : 80);
  if (failure.syscall === 'connect' || failure.syscall === 'getaddrinfo')
    return dialErrorText(failure, url.hostname.replace(/^\[(.*)\]$/, '$1'), port);
  if (failure.message === 'socket hang up') return 'EOF';
  if (failure.code?.startsWith('HPE_')) {
    const line = new TextDecoder().decode(failure.rawPacket?.subarray(0, 100)).split(/\r?\n/)[0] ?? '';
    return `net/http: HTTP/1.x transport connection broken: malformed HTTP response ${goQuote(line)}`;
  }
  if (failure.code === 'EPROTO' && /wrong version number|packet length too long/i.test(failure.message)) {
    return 'http: server gave HTTP response to HTTPS client';
  }
  const reason = errnoTexts[failure.code ?? ''];
  return reason === undefined
    ? failure.message
    : `${failure.syscall ?? 'read'} tcp ${url.hostname}:${port}: ${failure.syscall ?? 'read'}: ${reason}`;
}
