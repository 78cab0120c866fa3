import { readFile, stat } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { request as httpsRequest } from 'node:https';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

const pods = '/api/v1/namespaces/default/pods';
const pod = (name: string, rest: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { test: name } },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'] }],
    ...rest,
  },
});

const create = (name: string, rest?: object) => server.request('POST', pods, { body: pod(name, rest) });
const remove = (name: string) => server.request('DELETE', `${pods}/${name}`, { body: { gracePeriodSeconds: 0 } });
const patch = (path: string, type: string, body: object) =>
  server.request('PATCH', path, { body, headers: { 'Content-Type': `application/${type}+json` } });

describe('logs', () => {
  it('returns a Status in JSON that explains why there are no logs', async () => {
    await create('unheard', { restartPolicy: 'Never' });
    const { status, headers, json } = await server.request('GET', `${pods}/unheard/log?previous=true`);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect({ status, json }).toMatchObject({
      status: 400,
      json: { kind: 'Status', reason: 'BadRequest', message: expect.stringContaining('"unheard"') },
    });
    await remove('unheard');
  });
});

describe('discovery', () => {
  it.each([
    ['/version', { major: '1', minor: '36' }],
    ['/api', { kind: 'APIVersions', versions: ['v1'] }],
    [
      '/apis',
      { kind: 'APIGroupList', groups: expect.arrayContaining([expect.objectContaining({ name: 'metrics.k8s.io' })]) },
    ],
    ['/apis/metrics.k8s.io', { kind: 'APIGroup', name: 'metrics.k8s.io', preferredVersion: { version: 'v1beta1' } }],
    ['/apis/authorization.k8s.io/v1', { kind: 'APIResourceList', groupVersion: 'authorization.k8s.io/v1' }],
    [
      '/api/v1',
      {
        kind: 'APIResourceList',
        groupVersion: 'v1',
        resources: expect.arrayContaining([
          expect.objectContaining({ name: 'pods', shortNames: ['po'], namespaced: true }),
        ]),
      },
    ],
    ['/openapi/v3', { paths: { 'api/v1': expect.anything() } }],
    [
      '/openapi/v3/api/v1',
      { openapi: '3.0.0', components: { schemas: { 'io.k8s.api.core.v1.Pod': expect.anything() } } },
    ],
    ['/openapi/v2', { swagger: '2.0' }],
  ])('%s', async (path, expected) => {
    expect(await server.request('GET', path)).toMatchObject({ status: 200, json: expected });
  });

  it('returns protocol buffers when kubectl accepts them', async () => {
    const answer = await server.request('GET', '/openapi/v2', {
      headers: { Accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf' },
    });
    expect(answer.headers['content-type']).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    expect(answer.text.startsWith('\n\u00032.0')).toBe(true);
  });

  it.each([
    '/api/v2',
    '/apis/apps/v2/deployments',
    '/api/v1/widgets',
    '/apis/policies',
    '/apis/apps/v2',
    '/api/v1/namespaces/default/pods/web/evil',
    '/api/v1/%zz',
  ])('returns 404 for %s', async (path) => {
    expect(await server.request('GET', path)).toMatchObject({
      status: 404,
      json: { kind: 'Status', reason: 'NotFound', message: 'the server could not find the requested resource' },
    });
  });
});

describe('objects', () => {
  it('creates, reads, changes and deletes objects', async () => {
    expect(await create('crud')).toMatchObject({
      status: 201,
      json: {
        metadata: { name: 'crud', namespace: 'default', uid: expect.any(String) },
        spec: { nodeName: 'podscope' },
      },
    });
    expect(await server.request('GET', `${pods}/crud`)).toMatchObject({
      status: 200,
      json: { kind: 'Pod', metadata: { name: 'crud' } },
    });
    expect(await patch(`${pods}/crud`, 'strategic-merge-patch', { metadata: { labels: { a: 'b' } } })).toMatchObject({
      status: 200,
      json: { metadata: { labels: { test: 'crud', a: 'b' } } },
    });
    expect(await patch(`${pods}/crud`, 'merge-patch', { metadata: { labels: { a: null } } })).toMatchObject({
      json: { metadata: { labels: { test: 'crud' } } },
    });
    expect(
      await patch(`${pods}/crud`, 'json-patch', [{ op: 'add', path: '/metadata/labels/x', value: 'y' }]),
    ).toMatchObject({
      json: { metadata: { labels: { x: 'y' } } },
    });
    // Omit the resource version, because the kubelet may write the status at any moment.
    const { metadata, ...rest } = (await server.request('GET', `${pods}/crud`)).json as { metadata: object };
    const replacement = { ...rest, metadata: { ...metadata, resourceVersion: undefined } };
    expect((await server.request('PUT', `${pods}/crud`, { body: replacement })).status).toBe(200);
    expect(await remove('crud')).toMatchObject({
      status: 200,
      json: { kind: 'Pod', metadata: { deletionGracePeriodSeconds: 0 } },
    });
    expect(await server.request('GET', `${pods}/crud`)).toMatchObject({
      status: 404,
      json: { message: 'pods "crud" not found' },
    });
  });

  it('returns objects as YAML when the client accepts it', async () => {
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: yaml }\ndata: { "on": "yes" }\n';
    const created = await server.request('POST', '/api/v1/namespaces/default/configmaps', {
      body,
      headers: { 'Content-Type': 'application/yaml', Accept: 'application/yaml' },
    });
    expect(created.status).toBe(201);
    expect(parse(created.text)).toMatchObject({ kind: 'ConfigMap', data: { on: 'yes' } });
    expect(await server.request('DELETE', '/api/v1/namespaces/default/configmaps/yaml')).toMatchObject({
      json: { kind: 'Status', status: 'Success', details: { name: 'yaml', kind: 'configmaps' } },
    });
  });

  it.each<[string, () => Promise<{ status: number; json: unknown }>, number, object]>([
    [
      'an invalid one',
      () => create('bad', { containers: [{ name: 'app' }] }),
      422,
      {
        reason: 'Invalid',
        message: 'Pod "bad" is invalid: spec.containers[0].image: Required value',
        details: { causes: [{ field: 'spec.containers[0].image' }] },
      },
    ],
    [
      'one against the policy',
      () => create('bad', { hostNetwork: true }),
      403,
      { reason: 'Forbidden', message: expect.stringContaining('--allow-host-namespaces') },
    ],
    [
      'a wrong type',
      () => create('bad', { containers: 'app' }),
      400,
      {
        reason: 'BadRequest',
        message: expect.stringMatching(/^Pod in version "v1" cannot be handled as a Pod: spec\.containers/),
      },
    ],
    [
      'nothing but a kind',
      () => server.request('POST', pods, { body: { apiVersion: 'v1', kind: 'Pod' } }),
      422,
      { reason: 'Invalid' },
    ],
    [
      'a pod without a spec',
      () => server.request('POST', pods, { body: { kind: 'Pod', metadata: null, spec: null } }),
      422,
      { reason: 'Invalid' },
    ],
    [
      'another kind',
      () => server.request('POST', pods, { body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } } }),
      400,
      { reason: 'BadRequest' },
    ],
    [
      'no JSON',
      () => server.request('POST', pods, { body: '{', headers: { 'Content-Type': 'application/json' } }),
      400,
      { reason: 'BadRequest' },
    ],
    ['no body', () => server.request('POST', pods), 400, { reason: 'BadRequest' }],
    [
      'an unknown format',
      () => server.request('POST', pods, { body: 'x', headers: { 'Content-Type': 'text/html' } }),
      415,
      { reason: 'UnsupportedMediaType' },
    ],
    [
      'a body that is too large',
      () =>
        server.request('POST', pods, {
          body: `{"a":"${'x'.repeat(1_100_000)}"}`,
          headers: { 'Content-Type': 'application/json' },
        }),
      413,
      { reason: 'RequestEntityTooLarge' },
    ],
    [
      'an answer nobody can give',
      () => server.request('GET', pods, { headers: { Accept: 'text/html' } }),
      406,
      { reason: 'NotAcceptable' },
    ],
    ['a node', () => server.request('POST', '/api/v1/nodes', { body: {} }), 405, { reason: 'MethodNotAllowed' }],
    ['a bad selector', () => server.request('GET', `${pods}?labelSelector=a%20b`), 400, { reason: 'BadRequest' }],
    ['server-side apply', () => patch(`${pods}/x`, 'apply-patch', {}), 404, { reason: 'NotFound' }],
  ])('rejects %s', async (_name, send, status, expected) => {
    expect(await send()).toMatchObject({
      status,
      json: { kind: 'Status', status: 'Failure', code: status, ...expected },
    });
  });

  it('ignores, reports or rejects unknown fields as fieldValidation demands', async () => {
    const body = { ...pod('strict'), spec: { ...pod('strict').spec, colour: 'red' } };
    expect(await server.request('POST', `${pods}?fieldValidation=Strict`, { body })).toMatchObject({
      status: 400,
      json: {
        message: 'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.colour"',
      },
    });
    const warned = await server.request('POST', `${pods}?dryRun=All`, { body });
    expect(warned).toMatchObject({ status: 201, headers: { warning: '299 - "unknown field \\"spec.colour\\""' } });
    const ignored = await server.request('POST', `${pods}?dryRun=All&fieldValidation=Ignore`, { body });
    expect(ignored.headers.warning).toBeUndefined();
    expect((await server.request('GET', `${pods}/strict`)).status).toBe(404);
  });
});

describe('lists', () => {
  it('selects, pages and formats lists as tables', async () => {
    for (const name of ['list-a', 'list-b', 'list-c']) await create(name);
    const query = encodeURIComponent('test in (list-a,list-b,list-c)');
    const first = await server.request('GET', `${pods}?labelSelector=${query}&limit=2`);
    const { metadata, items } = first.json as {
      metadata: { continue: string; remainingItemCount: number };
      items: { metadata: { name: string } }[];
    };
    expect(items.map((item) => item.metadata.name)).toEqual(['list-a', 'list-b']);
    expect(metadata.remainingItemCount).toBe(1);
    expect(
      await server.request('GET', `${pods}?labelSelector=${query}&limit=2&continue=${metadata.continue}`),
    ).toMatchObject({
      json: { items: [{ metadata: { name: 'list-c' } }] },
    });
    expect((await server.request('GET', `${pods}?continue=nonsense`)).status).toBe(400);
    const table = await server.request('GET', `/api/v1/pods?fieldSelector=metadata.name%3Dlist-a`, {
      headers: { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' },
    });
    expect(table).toMatchObject({
      json: {
        kind: 'Table',
        rows: [{ cells: expect.arrayContaining(['list-a']), object: { kind: 'PartialObjectMetadata' } }],
      },
    });
    expect(
      await server.request('DELETE', `${pods}?labelSelector=${query}`, { body: { gracePeriodSeconds: 0 } }),
    ).toMatchObject({
      status: 200,
      json: { kind: 'PodList', items: [{}, {}, {}] },
    });
    expect(await server.request('GET', `${pods}?labelSelector=${query}`)).toMatchObject({ json: { items: [] } });
  });
});

interface WatchEvent {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly metadata: { readonly name?: string; readonly resourceVersion: string; readonly annotations?: object };
    readonly code?: number;
  };
}

/** Watches until `enough` returns true. */
function watch(
  query: string,
  enough: (events: readonly WatchEvent[]) => boolean,
  onOpen: () => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly WatchEvent[]> {
  return new Promise((resolve, reject) => {
    const events: WatchEvent[] = [];
    let rest = '';
    const request = httpGet(
      {
        host: '127.0.0.1',
        port: server.port,
        path: `${pods}?watch=1${query}`,
        headers: { Authorization: `Bearer ${server.token}` },
      },
      (response) => {
        onOpen().catch(reject);
        response.on('data', (chunk: Buffer) => {
          const lines = (rest + chunk.toString('utf8')).split('\n');
          rest = lines.pop() ?? '';
          events.push(...lines.map((line) => JSON.parse(line) as WatchEvent));
          if (enough(events)) {
            resolve(events);
            request.destroy();
          }
        });
        response.on('end', () => resolve(events));
      },
    );
    request.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(events) : reject(error),
    );
  });
}

const typesOf = (events: readonly WatchEvent[]): readonly string[] =>
  events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`);

describe('watches', () => {
  it('reports every change, and an object that leaves the selection as deleted', async () => {
    const query = `&labelSelector=${encodeURIComponent('test=watched')}`;
    const events = await watch(
      query,
      (seen) => seen.some(({ type }) => type === 'DELETED'),
      async () => {
        await create('watched');
        await patch(`${pods}/watched`, 'merge-patch', { metadata: { labels: { test: 'other' } } });
      },
    );
    expect(typesOf(events)[0]).toBe('ADDED watched');
    expect(typesOf(events).at(-1)).toBe('DELETED watched');
    await remove('watched');
  });

  it('continues from a resource version', async () => {
    const { json } = await create('again');
    const { resourceVersion } = (json as WatchEvent['object']).metadata;
    await remove('again');
    const events = await watch(`&resourceVersion=${resourceVersion}&fieldSelector=metadata.name%3Dagain`, (seen) =>
      seen.some(({ type }) => type === 'DELETED'),
    );
    expect(typesOf(events)).not.toContain('ADDED again');
  });

  it('reports an expired resource version', async () => {
    const [event] = await watch('&resourceVersion=1', () => false);
    expect(event).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
  });

  it('ends after the timeout', async () => {
    expect(await watch('&timeoutSeconds=1&fieldSelector=metadata.name%3Dnone', () => false)).toEqual([]);
  });

  it('sends a bookmark when the initial state is complete', async () => {
    await create('initial');
    const events = await watch(
      '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
      (seen) => seen.some(({ type }) => type === 'BOOKMARK'),
    );
    expect(typesOf(events)).toContain('ADDED initial');
    expect(events.at(-1)).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'Pod', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
    await remove('initial');
  });
});

describe('arbitrary requests', () => {
  const fields = fc.constantFrom(
    'apiVersion',
    'kind',
    'metadata',
    'name',
    'labels',
    'spec',
    'containers',
    'image',
    'env',
    'volumes',
    '__proto__',
    'constructor',
    'status',
    'x',
  );
  const anything = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fields, tie('value'), { maxKeys: 5 }),
    ),
  })).value;

  it('returns a status below 500 for random requests', async () => {
    const request = fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
      path: fc.oneof(
        fc.constantFrom(
          pods,
          `${pods}/x`,
          `${pods}/x/status`,
          `${pods}/x/log`,
          '/api/v1/namespaces',
          '/api/v1/secrets',
          '/api/v1',
          '/openapi/v2',
          '/version',
        ),
        fc.webPath().map((path) => `/api/v1${path}`),
      ),
      query: fc.constantFrom(
        '',
        '?dryRun=All',
        '?labelSelector=((',
        '?fieldSelector=a',
        '?limit=-1',
        '?continue=e30',
        '?dryRun=x',
        '?gracePeriodSeconds=a',
        '?tailLines=x&container=%00',
      ),
      type: fc.constantFrom(
        'application/json',
        'application/yaml',
        'application/merge-patch+json',
        'application/json-patch+json',
        'application/strategic-merge-patch+json',
        'application/vnd.kubernetes.protobuf',
        '',
      ),
      body: fc.oneof(
        anything.map((value) => JSON.stringify(value)),
        anything.map((value) => JSON.stringify({ ...pod('fuzz'), spec: value })),
        fc.string(),
      ),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path, query, type, body }) => {
        const { status } = await server.request(method, `${path}${query}`, {
          body: body ?? '',
          headers: { 'Content-Type': type },
        });
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 400 },
    );
    expect((await server.request('GET', '/healthz')).status).toBe(200);
  }, 60_000);
});

describe('the kubeconfig', () => {
  it('connects to the API over TLS, and is readable only by its owner', async () => {
    expect((await stat(server.kubeconfigPath)).mode & 0o777).toBe(0o600);
    const config = parse(await readFile(server.kubeconfigPath, 'utf8')) as {
      clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }];
      users: [{ user: { token: string } }];
    };
    const { cluster } = config.clusters[0];
    expect(cluster.server).toBe(`https://127.0.0.1:${server.port}`);
    const status = await new Promise((resolve, reject) => {
      const request = httpsRequest(
        `${cluster.server}/api/v1/namespaces`,
        {
          ca: Buffer.from(cluster['certificate-authority-data'], 'base64'),
          headers: { Authorization: `Bearer ${config.users[0].user.token}` },
        },
        (response) => {
          resolve(response.statusCode);
          response.destroy();
        },
      );
      request.on('error', reject);
      request.end();
    });
    expect(status).toBe(200);
  });
});
