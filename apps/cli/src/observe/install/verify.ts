/**
 * Verifies that a node works after an installation or a removal: the kubelet's unit, its health endpoint, and after an
 * installation also that its calls pass the relay.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { RelayConnection } from '@podscope/server/relay-connection';
import type { Host } from './host.ts';

/** The parts of a node that are verified. */
export interface VerifiedNode {
  /** The systemd unit of the kubelet. */
  readonly unit: string;
  /** The URL of the kubelet's health endpoint; absent if it is disabled. */
  readonly healthz?: string | undefined;
  /** Path of the relay's control socket; absent if the kubelet uses its runtime directly. */
  readonly control?: string;
}

/** How long the verification may take, and the interval of its attempts, in milliseconds. */
export interface VerificationLimits {
  readonly within: number;
  readonly every: number;
}

const defaultLimits: VerificationLimits = { within: 90_000, every: 1_000 };

/**
 * Resolves when the unit is active, the kubelet's health endpoint returns ok, and a call of the kubelet has succeeded
 * through the relay.
 * @param signal ends the verification
 * @throws Error with the last problem, or the reason of the signal
 */
export async function verifyNode(
  host: Host,
  node: VerifiedNode,
  signal?: AbortSignal,
  { within, every }: VerificationLimits = defaultLimits,
): Promise<void> {
  const calls = node.control === undefined ? undefined : watchCalls(node.control);
  const end = performance.now() + within;
  try {
    for (;;) {
      const problem = (await unitProblem(host, node)) ?? (await healthProblem(node)) ?? calls?.problem();
      if (problem === undefined) return;
      signal?.throwIfAborted();
      if (performance.now() >= end) throw new Error(`${node.unit} does not work after ${within / 1_000} s: ${problem}`);
      await sleep(every, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  } finally {
    calls?.close();
  }
}

async function unitProblem(host: Host, { unit }: VerifiedNode): Promise<string | undefined> {
  return await host.run('systemctl', 'is-active', '--quiet', unit).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

async function healthProblem({ healthz }: VerifiedNode): Promise<string | undefined> {
  if (healthz === undefined) return undefined;
  try {
    const response = await fetch(healthz, { signal: AbortSignal.timeout(5_000) });
    return response.ok ? undefined : `${healthz} answers ${response.status}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `${healthz}: ${cause instanceof Error ? cause.message : message}`;
  }
}

/** Watches the relay until a call of a client succeeds. */
function watchCalls(path: string): { problem(): string | undefined; close(): void } {
  let problem: string | undefined = `no relay answers at ${path}`;
  const clientCalls = new Set<number>();
  const connection = new RelayConnection({
    path,
    role: 'reader',
    connected: () => {
      problem = "none of the kubelet's calls has succeeded through the relay";
    },
    received: (message) => {
      if (message.type === 'callOpened' && message.origin === 'client') clientCalls.add(message.call);
      else if (message.type === 'trailers' && message.status === 0 && clientCalls.has(message.call)) {
        problem = undefined;
        connection.close();
      }
    },
    disconnected: (reason) => {
      if (problem !== undefined) problem = reason ?? 'the relay ended';
    },
  });
  return { problem: () => problem, close: () => connection.close() };
}
