/**
 * Checks that the server isn't exposed to the network by accident, because its clients can control the container
 * engine.
 */
import { UsageError } from '@podscope/command-line';

/** The minimum length of a token that can't be guessed over the network. */
const minTokenLength = 16;

/** The command line options that determine who can reach the server. */
export interface ExposureOptions {
  readonly host: string;
  readonly token: string | undefined;
  readonly tls: object | undefined;
  readonly insecure: boolean;
  /**
   * True for a class. A class has no node, and without TLS it accepts the teacher's token only from this machine. So it
   * needs neither a certificate nor a token chosen by the user.
   */
  readonly isClass?: boolean;
}

/** Returns true for loopback addresses. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

/**
 * Rejects options that would let others control the server or read its traffic.
 * @throws UsageError
 */
export function checkExposure({ host, token, tls, insecure, isClass = false }: ExposureOptions): void {
  if (insecure && tls !== undefined) throw new UsageError('--insecure and --tls-cert contradict each other: omit one');
  if (isLoopback(host) || (isClass && token === undefined)) return;
  if (token === undefined)
    throw new UsageError(
      `--host ${host} can be reached from other machines, and every client of this server can use Docker: choose ` +
        'a secret token with --token',
    );
  if (token.length < minTokenLength)
    throw new UsageError(
      `--host ${host} is reachable by other machines: choose a --token of ${minTokenLength} characters or more`,
    );
  if (tls === undefined && !insecure && !isClass)
    throw new UsageError(
      `--host ${host} would send the token unencrypted over the network: add --tls-cert and ` +
        '--tls-key, or --insecure if you accept that',
    );
}

/** Returns a warning for the console and the page if the server is reachable from the network. */
export function exposureWarning({ host, tls }: ExposureOptions): string | undefined {
  if (isLoopback(host) || tls !== undefined) return undefined;
  return (
    `INSECURE: ${host} is served over plain HTTP (--insecure). Anyone who can read the traffic learns the token, ` +
    'and the token gives control of this machine.'
  );
}
