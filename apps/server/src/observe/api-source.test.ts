/** Tests the API server as a source of facts about an observed node. A test server returns recorded responses. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunFold } from '@podscope/trace';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiSource } from './api-source.ts';
import { ObservedHost } from './observed-host.ts';

const soon = { timeout: 120_000, interval: 20 };
const spec = {
  nodeName: 'node-1',
  containers: [{ name: 'app', image: 'busybox', env: [{ name: 'KEY', value: 'hunter2' }] }],
};
const mirror = {
  metadata: {
    name: 'etcd-node-1',
    namespace: 'kube-system',
    uid: 'uid-of-mirror',
    annotations: { 'kubernetes.io/config.mirror': 'uid-of-static-pod' },
  },
  spec,
  status: { phase: 'Running' },
};
const event = (message: string, uid = 'uid-of-static-pod') => ({
  involvedObject: { kind: 'Pod', uid, name: 'etcd-node-1', fieldPath: 'spec.containers{app}' },
  type: 'Warning',
  reason: 'BackOff',
  message,
  count: 3,
  lastTimestamp: new Date(Date.now() + 60_000).toISOString(),
});
const nodeObject = (ready: string) => ({
  metadata: { name: 'node-1' },
  status: {
    nodeInfo: { kubeletVersion: 'v1.34.1' },
    conditions: [{ type: 'Ready', status: ready, message: 'container runtime is down' }],
  },
});

interface Api {
  readonly url: string;
  readonly requests: string[];
  readonly methods: Set<string>;
  readonly watches: Map<string, ServerResponse>;
  readonly lists: Record<string, object[] | undefined>;
  close(): void;
}

/** Serves lists, and keeps watches open. Access to a resource without a list is forbidden. */
async function serveApi(): Promise<Api> {
  const requests: string[] = [];
  const methods = new Set<string>();
  const watches = new Map<string, ServerResponse>();
  const lists: Api['lists'] = { nodes: [nodeObject('True')], pods: [mirror], events: [] };
  const server = createServer(({ url = '', method = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const resource = pathname.split('/').at(-1) ?? '';
    requests.push(url);
    methods.add(method);
    const items = lists[resource];
    if (!items) response.writeHead(403).end(JSON.stringify({ message: `${resource} is forbidden` }));
    else if (searchParams.get('watch') === 'true') {
      response.flushHeaders();
      watches.set(resource, response);
    } else response.end(JSON.stringify({ metadata: { resourceVersion: '7' }, items }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    methods,
    watches,
    lists,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

let directory: string;
let api: Api;
let host: ObservedHost;
let source: ApiSource | undefined;
let notices: string[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'api-source-'));
  api = await serveApi();
  host = new ObservedHost();
  notices = [];
});
afterEach(async () => {
  source?.stop();
  await host.stop();
  api.close();
  await rm(directory, { recursive: true, force: true });
});

async function follow(): Promise<void> {
  const kubeconfig = join(directory, 'config');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    clusters: [{ name: 'c', cluster: { server: api.url } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    users: [{ name: 'u', user: { token: 'secret' } }],
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  source = new ApiSource(host.observer, {
    kubeconfig,
    context: undefined,
    nodeName: 'node-1',
    retryAfter: 20,
    notify: (message) => notices.push(message),
  });
}

const pods = () => {
  const fold = new RunFold();
  fold.applyAll(host.log.after(0));
  return fold.pods();
};
const tell = (resource: string, type: string, object: object): void => {
  api.watches.get(resource)?.write(`${JSON.stringify({ type, object })}\n`);
};

describe('the API server as a source', () => {
  it('shows the pods of the node, and a mirror pod under the uid of its static pod', async () => {
    await follow();
    await vi.waitFor(() => expect(pods().map(({ uid }) => uid)).toEqual(['uid-of-static-pod']), soon);
    await vi.waitFor(() => expect(api.watches.has('pods')).toBe(true), soon);
    expect(api.requests).toContain('/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-1');
    tell('pods', 'DELETED', mirror);
    await vi.waitFor(() => expect(pods()[0]?.deletedAt).toBeDefined(), soon);
    expect([...api.methods]).toEqual(['GET']);
  });

  it('shows events of its pods with secrets masked, and omits events of other pods', async () => {
    await follow();
    await vi.waitFor(() => expect(pods()).toHaveLength(1), soon);
    await vi.waitFor(() => expect(api.watches.has('events')).toBe(true), soon);
    tell('events', 'ADDED', event('elsewhere', 'uid-of-another-node'));
    tell('events', 'ADDED', event('exited with hunter2 in its arguments'));
    await vi.waitFor(() => expect(pods()[0]?.events).toHaveLength(1), soon);
    const [shown] = pods()[0]?.events ?? [];
    expect(shown).toMatchObject({ reason: 'BackOff', container: 'app', count: 3 });
    expect(shown?.message).not.toContain('hunter2');
  });

  it('learns the release and the readiness of the node', async () => {
    await follow();
    await vi.waitFor(() => expect(host.observer.facts).toMatchObject({ version: 'v1.34.1', nodeName: 'node-1' }), soon);
    await vi.waitFor(() => expect(api.watches.has('nodes')).toBe(true), soon);
    tell('nodes', 'MODIFIED', nodeObject('False'));
    const output = () => host.log.after(0).flatMap((each) => (each.type === 'output' ? [each.message] : []));
    await vi.waitFor(() => expect(output()).toContain('The node is not ready: container runtime is down'), soon);
    expect(host.nodeInfo().observed).toMatchObject({ version: 'v1.34.1', missing: ['cri', 'pods', 'configz', 'otlp'] });
  });

  it("stops reporting pods when the kubelet's own /pods responds", async () => {
    host.observer.pods({ t: Date.now(), pods: [] });
    await follow();
    await vi.waitFor(() => expect(api.watches.has('pods')).toBe(true), soon);
    expect(pods()).toEqual([]);
  });

  it('reports a missing right once, and shows the objects that other rights allow', async () => {
    api.lists['nodes'] = undefined;
    await follow();
    await vi.waitFor(() => expect(pods()).toHaveLength(1), soon);
    await vi.waitFor(
      () => expect(api.requests.filter((url) => url.includes('/nodes')).length).toBeGreaterThan(2),
      soon,
    );
    expect(notices).toEqual(['c: nodes is forbidden']);
  });

  it('lists again when a version has expired', async () => {
    await follow();
    await vi.waitFor(() => expect(api.watches.has('pods')).toBe(true), soon);
    api.lists['pods'] = [];
    tell('pods', 'ERROR', { code: 410 });
    await vi.waitFor(() => expect(pods()[0]?.deletedAt).toBeDefined(), soon);
  });
});
