/**
 * Starts a relay in this process in front of runtimes that are already running. The sockets are in a temporary
 * directory.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Relay } from '../relay.ts';
import { listening } from './served-relay.ts';

export interface RelayBefore {
  readonly relay: Relay;
  /** Path of the socket to which clients connect. */
  readonly path: string;
  readonly endpoint: `unix://${string}`;
  /** Path of the socket to which a debugger connects. */
  readonly control: string;
  close(): Promise<void>;
}

/** The runtimes, as endpoints or socket paths. */
export interface RelayBeforeOptions {
  readonly runtime: string;
  readonly imageRuntime?: string;
}

/** How long a call waits for a debugger's answer in tests, in milliseconds. On a busy machine, the debugger is slow. */
export const answerWithinTests = 120_000;

const pathOf = (endpoint: string): string => endpoint.replace(/^unix:\/\//, '');

export async function relayBefore({ runtime, imageRuntime }: RelayBeforeOptions): Promise<RelayBefore> {
  const directory = await mkdtemp(join(tmpdir(), 'relay-'));
  const listen = join(directory, 'cri.sock');
  const control = join(directory, 'relay.sock');
  const relay = new Relay({
    version: 'test',
    listen,
    runtime: pathOf(runtime),
    ...(imageRuntime === undefined ? {} : { imageRuntime: pathOf(imageRuntime) }),
    answerWithin: answerWithinTests,
  });
  const front = createServer((socket) => relay.acceptClient(socket));
  const back = createServer((socket) => relay.acceptDebugger(socket));
  await listening(front, listen);
  await listening(back, control);
  return {
    relay,
    path: listen,
    endpoint: `unix://${listen}`,
    control,
    async close() {
      front.close();
      back.close();
      relay.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
