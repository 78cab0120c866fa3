import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { protocolVersion, runPageSchema, runSummarySchema, serverMessageSchema } from '@podscope/protocol';
import { writeTraceFile } from '@podscope/trace/file';
import { crashLoop } from '@podscope/trace/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { z } from 'zod';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let stateDir: string;
let server: TestServer;

beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'podscope-runs-'));
  server = await startTestServer(['--state-dir', stateDir]);
});
afterAll(async () => {
  await server.dispose();
  await rm(stateDir, { recursive: true, force: true });
});

const runsOf = async (): Promise<readonly z.infer<typeof runSummarySchema>[]> => {
  const { json } = await server.request('GET', '/runs');
  return runSummarySchema.array().parse((json as { runs: unknown }).runs);
};

type Message = z.infer<typeof serverMessageSchema>;

/** Connects a client of the stream. */
async function connect(hello: object = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/stream`, {
    headers: { Authorization: `Bearer ${server.token}` },
  });
  const messages: Message[] = [];
  const wakers = new Set<() => void>();
  socket.on('message', (data: Buffer) => {
    messages.push(serverMessageSchema.parse(JSON.parse(data.toString('utf8'))));
    for (const wake of wakers) wake();
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  socket.send(JSON.stringify({ type: 'hello', protocol: protocolVersion, ...hello }));
  const until = <T>(pick: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = pick();
        if (found === undefined) return;
        wakers.delete(look);
        resolve(found);
      };
      wakers.add(look);
      look();
    });
  let lastId = 0;
  const command = async (body: object): Promise<Extract<Message, { type: 'response' | 'failure' }>> => {
    const id = ++lastId;
    socket.send(JSON.stringify({ type: 'command', id, body }));
    return until(
      () =>
        messages.find((message) => (message.type === 'response' || message.type === 'failure') && message.id === id) as
          | Extract<Message, { type: 'response' | 'failure' }>
          | undefined,
    );
  };
  return { messages, until, command, close: () => socket.close() };
}

const pod = (name: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec:\n  containers: [{name: app, image: ` +
  `'busybox:1.36', command: [sleep, '3600']}]\n`;

describe('the current run', () => {
  it('is listed, and the store contains every event that a client has received', async () => {
    const client = await connect();
    await client.command({ command: 'apply', manifest: pod('web') });
    const seen = await client.until(
      () =>
        client.messages
          .flatMap((message) => (message.type === 'events' ? message.events : []))
          .find(({ seq }) => seq >= 50)?.seq,
    );
    client.close();
    const [run] = await runsOf();
    expect(run).toMatchObject({ state: 'current', firstSeq: 1, runtime: { kind: 'sim' }, profile: 'v1.36' });
    expect(run?.lastSeq).toBeGreaterThanOrEqual(seen);
    expect(run?.steps.length).toBeGreaterThan(5);
  });

  it('is read by page over HTTP and over the stream', async () => {
    const http = runPageSchema.parse((await server.request('GET', '/runs/current/events?after=2&limit=5')).json);
    expect(http.events.map(({ seq }) => seq)).toEqual([3, 4, 5, 6, 7]);
    expect(http.next).toBe(7);
    const client = await connect();
    const answer = await client.command({ command: 'openRun', run: 'current', after: 2, limit: 5 });
    expect(answer).toMatchObject({ type: 'response' });
    expect(runPageSchema.parse(answer.type === 'response' ? answer.result : undefined).events).toEqual(http.events);
    client.close();
  });

  it('is renamed, tagged, annotated and exported by commands', async () => {
    const client = await connect();
    expect(await client.command({ command: 'renameRun', run: 'current', title: ' My run ' })).toMatchObject({
      result: { run: { title: 'My run' } },
    });
    expect(await client.command({ command: 'tagRun', run: 'current', tags: ['demo'] })).toMatchObject({
      result: { run: { tags: ['demo'] } },
    });
    expect(await client.command({ command: 'annotateRun', run: 'current', seq: 3, text: 'look' })).toMatchObject({
      result: { note: { seq: 3, text: 'look' } },
    });
    expect(await client.command({ command: 'exportRun', run: 'current', format: 'perfetto' })).toMatchObject({
      result: {
        path: expect.stringMatching(/^\/runs\/[\w-]+\/export\?format=perfetto$/),
        fileName: 'My-run.perfetto.json',
        mediaType: 'application/json',
      },
    });
    expect(await client.command({ command: 'deleteRun', run: 'current' })).toMatchObject({
      type: 'failure',
      reason: 'Conflict',
    });
    expect(await client.command({ command: 'openRun', run: 'nothing' })).toMatchObject({
      type: 'failure',
      reason: 'NotFound',
    });
    client.close();
  });
});

describe('over HTTP', () => {
  it('imports, exports, edits and deletes runs', async () => {
    const { events } = crashLoop(1);
    const header = {
      format: 'podscope-trace' as const,
      version: 2 as const,
      createdBy: 'test',
      createdAt: 1,
      run: {
        id: 'from-elsewhere',
        tags: [],
        notes: [],
        startedAt: events[0]?.time ?? 0,
        nodeName: 'far',
        runtime: { name: 'docker', version: '29', kind: 'docker' as const },
        profile: 'v1.36',
        engine: 'v1.36.2',
        steps: [],
      },
    };
    const chunks: Uint8Array[] = [];
    for await (const chunk of writeTraceFile(header, events)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const post = (body: Uint8Array, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`http://127.0.0.1:${server.port}/runs`, {
        method: 'POST',
        body: new Uint8Array(body),
        headers: { Authorization: `Bearer ${server.token}`, ...headers },
      });
    const created = await post(bytes);
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe('/runs/from-elsewhere');
    expect(await created.json()).toMatchObject({
      run: { state: 'ended', imported: true, lastSeq: events.length },
      report: { complete: true },
    });

    const patched = await server.request('PATCH', '/runs/from-elsewhere', {
      body: { title: 'Far away', tags: ['x'], note: { text: 'hm' } },
    });
    expect(patched).toMatchObject({
      status: 200,
      json: { run: { title: 'Far away', tags: ['x'], notes: [{ text: 'hm' }] } },
    });
    expect(await server.request('PATCH', '/runs/from-elsewhere', { body: { titel: 'x' } })).toMatchObject({
      status: 400,
      json: { reason: 'BadRequest' },
    });

    const file = await fetch(`http://127.0.0.1:${server.port}/runs/from-elsewhere/file`, {
      headers: { Authorization: `Bearer ${server.token}` },
    });
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="Far-away.podscope"');
    const again = await post(new Uint8Array(await file.arrayBuffer()));
    expect(await again.json()).toMatchObject({
      run: { id: 'from-elsewhere-2', title: 'Far away', notes: [{ text: 'hm' }] },
    });

    for (const format of ['perfetto', 'otlp']) {
      const exported = await server.request('GET', `/runs/from-elsewhere/export?format=${format}`);
      expect(exported.status).toBe(200);
      expect(exported.json).toBeTypeOf('object');
    }
    expect((await server.request('GET', '/runs/from-elsewhere/export?format=zip')).status).toBe(400);
    expect(await post(Buffer.from('nonsense')).then(async (answer) => [answer.status, await answer.json()])).toEqual([
      422,
      { reason: 'notATrace', message: expect.stringContaining('This is not a Podscope trace file') },
    ]);
    expect((await server.request('DELETE', '/runs/from-elsewhere')).status).toBe(204);
    expect((await server.request('GET', '/runs/from-elsewhere')).status).toBe(404);
  });

  it('rejects requests without the token or from other sites', async () => {
    for (const path of ['/runs', '/runs/current', '/runs/current/events', '/runs/current/file']) {
      expect((await server.request('GET', path, { headers: { Authorization: '' } })).status).toBe(401);
      expect((await server.request('GET', path, { headers: { Origin: 'http://evil.example' } })).status).toBe(403);
    }
    expect((await server.request('POST', '/runs', { headers: { Authorization: '' }, body: 'x' })).status).toBe(401);
  });

  it('rejects invalid pages', async () => {
    for (const query of ['after=-1', 'limit=0', 'limit=100000', 'after=x'])
      expect((await server.request('GET', `/runs/current/events?${query}`)).status).toBe(400);
  });

  it('serves the page to a browser', async () => {
    const answer = await server.request('GET', '/runs', {
      headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    expect(answer.headers['content-type']).not.toContain('json');
  });
});

describe('a restarted server', () => {
  it('lists the previous runs and starts a new one', async () => {
    const before = await runsOf();
    await server.stop();
    server = await startTestServer(['--state-dir', stateDir]);
    const after = await runsOf();
    expect(after).toHaveLength(before.length + 1);
    expect(after[0]?.state).toBe('current');
    const previous = after.find(({ title }) => title === 'My run');
    expect(previous).toMatchObject({
      state: 'ended',
      tags: ['demo'],
      notes: [{ seq: 3, text: 'look' }],
      endedAt: expect.any(Number),
    });
    const page = runPageSchema.parse((await server.request('GET', `/runs/${previous?.id}/events?limit=2000`)).json);
    expect(page.events.map(({ seq }) => seq)).toEqual(page.events.map((_, at) => at + 1));
  });
});
