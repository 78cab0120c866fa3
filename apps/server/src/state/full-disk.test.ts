/**
 * Tests a state directory without free space. The directory is on a file system of 1 MiB that is filled to its last
 * byte.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCommandLine } from '../cli/options.ts';
import { createLogger } from '../log.ts';
import { type RunningServer, startServer } from '../server.ts';
import { StartError } from '../start-error.ts';
import { EventStore } from '../store/event-store.ts';

const run = promisify(execFile);
let directory: string;
let stateDir: string;
let server: RunningServer | undefined;
let reported: string[];

async function start(): Promise<RunningServer> {
  const line = parseCommandLine(['--runtime', 'sim', '--port', '0', '--keep-pods', '--state-dir', stateDir]);
  if (line.action !== 'serve') throw new Error('the arguments do not start a server');
  server = await startServer(line.options, {
    logger: createLogger('silent'),
    notify: (message) => reported.push(message),
    preparePage: () => Promise.resolve(undefined),
  });
  return server;
}

async function stop(): Promise<void> {
  const running = server;
  server = undefined;
  await running?.stop();
}

/** Fills the file system. */
async function fill(): Promise<void> {
  const file = await open(join(stateDir, 'ballast'), 'w');
  try {
    for (const size of [65_536, 4_096, 1])
      for (const chunk = Buffer.alloc(size); ; ) {
        const written = await file.write(chunk).catch((error: NodeJS.ErrnoException) => error.code);
        if (written === 'ENOSPC') break;
      }
  } finally {
    await file.close();
  }
}

const free = (): Promise<void> => rm(join(stateDir, 'ballast'), { force: true });

const pod = (name: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: app, image: ` +
  `'busybox:1.36', command: [sleep, '1000']}]}\n`;

const outputs = (): string[] =>
  (server?.nodeHost.log.after(0, Number.MAX_SAFE_INTEGER) ?? []).flatMap((event) =>
    event.type === 'output' ? [event.message] : [],
  );

describe('a full disk', { meta: { needs: ['namespaces'] } }, () => {
  beforeEach(async () => {
    reported = [];
    directory = await mkdtemp(join(tmpdir(), 'podscope-full-'));
    stateDir = join(directory, 'state');
    await mkdir(stateDir);
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', stateDir]);
  });
  afterEach(async () => {
    await stop().catch(() => undefined);
    await run('umount', ['--lazy', stateDir]);
    await rm(directory, { recursive: true, force: true });
  });

  it('is reported, stops no pod, and loses no change once there is space again', async () => {
    const { nodeHost } = await start();
    await fill();
    // The client gets no confirmation for a change that can't be saved, but the kubelet still acts on the change.
    await expect(nodeHost.commands.apply(pod('late'))).rejects.toThrow('ENOSPC');
    await expect.poll(() => nodeHost.api.storage.get('Pod', 'default', 'late')?.status?.phase).toBe('Running');
    await expect.poll(() => reported.join('\n')).toContain('The event store cannot be written');
    expect(outputs()).toContainEqual(expect.stringMatching(/^Objects cannot be kept on disk \(ENOSPC/));
    const before = nodeHost.log.lastSeq;

    await free();
    await expect.poll(() => reported.join('\n')).toContain('The event store can be written again');
    await expect.poll(outputs).toContain('Objects are kept on disk again.');
    await stop();
    const { nodeHost: next } = await start();
    expect(next.api.storage.get('Pod', 'default', 'late')).toBeDefined();
    await stop();
    const store = EventStore.open({
      file: join(stateDir, 'runs.db'),
      limits: { maxBytes: 1e12, maxAge: 1e15 },
      notify: (message) => reported.push(message),
    });
    const runs = store.list();
    store.close();
    expect(runs.map(({ state }) => state)).toEqual(['ended', 'ended']);
    expect(Math.max(...runs.map(({ lastSeq }) => lastSeq))).toBeGreaterThan(before);
  });

  it('fails a start or stop with a one-line message, and damages nothing', async () => {
    const { nodeHost } = await start();
    await nodeHost.commands.apply(pod('early'));
    await fill();
    await nodeHost.commands.apply(pod('late')).catch(() => undefined);
    await expect(stop()).rejects.toThrow('ENOSPC');
    await fill();
    const failure = await start().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(StartError);
    expect(String(failure)).toMatch(/the state directory .* (cannot be|is)/);

    await free();
    const { nodeHost: next } = await start();
    expect(next.api.storage.get('Pod', 'default', 'early')).toBeDefined();
  });
});
