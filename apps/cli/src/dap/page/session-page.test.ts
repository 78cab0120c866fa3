/** Tests the requests of the VS Code extension: page, scenarios, pods of a manifest, and sources. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { protocolVersion, serverMessageSchema } from '@podscope/protocol';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer } from '../../../../server/src/testing/test-server.ts';
import { DapClient } from '../testing/dap-client.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-session-page-'));
  await writeFile(join(directory, 'index.html'), '<!doctype html><title>the page</title>');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const container = { name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'] };
const pod = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [container] } });

async function manifestOf(...names: readonly string[]): Promise<string> {
  const program = join(directory, `${names.join('-')}.yaml`);
  await writeFile(program, names.map(pod).join('\n---\n'));
  return program;
}

interface PageAnswer extends DebugProtocol.Response {
  readonly body: { readonly url: string; readonly version: string };
}

/** Connects to the stream behind a page and returns the names of the pods in the welcome message. */
async function podsBehind(url: string): Promise<readonly string[]> {
  const { port, searchParams } = new URL(url);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/stream`, {
    headers: { Authorization: `Bearer ${searchParams.get('token')}` },
  });
  try {
    const welcome = new Promise<readonly string[]>((found, fail) => {
      socket.once('error', fail);
      socket.once('close', (_code, reason) => fail(new Error(String(reason))));
      socket.on('message', (data) => {
        const message = serverMessageSchema.parse(JSON.parse((data as Buffer).toString('utf8')));
        if (message.type === 'welcome') found(message.debug?.stopped.flatMap((stop) => stop.pod?.name ?? []) ?? []);
      });
    });
    await new Promise((opened, fail) => socket.once('open', opened).once('error', fail));
    socket.send(JSON.stringify({ type: 'hello', protocol: protocolVersion }));
    return await welcome;
  } finally {
    socket.removeAllListeners('close');
    socket.terminate();
  }
}

const breakpoints = (client: DapClient): Promise<unknown> =>
  client.request('setFunctionBreakpoints', { breakpoints: [{ name: 'cri.CreateContainer' }] });

describe('podscopePage', () => {
  it('serves the page of a launched node, also after a restart, until the session ends', async () => {
    const client = new DapClient({ pageDirectory: directory });
    await expect(client.request('podscopePage')).rejects.toThrow('launch or attach first');
    const program = await manifestOf('web');
    await client.begin('launch', { program, runtime: 'sim', seed: 1, speed: 1_000 }, () => breakpoints(client));
    await client.event('stopped');
    await expect(client.request('podscopePage', { frameAncestors: ['*'] })).rejects.toThrow('is not an origin');
    const { url, version } = await client.request<PageAnswer>('podscopePage', {
      frameAncestors: ['https://code.example'],
    });
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect((await client.request<PageAnswer>('podscopePage')).url).toBe(url);
    const opened = await fetch(url, { redirect: 'manual' });
    expect(opened.headers.get('content-security-policy')).toMatch(
      /; frame-ancestors vscode-webview: vscode-file: https:\/\/code\.example$/,
    );
    expect(await podsBehind(url)).toEqual(['web']);
    const seen = client.events.length;
    await client.request('restart');
    await client.event('stopped', undefined, seen);
    expect(await podsBehind(url)).toEqual(['web']);
    await client.leave();
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  it('relays to the server that the session is attached to', async () => {
    const server = await startTestServer();
    const client = new DapClient({ pageDirectory: directory });
    try {
      const address = { url: `http://127.0.0.1:${server.port}`, token: server.token };
      await client.begin('attach', address, () => breakpoints(client));
      await server.request('POST', '/debug/v1/commands', { body: { command: 'apply', manifest: pod('far') } });
      await client.event('stopped');
      const { url } = await client.request<PageAnswer>('podscopePage');
      expect(new URL(url).port).not.toBe(String(server.port));
      expect(await podsBehind(url)).toEqual(['far']);
    } finally {
      await client.leave();
      await server.dispose();
    }
  });
});

describe('launch', () => {
  it('runs only the named pod of a manifest', async () => {
    const client = new DapClient();
    const program = await manifestOf('left', 'right');
    await client.begin('launch', { program, pods: ['right'], runtime: 'sim', seed: 1, speed: 1_000 }, () =>
      breakpoints(client),
    );
    await client.event('stopped');
    const { threads } = await client.request<DebugProtocol.ThreadsResponse>('threads');
    expect(threads.map(({ name }) => name).filter((name) => /left|right/.test(name))).toEqual([
      expect.stringContaining('right'),
    ]);
    await client.leave();
  });

  it('plays a scenario after the breakpoints are set, and ends when its act has deleted the pod', async () => {
    const client = new DapClient();
    await client.begin('launch', { scenario: 'delete-while-running', seed: 1, speed: 1_000 }, () =>
      client.request('setFunctionBreakpoints', { breakpoints: [{ name: 'cri.RunPodSandbox' }] }),
    );
    const { threadId } = await client.event('stopped');
    // The request may fail, because an action of the scenario may already have ended the stop.
    await Promise.allSettled([client.request('continue', { threadId })]);
    await client.event('terminated');
    expect(client.console).toContain('pod default/delete-while-running appears');
    expect(client.console).toContain('stopped before cri.RunPodSandbox');
    await client.leave();
  });

  it.each([
    [{}, 'launch takes a program'],
    [{ scenario: 'crash-loop', program: 'pod.yaml' }, 'launch takes a program'],
    [{ scenario: 'no-such-scenario' }, 'there is no scenario'],
    [{ scenario: 'crash-loop', runtime: 'docker' }, 'in the simulator only'],
  ])('rejects %j', async (args, message) => {
    const client = new DapClient();
    await expect(client.request('launch', args)).rejects.toThrow(message);
    await client.leave();
  });
});

it('sends the text of the sources of stack frames, and of no other file', async () => {
  const root = resolve(import.meta.dirname, '../../../../..');
  const client = new DapClient({ root, servesSources: true });
  const program = await manifestOf('web');
  await client.begin('launch', { program, runtime: 'sim', seed: 1, speed: 1_000 }, () => breakpoints(client));
  const { threadId } = await client.event('stopped');
  const { stackFrames } = await client.request<DebugProtocol.StackTraceResponse>('stackTrace', { threadId });
  const source = stackFrames[0]?.source;
  expect(source?.sourceReference).toBeGreaterThan(0);
  const { content } = await client.request<DebugProtocol.SourceResponse>('source', { source });
  expect(content).toBe(await readFile(source?.path ?? '', 'utf8'));
  await expect(client.request('source', { source: { sourceReference: 10_000 } })).rejects.toThrow('no source');
  await client.leave();
});
