import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeOS } from './node-os.ts';
import { nodeHttpProber } from './probers/http-prober.ts';
import { nodeTcpProber } from './probers/tcp-prober.ts';

const decoder = new TextDecoder();

const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('NodeOS', () => {
  const os = new NodeOS({ mounts: true });
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'podscope-os-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('removes a tree of directories, but neither a file in it nor the directory that a link names', async () => {
    const tree = join(directory, 'tree');
    const elsewhere = join(directory, 'elsewhere', 'kept');
    await os.mkdirAll(join(tree, 'a', 'b'), 0o755);
    await os.mkdirAll(elsewhere, 0o755);
    await os.symlink(join(directory, 'elsewhere'), join(tree, 'a', 'link'));
    await expect(os.removeDirectories(tree)).rejects.toThrow('ENOTEMPTY');
    expect(await os.exists(elsewhere)).toBe(true);
    await os.remove(join(tree, 'a', 'link'));
    await os.removeDirectories(tree);
    expect(await os.exists(tree)).toBe(false);
    await os.removeDirectories(tree);
  });

  it('compresses a file into one with the same mode, and returns sizes', async () => {
    const file = join(directory, '0.log.1');
    await os.writeFile(file, 'line\n'.repeat(100), 0o640);
    expect(await os.fileSize(file)).toBe(500);
    await os.compress(file);
    expect(await os.readDir(directory)).toEqual(['0.log.1.gz']);
    expect(await mode(`${file}.gz`)).toBe(0o640);
    expect(gunzipSync((await os.readFile(`${file}.gz`)) ?? '').toString()).toBe('line\n'.repeat(100));
    expect(await os.fileSize(file)).toBeUndefined();
  });

  it('removes an empty directory, and rejects a file', async () => {
    const file = join(directory, 'file');
    await os.writeFile(file, '', 0o644);
    await expect(os.removeDirectory(file)).rejects.toThrow('ENOTDIR');
    await os.mkdirAll(join(directory, 'empty'), 0o755);
    await os.removeDirectory(join(directory, 'empty'));
    expect(await os.readDir(directory)).toEqual(['file']);
  });

  it('creates directories with the requested mode in spite of the umask', async () => {
    const path = join(directory, 'a', 'b');
    await os.mkdirAll(path, 0o777);
    await os.mkdirAll(path, 0o700);
    expect(await mode(path)).toBe(0o777);
    expect(await mode(join(directory, 'a'))).toBe(0o777);
  });

  it('writes files with a mode, and reads them or their ends', async () => {
    const path = join(directory, 'file');
    expect(await os.readFile(path)).toBeUndefined();
    expect(await os.readTail(path, 3)).toBeUndefined();
    await os.writeFile(path, 'hello', 0o644);
    await os.writeFile(path, 'hello world', 0o600);
    expect(await mode(path)).toBe(0o600);
    expect(decoder.decode(await os.readFile(path))).toBe('hello world');
    expect(decoder.decode(await os.readTail(path, 5))).toBe('world');
    expect(decoder.decode(await os.readTail(path, 500))).toBe('hello world');
  });

  it('lists, links, renames and removes paths, with the system’s errors', async () => {
    expect(await os.readDir(join(directory, 'none'))).toEqual([]);
    await os.writeFile(join(directory, 'b'), '', 0o600);
    await os.symlink('b', join(directory, 'a'));
    await expect(os.symlink('b', join(directory, 'a'))).rejects.toThrow('EEXIST');
    expect(await os.readDir(directory)).toEqual(['a', 'b']);
    await os.rename(join(directory, 'b'), join(directory, 'c'));
    // This link has no target: `exists` follows the link and returns false, but the link itself can be removed.
    expect(await os.exists(join(directory, 'a'))).toBe(false);
    await os.remove(join(directory, 'a'));
    await os.remove(join(directory, 'a'));
    await os.mkdirAll(join(directory, 'd', 'e'), 0o700);
    await expect(os.remove(join(directory, 'd'))).rejects.toThrow('ENOTEMPTY');
    await os.removeAll(join(directory, 'd'));
    await os.removeAll(join(directory, 'd'));
    expect(await os.readDir(directory)).toEqual(['c']);
  });
});

describe('the probers', () => {
  const server = createServer((request, response) => {
    if (request.url === '/hang') return;
    if (request.url === '/hang-up') return void request.socket.destroy();
    const location = { '/redirect': '/elsewhere', '/away': 'http://elsewhere.invalid/', '/loop': '/loop' }[
      request.url ?? ''
    ];
    response.statusCode = location === undefined ? 503 : 302;
    if (location !== undefined) response.setHeader('Location', location);
    response.end(`${request.headers['user-agent']} ${String(request.headers['x-test'])} ${'x'.repeat(100_000)}`);
  });
  let port = 0;
  beforeEach(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('return any HTTP status, and at most 10 KiB of the body', async () => {
    const { status, body } = await nodeHttpProber.get({
      url: `http://127.0.0.1:${port}/`,
      headers: { 'X-Test': 'yes' },
    });
    expect(status).toBe(503);
    expect(body).toMatch(/^kube-probe\/1.36 yes x+$/);
    expect(body).toHaveLength(10 * 1024);
  });

  it('follow redirects on the same host, at most ten', async () => {
    const get = (path: string) => nodeHttpProber.get({ url: `http://127.0.0.1:${port}${path}`, headers: {} });
    expect((await get('/redirect')).status).toBe(503);
    expect((await get('/away')).status).toBe(302);
    await expect(get('/loop')).rejects.toThrow(`Get "http://127.0.0.1:${port}/loop": stopped after 10 redirects`);
  });

  it('report connection errors with Go’s texts', async () => {
    const reason = (url: string): Promise<string> =>
      nodeHttpProber.get({ url, headers: {} }).then(
        () => 'nothing',
        (error: unknown) => (error as Error).message,
      );
    const plain = `http://127.0.0.1:${port}`;
    expect(await reason(`${plain}/hang-up`)).toBe(`Get "${plain}/hang-up": EOF`);
    const secure = plain.replace('http:', 'https:');
    expect(await reason(secure)).toBe(`Get "${secure}": http: server gave HTTP response to HTTPS client`);
    const talker = createTcpServer((socket) => socket.resume().end('SSH-2.0-x\r\n')).listen(0, '127.0.0.1');
    await once(talker, 'listening');
    const ssh = `http://127.0.0.1:${(talker.address() as AddressInfo).port}/`;
    expect(await reason(ssh)).toBe(
      `Get "${ssh}": net/http: HTTP/1.x transport connection broken: malformed HTTP response "SSH-2.0-x"`,
    );
    talker.close();
    await once(talker, 'close');
    const closed = 'http://127.0.0.1:1/';
    expect(await reason(closed)).toBe(`Get "${closed}": dial tcp 127.0.0.1:1: connect: connection refused`);
  });

  it('fail at the timeout or when aborted', async () => {
    await expect(
      nodeHttpProber.get({ url: `http://127.0.0.1:${port}/hang`, headers: {}, timeoutMs: 50 }),
    ).rejects.toThrow('context deadline exceeded');
    const controller = new AbortController();
    const pending = nodeHttpProber.get({
      url: `http://127.0.0.1:${port}/hang`,
      headers: {},
      signal: controller.signal,
    });
    controller.abort();
    await expect(pending).rejects.toThrow('aborted');
  });

  it('connect to an open TCP port, and fail for a closed one', async () => {
    await nodeTcpProber.connect({ host: '127.0.0.1', port, timeoutMs: 60_000 });
    await expect(nodeTcpProber.connect({ host: '127.0.0.1', port: 1, timeoutMs: 60_000 })).rejects.toThrow(
      'dial tcp 127.0.0.1:1: connect: connection refused',
    );
  });
});
