/** Tests DAP over a port, attached to a server that continues to run after the client has disconnected. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DebugState } from '@podscope/protocol';
import { afterEach, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../server/src/testing/test-server.ts';
import { type DapListener, listenForClients } from './listener.ts';
import { DapClient, DapRefusal } from './testing/dap-client.ts';

const open: { readonly server: TestServer; readonly listener: DapListener }[] = [];
afterEach(async () => {
  for (const { server, listener } of open.splice(0)) {
    await listener.close();
    await server.dispose();
  }
});

const adapterToken = 'what-the-adapter-printed';

it('listens on a Unix socket that only its user can open', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'podscope-dap-'));
  const path = join(directory, 'dap.sock');
  const listener = await listenForClients(path, undefined);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await listener.close();
  await rm(directory, { recursive: true });
});

it('attaches to a running server, stops one of its pods, and restores the server on disconnect', {
  timeout: 120_000,
}, async () => {
  const server = await startTestServer();
  const listener = await listenForClients('0', adapterToken);
  open.push({ server, listener });
  const client = (): DapClient => {
    const socket = connect({ host: '127.0.0.1', port: Number(listener.address.split(':')[1]) });
    return new DapClient({ input: socket, output: socket });
  };
  const send = (body: object): ReturnType<TestServer['request']> =>
    server.request('POST', '/debug/v1/commands', { body });
  const state = async (): Promise<DebugState> => (await send({ command: 'debugState' })).json as DebugState;
  await send({ command: 'setBreakpoints', breakpoints: [{ point: 'cri.RemoveContainer' }] });
  await send({ command: 'setExceptionBreakpoints', filters: [{ filter: 'firstBackOff' }] });
  const url = `http://127.0.0.1:${server.port}`;
  const { token } = server;

  const other = client();
  await expect(other.request('attach', { url, token })).rejects.toThrow('adapterToken');
  await expect(other.request('attach', { url, token: 'guessed', adapterToken })).rejects.toThrow(DapRefusal);
  await other.leave();

  const editor = client();
  await editor.begin('attach', { url, token, adapterToken }, async () => {
    await editor.request('setFunctionBreakpoints', { breakpoints: [{ name: 'cri.CreateContainer' }] });
    await editor.request('setExceptionBreakpoints', { filters: ['anyError'] });
  });
  expect((await state()).filters.map(({ filter }) => filter)).toEqual(['firstBackOff', 'anyError']);
  const spec = {
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'] }],
  };
  await send({
    command: 'apply',
    manifest: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec }),
  });
  const { threadId } = await editor.event('stopped');
  expect(await editor.request('stackTrace', { threadId, levels: 1 })).toMatchObject({
    stackFrames: [{ name: 'CreateContainer' }],
  });
  await editor.request('continue', { threadId });
  await editor.event('continued');
  await editor.leave();

  const left = await state();
  expect(left.breakpoints.map(({ spec: { point } }) => point)).toEqual(['cri.RemoveContainer']);
  expect(left.filters.map(({ filter }) => filter)).toEqual(['firstBackOff']);
  expect(server.nodeHost.api.storage.get('Pod', 'default', 'web')).toBeDefined();
});
