/** Who may reach the server, by where it listens and how. Whoever uses it can use the container engine: nothing is exposed by accident. */
import { UsageError } from './usage-error.ts';

/** As many characters as a machine in the network does not guess, however fast it is answered. */
const minTokenLength = 16;

/** What of the command line decides about it. */
export interface ExposureOptions {
  readonly host: string;
  readonly token: string | undefined;
  readonly tls: object | undefined;
  readonly insecure: boolean;
}

/** True for the addresses that only this machine reaches. */
const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);

/**
 * Refuses what would let others in, or their eavesdropping.
 * @throws UsageError
 */
export function checkExposure({ host, token, tls, insecure }: ExposureOptions): void {
  if (insecure && tls !== undefined) throw new UsageError('--insecure and --tls-cert contradict each other: leave one out');
  if (isLoopback(host)) return;
  if (token === undefined)
    throw new UsageError(`--host ${host} can be reached from other machines, and whoever uses this server can use Docker: give it a --token of your own`);
  if (token.length < minTokenLength)
    throw new UsageError(`--host ${host} lets other machines guess: give it a --token of ${minTokenLength} characters or more`);
  if (tls === undefined && !insecure)
    throw new UsageError(
      `--host ${host} would send the token over the network for everybody to read: give it --tls-cert and --tls-key, or --insecure if you accept that`,
    );
}

/** What the person at the console, and everybody on the page, has to know of it. */
export function exposureWarning({ host, tls }: ExposureOptions): string | undefined {
  if (isLoopback(host) || tls !== undefined) return undefined;
  return `INSECURE: ${host} is served without a certificate of yours (--insecure). Whoever sees the traffic reads the token, and with it owns this machine.`;
}
