/**
 * Tests the parts of the API that don't store objects: aggregated discovery, reviews and metrics; also server-side
 * apply and evictions.
 */
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;

const pods = '/api/v1/namespaces/default/pods';
const pod = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { test: name } },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'] }],
    ...spec,
  },
});
const get = (path: string, headers: Record<string, string> = {}) => server.request('GET', path, { headers });
const create = (name: string, spec?: object) => server.request('POST', pods, { body: pod(name, spec) });

beforeAll(async () => {
  server = await startTestServer();
  await create('busy');
  await vi.waitUntil(
    async () => ((await get(`${pods}/busy`)).json as { status?: { phase?: string } }).status?.phase === 'Running',
    {
      timeout: 120_000,
      interval: 20,
    },
  );
});
afterAll(() => server.dispose());

describe('aggregated discovery', () => {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

  it('returns one document each for /api and /apis', async () => {
    const core = await get('/api', { Accept: accept });
    expect(core.headers['content-type']).toMatch(
      /^application\/json;g=apidiscovery\.k8s\.io;v=v2;as=APIGroupDiscoveryList/,
    );
    expect(core.json).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      items: [
        {
          metadata: {},
          versions: [
            {
              version: 'v1',
              freshness: 'Current',
              resources: expect.arrayContaining([
                expect.objectContaining({
                  resource: 'pods',
                  scope: 'Namespaced',
                  shortNames: ['po'],
                  subresources: expect.arrayContaining([
                    expect.objectContaining({
                      subresource: 'eviction',
                      responseKind: { group: 'policy', version: 'v1', kind: 'Eviction' },
                    }),
                  ]),
                }),
              ]),
            },
          ],
        },
      ],
    });
    const groups = (await get('/apis', { Accept: accept })).json as { items: { metadata: { name: string } }[] };
    expect(groups.items.map(({ metadata }) => metadata.name)).toContain('metrics.k8s.io');
  });

  it('is not returned to a client that accepts only v2beta1', async () => {
    expect(await get('/api', { Accept: accept.replace('v=v2', 'v=v2beta1') })).toMatchObject({
      json: { kind: 'APIVersions' },
    });
  });
});

describe('kinds without a controller', () => {
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };

  it('lists them in discovery in every version that clients use, and returns empty lists', async () => {
    expect(await get('/apis/batch')).toMatchObject({
      json: { versions: [{ version: 'v1' }, { version: 'v1beta1' }], preferredVersion: { groupVersion: 'batch/v1' } },
    });
    expect(await get(deployments)).toMatchObject({
      status: 200,
      json: { kind: 'DeploymentList', apiVersion: 'apps/v1', items: [] },
    });
    expect(await get(`${deployments}/web`)).toMatchObject({
      status: 404,
      json: { message: 'deployments.apps "web" not found' },
    });
    expect(await get('/api/v1/persistentvolumes?watch=true&timeoutSeconds=1')).toMatchObject({ status: 200, text: '' });
  });

  it('sends the bookmark after the initial objects, which informers wait for', async () => {
    const options = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const { text } = await get(`${deployments}?watch=true&timeoutSeconds=1&${options}`);
    expect(JSON.parse(text)).toMatchObject({
      type: 'BOOKMARK',
      object: {
        kind: 'Deployment',
        apiVersion: 'apps/v1',
        metadata: {
          resourceVersion: expect.stringMatching(/^\d+$/) as string,
          annotations: { 'k8s.io/initial-events-end': 'true' },
        },
      },
    });
  });

  it.each([
    ['POST', deployments, {}],
    ['PATCH', `${deployments}/web?fieldManager=test`, { 'Content-Type': 'application/apply-patch+yaml' }],
  ] as const)('rejects writes with a hint what to use instead: %s', async (method, path, headers) => {
    expect(await server.request(method, path, { body: deployment, headers })).toMatchObject({
      status: 403,
      json: {
        reason: 'Forbidden',
        message: expect.stringContaining('submit the pod in its spec.template as kind: Pod'),
        details: { group: 'apps' },
      },
    });
  });
});

describe('reviews', () => {
  const ask = (kind: string, spec: object, namespace = '') =>
    server.request(
      'POST',
      `/apis/authorization.k8s.io/v1${namespace && `/namespaces/${namespace}`}/${kind.toLowerCase()}s`,
      { body: { kind, spec } },
    );
  const createPods = { resourceAttributes: { verb: 'create', resource: 'pods' } };

  it.each([
    ['SelfSubjectAccessReview', createPods, { allowed: true }],
    ['SelfSubjectAccessReview', { nonResourceAttributes: { verb: 'get', path: '/healthz' } }, { allowed: true }],
    ['SubjectAccessReview', { ...createPods, user: 'podscope' }, { allowed: true }],
    [
      'SubjectAccessReview',
      { ...createPods, user: 'bob' },
      { allowed: false, reason: 'there is no user but podscope' },
    ],
    ['SelfSubjectRulesReview', { namespace: 'default' }, { resourceRules: [{ verbs: ['*'] }], incomplete: false }],
  ])('%s of %j', async (kind, spec, status) => {
    expect(await ask(kind, spec)).toMatchObject({
      status: 201,
      json: { kind, apiVersion: 'authorization.k8s.io/v1', status },
    });
  });

  it('returns the user of the token', async () => {
    expect(
      await server.request('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { body: {} }),
    ).toMatchObject({
      status: 201,
      json: { status: { userInfo: { username: 'podscope' } } },
    });
  });

  it.each([
    ['nothing asked', () => ask('SelfSubjectAccessReview', {}), 400],
    ['both asked', () => ask('SelfSubjectAccessReview', { ...createPods, nonResourceAttributes: {} }), 400],
    ['a spec of the wrong type', () => ask('SelfSubjectRulesReview', { namespace: 1 }), 400],
    ['reading', () => get('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'), 404],
  ])('rejects %s', async (_name, send, status) => {
    expect((await send()).status).toBe(status);
  });
});

describe('metrics', () => {
  const root = '/apis/metrics.k8s.io/v1beta1';

  it('returns the usage of pods', async () => {
    expect(await get(`${root}/namespaces/default/pods/busy`)).toMatchObject({
      status: 200,
      json: {
        kind: 'PodMetrics',
        metadata: { name: 'busy', namespace: 'default', labels: { test: 'busy' } },
        window: expect.stringMatching(/^\d+\.\d{3}s$/),
        containers: [
          { name: 'app', usage: { cpu: expect.stringMatching(/^\d+n$/), memory: expect.stringMatching(/^\d+Ki$/) } },
        ],
      },
    });
    expect(await get(`${root}/pods?labelSelector=test%3Dnobody`)).toMatchObject({
      json: { kind: 'PodMetricsList', items: [] },
    });
  });

  it('returns the usage of the node', async () => {
    expect(await get(`${root}/nodes`)).toMatchObject({
      json: {
        kind: 'NodeMetricsList',
        items: [{ metadata: { name: 'podscope' }, usage: { cpu: expect.any(String) } }],
      },
    });
  });

  it.each([
    [`${root}/namespaces/default/pods/nobody`, 404],
    [`${root}/pods?labelSelector=((`, 400],
  ])('returns an error for %s: %i', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });
});

describe('server-side apply', () => {
  const maps = '/api/v1/namespaces/default/configmaps';
  const apply = (name: string, data: object, query: string) =>
    server.request('PATCH', `${maps}/${name}?${query}`, {
      body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }),
      headers: { 'Content-Type': 'application/apply-patch+yaml' },
    });

  it('creates, changes and removes fields, and rejects conflicts', async () => {
    expect(await apply('ssa', { a: '1', b: '2' }, 'fieldManager=one')).toMatchObject({
      status: 201,
      json: {
        data: { a: '1', b: '2' },
        metadata: { managedFields: [{ manager: 'one', operation: 'Apply', apiVersion: 'v1' }] },
      },
    });
    expect(await apply('ssa', { a: '1' }, 'fieldManager=one')).toMatchObject({
      status: 200,
      json: { data: { a: '1' } },
    });
    expect((await get(`${maps}/ssa`)).json).toMatchObject({ data: { a: '1' } });
    const conflict = await apply('ssa', { a: '2' }, 'fieldManager=two');
    expect(conflict).toMatchObject({
      status: 409,
      json: {
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "one": .data.a',
        details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.a' }] },
      },
    });
    expect(await apply('ssa', { a: '2' }, 'fieldManager=two&force=true')).toMatchObject({
      status: 200,
      json: { data: { a: '2' } },
    });
  });

  it('stores nothing in a dry run', async () => {
    expect((await apply('tried', { a: '1' }, 'fieldManager=one&dryRun=All')).status).toBe(201);
    expect((await get(`${maps}/tried`)).status).toBe(404);
  });

  it.each([
    ['no field manager', () => apply('x', {}, ''), 422, /fieldManager: Required value: is required for apply patch/],
    [
      'an unknown field',
      () =>
        server.request('PATCH', `${maps}/x?fieldManager=a`, {
          body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"colour":1}',
          headers: { 'Content-Type': 'application/apply-patch+yaml' },
        }),
      400,
      /^failed to create typed patch object \(default\/x; \/v1, Kind=ConfigMap\): \.colour: field not declared in schema$/,
    ],
    [
      'force on another patch',
      () =>
        server.request('PATCH', `${maps}/x?force=true`, {
          body: '{}',
          headers: { 'Content-Type': 'application/merge-patch+json' },
        }),
      422,
      /force: Forbidden: may not be specified for non-apply patch/,
    ],
  ])('rejects %s', async (_name, send, status, message) => {
    expect(await send()).toMatchObject({ status, json: { message: expect.stringMatching(message) } });
  });

  it('keeps the defaulted fields of a pod', async () => {
    const body = JSON.stringify({ ...pod('applied'), metadata: { name: 'applied' } });
    const send = () =>
      server.request('PATCH', `${pods}/applied?fieldManager=one`, {
        body,
        headers: { 'Content-Type': 'application/apply-patch+yaml' },
      });
    expect((await send()).status).toBe(201);
    const again = await send();
    expect(again).toMatchObject({
      status: 200,
      json: { metadata: { generation: 1 }, spec: { nodeName: 'podscope', dnsPolicy: 'ClusterFirst' } },
    });
  });
});

describe('evictions', () => {
  it('deletes the evicted pod', async () => {
    // The finalizer keeps the pod until the test has read it.
    await server.request('POST', pods, {
      body: { ...pod('evicted'), metadata: { name: 'evicted', finalizers: ['example.com/hold'] } },
    });
    expect(
      await server.request('POST', `${pods}/evicted/eviction`, {
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'evicted' } },
      }),
    ).toMatchObject({
      status: 201,
      json: { kind: 'Status', status: 'Success' },
    });
    expect((await get(`${pods}/evicted`)).json).toMatchObject({ metadata: { deletionTimestamp: expect.any(String) } });
    expect(
      (await server.request('POST', `${pods}/busy/eviction`, { body: { metadata: { name: 'other' } } })).status,
    ).toBe(400);
  });
});

describe('ephemeral containers of old clients', () => {
  it('adds containers to the existing ones', async () => {
    const container = (name: string) => ({ name, image: 'busybox:1.36', terminationMessagePolicy: 'File' });
    const put = (...names: string[]) =>
      server.request('PUT', `${pods}/busy/ephemeralcontainers`, {
        body: {
          apiVersion: 'v1',
          kind: 'EphemeralContainers',
          metadata: {},
          ephemeralContainers: names.map(container),
        },
      });
    expect((await put('one')).status).toBe(200);
    expect((await put('two')).json).toMatchObject({
      spec: { ephemeralContainers: [{ name: 'one' }, { name: 'two' }] },
    });
    expect(
      (
        await server.request('PUT', `${pods}/busy/ephemeralcontainers`, {
          body: { apiVersion: 'v1', kind: 'EphemeralContainers' },
        })
      ).status,
    ).toBe(400);
  });
});

describe('pretty printing', () => {
  it('indents the response', async () => {
    expect((await get(`${pods}/busy?pretty=true`)).text).toMatch(/^\{\n {2}"/);
    expect((await get(`${pods}/busy`, { 'User-Agent': 'curl/8' })).text).toMatch(/^\{\n {2}"/);
    expect((await get(`${pods}/busy`)).text).toMatch(/^\{"/);
  });

  it('returns an error as JSON even if a log was requested', async () => {
    const refused = await get(`${pods}/nobody/log`);
    expect(refused).toMatchObject({ status: 404, json: { kind: 'Status', message: 'pods "nobody" not found' } });
    expect(refused.headers['content-type']).toMatch(/^application\/json/);
    expect((await get(`${pods}/busy/log?container=nobody`)).json).toMatchObject({
      message: 'container nobody is not valid for pod busy',
    });
    expect((await get(`${pods}/busy/log?sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z`)).status).toBe(400);
    expect((await get(`${pods}/busy/log?stream=Nothing`)).status).toBe(400);
  });
});

describe('the node', () => {
  it('accepts labels, and rejects changes that would have no effect', async () => {
    const patch = (body: object) =>
      server.request('PATCH', '/api/v1/nodes/podscope', {
        body,
        headers: { 'Content-Type': 'application/merge-patch+json' },
      });
    expect(await patch({ metadata: { labels: { disk: 'ssd' } } })).toMatchObject({
      status: 200,
      json: { metadata: { labels: { disk: 'ssd' } } },
    });
    expect(await patch({ spec: { unschedulable: true } })).toMatchObject({
      status: 422,
      json: { message: expect.stringContaining('spec: Forbidden: may not change: this node has no scheduler') },
    });
    expect((await server.request('POST', '/api/v1/nodes', { body: {} })).status).toBe(405);
  });
});

describe('versions', () => {
  const current = async () =>
    Number(((await get(pods)).json as { metadata: { resourceVersion: string } }).metadata.resourceVersion);

  it.each([
    ['any', 'resourceVersion=0', 200],
    ['no older than an old one', 'resourceVersion=1&resourceVersionMatch=NotOlderThan', 200],
    ['exactly an old one', 'resourceVersion=1&resourceVersionMatch=Exact', 410],
    ['one yet to come', 'resourceVersion=999999999', 504],
    ['no number', 'resourceVersion=new', 400],
    ['a match without a version', 'resourceVersionMatch=Exact', 422],
    ['a match of another kind', 'resourceVersion=1&resourceVersionMatch=Newest', 422],
    ['initial events of a list', 'sendInitialEvents=true', 422],
    ['initial events of a watch without a match', 'watch=1&sendInitialEvents=true', 422],
    ['a match of a watch without initial events', 'watch=1&resourceVersion=1&resourceVersionMatch=NotOlderThan', 422],
  ])('%s: %s', async (_name, query, status) => {
    expect((await get(`${pods}?${query}`)).status).toBe(status);
  });

  it('lists exactly the resources of the newest version', async () => {
    await expect
      .poll(async () => (await get(`${pods}?resourceVersionMatch=Exact&resourceVersion=${await current()}`)).status)
      .toBe(200);
  });
});

describe('tokens of service accounts', () => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const ask = (name: string, spec: object) =>
    server.request('POST', `${accounts}/${name}/token`, { body: { kind: 'TokenRequest', spec } });

  it('signs tokens with a key that is published', async () => {
    const { status, json } = await ask('default', { audiences: ['vault'], expirationSeconds: 600 });
    expect(status).toBe(201);
    const { token, expirationTimestamp } = (json as { status: { token: string; expirationTimestamp: string } }).status;
    expect(Date.parse(expirationTimestamp)).toBeGreaterThan(Date.now());
    const { keys } = (await get('/openid/v1/jwks')).json as { keys: JsonWebKey[] };
    const key = createPublicKey({ format: 'jwk', key: keys[0] ?? {} });
    const at = token.lastIndexOf('.');
    expect(
      verify(
        'sha256',
        Buffer.from(token.slice(0, at)),
        { key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(token.slice(at + 1), 'base64url'),
      ),
    ).toBe(true);
    expect((await get('/.well-known/openid-configuration')).json).toMatchObject({
      id_token_signing_alg_values_supported: ['ES256'],
    });
    // This API doesn't accept the token of a service account for authentication.
    expect((await get(pods, { Authorization: `Bearer ${token}` })).status).toBe(401);
  });

  it('rejects tokens for missing service accounts and for too short a time', async () => {
    expect((await ask('nobody', {})).json).toMatchObject({ code: 404, message: 'serviceaccounts "nobody" not found' });
    expect((await ask('default', { expirationSeconds: 5 })).json).toMatchObject({ code: 422 });
  });
});
