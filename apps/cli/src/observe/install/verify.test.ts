import { createServer, type Server } from 'node:http';
import { connectCri } from '@podscope/cri/grpc';
import { fakeServices, serveFake, testContext } from '@podscope/cri/testing/fake-runtime';
import { type RelayBefore, relayBefore } from '@podscope/relay/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostAt } from './host.ts';
import { type VerifiedNode, verifyNode } from './verify.ts';

const unit = 'kubelet.service';
const briefly = { within: 300, every: 10 };
const patiently = { within: 120_000, every: 10 };

let cleanups: (() => unknown)[];
let relay: RelayBefore;
/** The status of the kubelet's health endpoint. */
let health: number;
let healthz: string;
let isActive: boolean;

beforeEach(async () => {
  cleanups = [];
  health = 200;
  isActive = true;
  const lists = {
    listPodSandbox: () => Promise.resolve({ items: [] }),
    listContainers: () => Promise.resolve({ containers: [] }),
  };
  const runtime = await serveFake(fakeServices(lists, {}));
  cleanups.push(() => runtime.close());
  relay = await relayBefore({ runtime: runtime.path });
  cleanups.push(() => relay.close());
  const server: Server = createServer((_request, response) => response.writeHead(health).end('ok'));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanups.push(() => server.close());
  const address = server.address();
  healthz = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/healthz`;
});
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});

const host = hostAt('/', (...words) =>
  isActive ? Promise.resolve('') : Promise.reject(new Error(`${words.join(' ')}: exit code 3`)),
);
const verify = (node: Partial<VerifiedNode>, limits = briefly, signal?: AbortSignal): Promise<void> =>
  verifyNode(host, { unit, ...node }, signal, limits);

describe('a node', () => {
  it('works when its unit is active, its kubelet is healthy and a call has passed the relay', async () => {
    const verified = verify({ healthz, control: relay.control }, patiently);
    const kubelet = await connectCri(testContext(), relay.endpoint);
    cleanups.push(() => kubelet.close());
    await expect(verified).resolves.toBeUndefined();
  });

  it('does not work when no call of the kubelet passes the relay', async () => {
    await expect(verify({ healthz, control: relay.control })).rejects.toThrow(
      "none of the kubelet's calls has succeeded through the relay",
    );
  });

  it('does not work when no relay answers', async () => {
    await expect(verify({ healthz, control: `${relay.control}.none` })).rejects.toThrow('no relay answers at');
  });

  it('does not work when its health endpoint answers with an error, or not at all', async () => {
    health = 500;
    await expect(verify({ healthz })).rejects.toThrow(`${healthz} answers 500`);
    await expect(verify({ healthz: 'http://127.0.0.1:1/healthz' })).rejects.toThrow('127.0.0.1:1');
  });

  it('does not work when its unit is not active', async () => {
    isActive = false;
    await expect(verify({})).rejects.toThrow('is-active');
  });

  it('works without the relay when its unit is active and the kubelet has no health endpoint', () =>
    expect(verify({})).resolves.toBeUndefined());
});

it('ends at once when the user interrupts it', async () => {
  health = 500;
  const controller = new AbortController();
  const verified = verify({ healthz }, patiently, controller.signal);
  controller.abort(new Error('interrupted by SIGINT'));
  await expect(verified).rejects.toThrow('interrupted by SIGINT');
});
