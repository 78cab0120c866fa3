/** Tests the observation of an unhealthy cluster. A fake API server produces the errors of a real one. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunFold, type TraceEvent } from '@podscope/trace';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveCluster } from './live-cluster.ts';

const pod = (name: string, restartCount = 0) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'shop',
    uid: `uid-${name}`,
    creationTimestamp: '2026-03-01T10:00:00Z',
    resourceVersion: `${1 + restartCount}`,
  },
  spec: { nodeName: 'n1', containers: [{ name: 'app', image: 'nginx' }] },
  status: {
    phase: 'Running',
    startTime: '2026-03-01T10:00:00Z',
    containerStatuses: [
      {
        name: 'app',
        image: 'nginx',
        imageID: 'x',
        containerID: `containerd://${name}${restartCount}`,
        ready: true,
        started: true,
        restartCount,
        state: { running: { startedAt: `2026-03-01T10:0${restartCount}:05Z` } },
      },
    ],
  },
});
const started = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'web.1', namespace: 'shop', resourceVersion: '2', creationTimestamp: '2026-03-01T10:00:05Z' },
  involvedObject: { kind: 'Pod', name: 'web', namespace: 'shop', uid: 'uid-web', fieldPath: 'spec.containers{app}' },
  type: 'Normal',
  reason: 'Started',
  message: 'Started container app',
  count: 1,
  firstTimestamp: '2026-03-01T10:00:05Z',
  lastTimestamp: '2026-03-01T10:00:05Z',
};
const gone = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message: 'too old resource version: 1 (9)',
  reason: 'Expired',
  code: 410,
};

const crashed = (name: string, restartCount: number, exitCode: number) => {
  const object = pod(name, restartCount);
  const [status] = object.status.containerStatuses;
  const terminated = {
    exitCode,
    reason: 'Error',
    startedAt: '2026-03-01T10:00:05Z',
    finishedAt: '2026-03-01T10:00:45Z',
    containerID: `containerd://${name}0`,
  };
  return {
    ...object,
    status: { ...object.status, containerStatuses: [{ ...status, lastState: { terminated } }] },
  };
};

const messages: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'User "reader" cannot list resource "pods" in API group "" at the cluster scope',
};

/** The part of a cluster's API that the observer uses. */
class FakeApi {
  pods = [pod('web'), pod('old')];
  token = 'first';
  /** Status codes with which the next lists of pods fail, one for each list. */
  readonly refusals: number[] = [];
  readonly requests: string[] = [];
  /** The resources that the user may not list. */
  readonly forbidden = new Set<'pods' | 'events'>();
  /** Changes that the next watch of pods sends first, as an API server sends the changes since a resource version. */
  missed: (readonly [string, unknown])[] = [];
  readonly watches = new Set<ServerResponse>();
  readonly server = createServer((request, response) => this.#answer(request, response));

  /** Sends a line to all watches of pods. */
  send(type: string, object: unknown): void {
    for (const watch of this.watches) watch.write(`${JSON.stringify({ type, object })}\n`);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', 'http://x');
    const [isWatch, isPods] = [url.searchParams.get('watch') === 'true', url.pathname.endsWith('/pods')];
    this.requests.push(`${request.method} ${isWatch ? 'watch' : 'list'}`);
    const refusal =
      request.headers.authorization === `Bearer ${this.token}`
        ? this.forbidden.has(isPods ? 'pods' : 'events')
          ? 403
          : isPods && !isWatch
            ? this.refusals.shift()
            : undefined
        : 401;
    response.writeHead(refusal ?? 200, { 'content-type': 'application/json' });
    if (refusal !== undefined)
      response.end(JSON.stringify({ ...gone, code: refusal, message: messages[refusal] ?? gone.message }));
    else if (isWatch) {
      response.flushHeaders();
      if (!isPods) return;
      this.watches.add(response);
      for (const [type, object] of this.missed.splice(0)) response.write(`${JSON.stringify({ type, object })}\n`);
      response.on('close', () => this.watches.delete(response));
    } else {
      response.end(
        JSON.stringify({
          kind: isPods ? 'PodList' : 'EventList',
          apiVersion: 'v1',
          metadata: { resourceVersion: '9' },
          items: isPods ? this.pods : [started],
        }),
      );
    }
  }
}

describe('a cluster whose watches break', () => {
  let api: FakeApi;
  let directory: string;
  let live: LiveCluster;
  const fold = { now: new RunFold() };
  const said: string[] = [];

  const config = { now: '' };
  const observe = (): LiveCluster =>
    new LiveCluster({
      kubeconfig: config.now,
      context: undefined,
      namespace: undefined,
      logger: pino({ level: 'silent' }),
      retryAfter: 20,
      notify: (message) => said.push(message),
    });
  const writeToken = (token: string): Promise<void> => writeFile(join(directory, 'token'), token);
  const runningPods = (): string[] =>
    [...fold.now.pods()].filter(({ deletedAt }) => deletedAt === undefined).map(({ name }) => name);
  const attemptsOf = (name: string): number | undefined =>
    [...fold.now.pods()].find((each) => each.name === name)?.containers[0]?.attempts.length;
  /** Returns the distinct requests so far. The test expects that all of them are reads. */
  const asked = (): readonly string[] => [...new Set(api.requests)].toSorted();
  const soon = { timeout: 120_000, interval: 20 };

  beforeEach(async () => {
    api = new FakeApi();
    await new Promise<void>((listening) => api.server.listen(0, '127.0.0.1', listening));
    directory = await mkdtemp(join(tmpdir(), 'podscope-live-'));
    await writeToken('first');
    const { port } = api.server.address() as AddressInfo;
    const kubeconfig = join(directory, 'config');
    const content = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user: { tokenFile: join(directory, 'token') } }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    };
    await writeFile(kubeconfig, JSON.stringify(content));
    said.length = 0;
    config.now = kubeconfig;
    live = observe();
    fold.now = new RunFold();
    const session = live.connect({
      bufferedAmount: 0,
      close: () => undefined,
      send: (message) => {
        const parsed = JSON.parse(message) as { readonly type: string; readonly events?: readonly TraceEvent[] };
        if (parsed.type === 'events') fold.now.applyAll(parsed.events ?? []);
      },
    });
    await live.start();
    session.receive(JSON.stringify({ type: 'hello', protocol: 1 }));
    await vi.waitUntil(() => runningPods().length === 2 && api.watches.size === 1, soon);
  });
  afterEach(async () => {
    await live.stop();
    api.server.closeAllConnections();
    await new Promise((closed) => api.server.close(closed));
    await rm(directory, { recursive: true, force: true });
  });

  it('detects deletions while disconnected, and duplicates no event', async () => {
    api.send('BOOKMARK', {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { resourceVersion: '12', creationTimestamp: null },
      spec: { containers: null },
      status: {},
    });
    api.send('MODIFIED', pod('web', 1));
    await vi.waitFor(() => expect(attemptsOf('web')).toBe(2), soon);
    api.missed = [
      ['MODIFIED', pod('web', 1)],
      ['DELETED', pod('old')],
      ['ADDED', pod('new')],
    ];
    for (const watch of api.watches) watch.socket?.resetAndDestroy();
    await vi.waitFor(() => expect(runningPods().toSorted()).toEqual(['new', 'web']), soon);
    const web = [...fold.now.pods()].find(({ name }) => name === 'web');
    expect([attemptsOf('web'), web?.events.map(({ reason }) => reason)]).toEqual([2, ['Started']]);
    expect(said.join('\n')).toMatch(/watching c broke and is tried again/);
    expect(asked()).toEqual(['GET list', 'GET watch']);
  });

  it('lists again when its version has expired, as reported by the watch or the list', async () => {
    api.refusals.push(410);
    api.pods = [pod('web')];
    api.send('ERROR', gone);
    for (const watch of api.watches) watch.end();
    await vi.waitFor(() => expect(runningPods()).toEqual(['web']), soon);
    await vi.waitFor(() => expect(api.watches.size).toBe(1), soon);
    api.send('ADDED', pod('late'));
    await vi.waitFor(() => expect(runningPods().toSorted()).toEqual(['late', 'web']), soon);
    expect(asked()).toEqual(['GET list', 'GET watch']);
  });

  it('continues with a new token when the old one has expired', async () => {
    api.token = 'second';
    for (const watch of api.watches) watch.end();
    await vi.waitFor(() => expect(said.join('\n')).toMatch(/Unauthorized|401/), soon);
    api.missed = [
      ['DELETED', pod('old')],
      ['ADDED', pod('fresh')],
    ];
    await writeToken('second');
    await vi.waitFor(() => expect(runningPods().toSorted()).toEqual(['fresh', 'web']), soon);
    expect(said.join('\n')).not.toMatch(/first|second/);
    expect(asked()).toEqual(['GET list', 'GET watch']);
  });

  it('shows pods as they appear, crash, restart and disappear, in this order', async () => {
    api.send('ADDED', pod('new'));
    await vi.waitFor(() => expect(runningPods().toSorted()).toEqual(['new', 'old', 'web']), soon);
    api.send('MODIFIED', crashed('new', 1, 3));
    await vi.waitFor(() => expect(attemptsOf('new')).toBe(2), soon);
    const [first, second] = [...fold.now.pods()].find(({ name }) => name === 'new')?.containers[0]?.attempts ?? [];
    expect([first?.exitCode, second?.exitCode]).toEqual([3, undefined]);
    api.send('DELETED', crashed('new', 1, 3));
    await vi.waitFor(() => expect(runningPods().toSorted()).toEqual(['old', 'web']), soon);
    api.send('ADDED', { ...pod('new'), metadata: { ...pod('new').metadata, uid: 'uid-second' } });
    await vi.waitFor(() => expect(runningPods().toSorted()).toEqual(['new', 'old', 'web']), soon);
    expect([...fold.now.pods()].filter(({ name }) => name === 'new').map(({ uid }) => uid)).toEqual([
      'uid-new',
      'uid-second',
    ]);
    expect(said).toEqual([]);
  });

  it('continues after the right to list pods was withdrawn and granted again', async () => {
    api.forbidden.add('pods');
    api.send('ERROR', gone);
    for (const watch of api.watches) watch.end();
    await vi.waitFor(() => expect(said.join('\n')).toMatch(/broke and is tried again/), soon);
    expect(runningPods().toSorted()).toEqual(['old', 'web']);
    api.pods = [pod('web'), pod('later')];
    api.missed = [
      ['DELETED', pod('old')],
      ['ADDED', pod('later')],
    ];
    api.forbidden.clear();
    await vi.waitFor(() => expect(runningPods().toSorted()).toEqual(['later', 'web']), soon);
    expect(asked()).toEqual(['GET list', 'GET watch']);
  });

  it('reports at the start that the user may not list pods', async () => {
    api.forbidden.add('pods');
    const refused = observe();
    await expect(refused.start()).rejects.toThrow(/denies access: .*(?:403|cannot list)/s);
    await refused.stop();
  });

  it('shows the pods and reports once when the user may not list events', async () => {
    api.forbidden.add('events');
    const withoutEvents = observe();
    const pods = new RunFold();
    const session = withoutEvents.connect({
      bufferedAmount: 0,
      close: () => undefined,
      send: (message) => {
        const parsed = JSON.parse(message) as { readonly type: string; readonly events?: readonly TraceEvent[] };
        if (parsed.type === 'events') pods.applyAll(parsed.events ?? []);
      },
    });
    await withoutEvents.start();
    session.receive(JSON.stringify({ type: 'hello', protocol: 1 }));
    await vi.waitFor(() => expect(pods.pods().map(({ name }) => name)).toEqual(['web', 'old']), soon);
    expect(said.filter((each) => each.includes('does not permit to list events'))).toHaveLength(1);
    await withoutEvents.stop();
  });
});
