import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pod } from '@podscope/k8s';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManifestURL } from './manifest-url.ts';

const pod = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'app', image: 'busybox' }] },
  });

describe('ManifestURL', () => {
  let server: Server;
  let url: string;
  let answer: { status: number; body: string };
  let asked: number;
  let deliveries: string[][];
  let problems: string[];
  let source: ManifestURL;

  beforeEach(async () => {
    answer = { status: 200, body: pod('a') };
    asked = 0;
    deliveries = [];
    problems = [];
    server = createServer((_request, response) => {
      asked += 1;
      response.writeHead(answer.status).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pods.yaml`;
    source = new ManifestURL({
      url,
      nodeName: 'node-1',
      interval: 10,
      onPods: (pods: readonly Pod[]) => deliveries.push(pods.map(({ metadata }) => metadata.name)),
      onProblem: (message) => problems.push(message),
    });
  });

  afterEach(async () => {
    await source.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const nextAnswer = async (): Promise<void> => {
    const before = asked;
    await vi.waitFor(() => expect(asked).toBeGreaterThan(before + 1), { timeout: 120_000 });
  };

  it('delivers a pod once, and again when the response changes', async () => {
    await source.start();
    expect(deliveries).toEqual([['a-node-1']]);
    await nextAnswer();
    expect(deliveries).toHaveLength(1);
    answer = { status: 200, body: `${pod('b')}\n---\n${pod('c')}` };
    await vi.waitFor(() => expect(deliveries.at(-1)).toEqual(['b-node-1', 'c-node-1']), { timeout: 120_000 });
  });

  it("applies the rules of the node's release", async () => {
    answer = { status: 200, body: pod('a').replace('"spec":{', '"spec":{"serviceAccountName":"sa",') };
    await source.start();
    expect(problems).toEqual(['static pods may not reference serviceaccounts']);
    const earlier = new ManifestURL({
      url,
      nodeName: 'node-1',
      profile: 'v1.20',
      onPods: (pods) => deliveries.push(pods.map(({ metadata }) => metadata.name)),
      onProblem: () => undefined,
    });
    await earlier.start();
    await earlier.close();
    expect(deliveries).toEqual([['a-node-1']]);
  });

  it('keeps its pods while the URL fails, and reports only the first three failures', async () => {
    await source.start();
    answer = { status: 503, body: 'busy' };
    await vi.waitFor(() => expect(problems).toHaveLength(3), { timeout: 120_000 });
    await nextAnswer();
    await nextAnswer();
    expect(problems).toEqual(Array.from({ length: 3 }, () => '503 Service Unavailable'));
    expect(deliveries).toHaveLength(1);
  });

  it('treats an empty response as no pods', async () => {
    await source.start();
    answer = { status: 200, body: '' };
    await vi.waitFor(() => expect(deliveries.at(-1)).toEqual([]), { timeout: 120_000 });
    expect(problems).toEqual(['zero-length data received']);
  });

  it('reports what is wrong with an invalid manifest', async () => {
    answer = { status: 200, body: '{"kind": "Pod"' };
    await source.start();
    expect(problems[0]).toContain('invalid pod');
    expect(deliveries).toEqual([]);
  });

  it('rejects a static pod that needs the API', async () => {
    const spec = { containers: [{ name: 'app', image: 'busybox', envFrom: [{ secretRef: { name: 's' } }] }] };
    answer = { status: 200, body: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec }) };
    await source.start();
    expect(problems).toEqual(['static pods may not reference secrets']);
  });
});
