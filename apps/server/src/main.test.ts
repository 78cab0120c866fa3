import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const main = join(import.meta.dirname, 'main.ts');

let stateDir: string;
let stops: (() => void)[];

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'podscope-main-'));
  stops = [];
});
afterEach(async () => {
  for (const stop of stops) stop();
  await rm(stateDir, { recursive: true, force: true });
});

interface Run {
  readonly exited: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** Waits until stdout contains the text. Resolves with everything that was printed so far. */
  readonly printed: (text: string) => Promise<string>;
  readonly signal: (name: NodeJS.Signals) => void;
}

function run(args: readonly string[], environment: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stops.push(() => child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  const exited = new Promise<Awaited<Run['exited']>>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  const printed = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (stdout.includes(text)) resolve(stdout);
      };
      child.stdout.on('data', look);
      child.on('close', () => reject(new Error(`ended without printing ${text}: ${stdout}${stderr}`)));
      look();
    });
  return { exited, printed, signal: (name) => void child.kill(name) };
}

const serve = (...args: string[]): Run =>
  run(['--runtime', 'sim', '--port', '0', '--no-build', '--state-dir', stateDir, ...args]);
const greeting = 'Ctrl+C stops the server';

describe('the command line', () => {
  it('prints help and version', async () => {
    const { code, stdout } = await run(['--help']).exited;
    expect(code).toBe(0);
    expect(stdout).toContain('--manifest-dir DIR');
    expect(await run(['--version']).exited).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  it.each([
    [['--wat'], 2, 'podscope: unknown option --wat (--help lists all)\n'],
    [['--port', 'x'], 2, 'podscope: --port "x" is not a port number from 0 to 65535\n'],
  ])('rejects %j in one line', async (args, code, stderr) => {
    expect(await run(args).exited).toEqual({ code, stdout: '', stderr });
  });

  it('reports that the port is in use', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    const result = await serve('--port', String(port)).exited;
    holder.close();
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `podscope: port ${port} on 127.0.0.1 is in use: stop the program that listens there, or choose another ` +
        'port with --port\n',
    });
  });

  it('reports that Docker does not respond, or continues with the simulator', async () => {
    const environment = { DOCKER_HOST: `unix://${stateDir}/no.sock` };
    const wanted = await run(['--runtime', 'docker', '--port', '0', '--no-build', '--state-dir', stateDir], environment)
      .exited;
    expect(wanted).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^podscope: Docker does not answer: .*no\.sock.*\n$/),
    });
    const auto = run(['--port', '0', '--no-build', '--state-dir', stateDir], environment);
    expect(await auto.printed(greeting)).toMatch(
      /note +Docker does not answer \(.*no\.sock.*\): pods run in the simulator/,
    );
  });
});

describe('a run', () => {
  it('prints the addresses of page and kubeconfig, locks its state directory, and stops cleanly', async () => {
    const first = serve();
    const text = await first.printed(greeting);
    expect(text).toMatch(/http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}\n/);
    expect(text).toContain(`kubectl --kubeconfig ${join(stateDir, 'kubeconfig')} get pods`);
    const second = await serve().exited;
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^podscope: another server \(process \d+\) uses .*: stop it, or choose another --state-dir\n$/,
      ),
    });
    first.signal('SIGINT');
    expect(await first.exited).toMatchObject({ code: 0, stderr: '' });
    const third = serve();
    await third.printed(greeting);
    third.signal('SIGTERM');
    expect((await third.exited).code).toBe(0);
  });

  it('stops cleanly when its terminal is closed and signals repeat', async () => {
    const server = serve();
    await server.printed(greeting);
    server.signal('SIGHUP');
    await server.printed('Stopping');
    server.signal('SIGHUP');
    server.signal('SIGTERM');
    expect(await server.exited).toMatchObject({ code: 0, stderr: '' });
  });
});
