/** Tests `--read-only`: every endpoint that changes something rejects requests, every other endpoint works. */
import type { Command } from '@podscope/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rawRequest, upgradeHeaders } from '../testing/raw-request.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default' },
  spec: { containers: [{ name: 'app', image: 'busybox:1.36' }] },
};
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer(['--read-only']);
  // The local user can still create pods through the manifest directory.
  await server.nodeHost.commands.apply(JSON.stringify(pod));
});
afterAll(() => server.dispose());

const pods = '/api/v1/namespaces/default/pods';

it.each([
  ['POST', pods, { ...pod, metadata: { name: 'other' } }],
  ['PUT', `${pods}/web`, pod],
  ['PATCH', `${pods}/web`, { metadata: { labels: { a: 'b' } } }],
  ['PUT', `${pods}/web/status`, pod],
  ['PATCH', `${pods}/web/ephemeralcontainers`, { spec: {} }],
  ['PATCH', `${pods}/web/resize`, { spec: {} }],
  ['POST', `${pods}/web/eviction`, {}],
  ['DELETE', `${pods}/web`, undefined],
  ['DELETE', pods, undefined],
  ['POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }],
  ['DELETE', '/api/v1/namespaces/default/configmaps', undefined],
  ['DELETE', '/runs/none', undefined],
  ['POST', '/runs', 'x'],
  ['PATCH', '/runs/none', { title: 'a' }],
])('rejects %s %s', async (method, path, body) => {
  const headers: Record<string, string> =
    method === 'PATCH' && path.startsWith('/api') ? { 'Content-Type': 'application/merge-patch+json' } : {};
  const answer = await server.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
  expect(answer.text).toContain('read-only');
  expect(answer.status).toBe(403);
});

it.each(['exec?command=id&stdout=1', 'attach?stdout=1', 'portforward?ports=80'])('rejects %s', async (stream) => {
  for (const kind of ['websocket', 'SPDY/3.1'] as const) {
    const headers = { Authorization: `Bearer ${server.token}`, ...upgradeHeaders(kind) };
    expect(await rawRequest({ port: server.port, path: `${pods}/web/${stream}`, headers })).toMatchObject({
      status: 403,
      text: expect.stringContaining('read-only'),
    });
  }
});

const run = (command: Command): ReturnType<TestServer['request']> =>
  server.request('POST', '/debug/v1/commands', { body: command });

it.each<Command>([
  { command: 'apply', manifest: JSON.stringify(pod) },
  { command: 'deletePod', namespace: 'default', name: 'web' },
  { command: 'pause' },
  { command: 'continue' },
  { command: 'setBreakpoints', breakpoints: [] },
  { command: 'setFaults', faults: [] },
  { command: 'setFaultPlan', yaml: 'name: a' },
  { command: 'killContainer', namespace: 'default', name: 'web', container: 'app' },
  { command: 'setTime', paused: true },
  { command: 'stepTime' },
  { command: 'deleteRun', run: 'a' },
  { command: 'renameRun', run: 'a', title: 'b' },
])('rejects the command $command', async (command) => {
  expect(await run(command)).toMatchObject({ status: 403, text: expect.stringContaining('read-only') });
});

it('serves reads', async () => {
  expect(server.nodeHost.nodeInfo().readOnly).toBe(true);
  expect((await run({ command: 'debugState' })).json).toMatchObject({ attached: false });
  expect((await run({ command: 'validate', manifest: JSON.stringify(pod) })).status).toBe(200);
  expect((await run({ command: 'getPodYaml', namespace: 'default', name: 'web' })).status).toBe(200);
  expect((await server.request('GET', `${pods}/web`)).status).toBe(200);
  expect(
    (await server.request('POST', `${pods}?dryRun=All`, { body: { ...pod, metadata: { name: 'other' } } })).status,
  ).toBe(201);
  const review = (verb: string): object => ({ spec: { resourceAttributes: { verb, resource: 'pods' } } });
  const access = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  expect((await server.request('POST', access, { body: review('delete') })).json).toMatchObject({
    status: { allowed: false },
  });
  expect((await server.request('POST', access, { body: review('list') })).json).toMatchObject({
    status: { allowed: true },
  });
});
