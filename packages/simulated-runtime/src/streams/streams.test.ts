import { describe, expect, it } from 'vitest';
import { simulatorEnvironment } from '../testing/contract-environment.ts';
import { TestRuntime } from '../testing/test-runtime.ts';
import { Terminal } from './terminal.ts';

const encoder = new TextEncoder();

async function* typed(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield encoder.encode(text);
  await Promise.resolve();
}

describe('a terminal', () => {
  it('echoes input, returns it line by line and applies backspaces', async () => {
    let screen = '';
    const terminal = new Terminal(
      (text) => (screen += text),
      () => undefined,
    );
    terminal.type('ls x\x7f-l\r');
    expect(await terminal.read()).toBe('ls -l\n');
    expect(screen).toBe('ls x\b \b-l\r\n');
    terminal.type('\x04');
    expect(await terminal.read()).toBeUndefined();
  });

  it('interrupts on Ctrl+C', () => {
    let interrupts = 0;
    const terminal = new Terminal(
      () => undefined,
      () => (interrupts += 1),
    );
    terminal.type('half a line\x03');
    expect(interrupts).toBe(1);
  });
});

describe('a shell at a terminal', () => {
  it('shows a prompt, runs each line, continues after syntax errors and ends with `exit`', async () => {
    const environment = simulatorEnvironment();
    const { runtime, image } = environment;
    const ctx = () => environment.ctx();
    const config = { metadata: { name: 'web', namespace: 'default', uid: 'u', attempt: 0 }, linux: {} };
    const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx(), { config });
    const container = {
      metadata: { name: 'app', attempt: 0 },
      image: { image },
      command: ['sleep', '3600'],
      labels: {},
      annotations: {},
      logPath: '',
    };
    const { containerId } = await runtime.runtime.createContainer(ctx(), {
      podSandboxId,
      config: container,
      sandboxConfig: config,
    });
    await runtime.runtime.startContainer(ctx(), { containerId });
    let screen = '';
    const write = (data: Uint8Array): Promise<void> => Promise.resolve(void (screen += new TextDecoder().decode(data)));
    const stdin = typed('X=1\r', 'if fi\r', 'cd /tmp; echo $((X + 1))\r', 'exit 7\r');
    expect(
      await runtime.streams?.exec(ctx(), { containerId, cmd: ['sh'] }, { tty: true, stdin, stdout: { write } }),
    ).toBe(7);
    expect(screen).toContain('2\r\n/tmp # ');
    expect(screen).toMatch(/syntax error/);
  });
});

describe('a container with a terminal', () => {
  it('shows a prompt to an attached client, gets the size of its terminal and logs its screen', async () => {
    const environment = simulatorEnvironment();
    const { runtime, image } = environment;
    const ctx = () => environment.ctx();
    const config = { metadata: { name: 'shell', namespace: 'default', uid: 'u', attempt: 0 }, linux: {} };
    const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx(), { config });
    const container = {
      metadata: { name: 'app', attempt: 0 },
      image: { image },
      command: ['sh'],
      tty: true,
      stdin: true,
      labels: {},
      annotations: {},
      logPath: '',
    };
    const { containerId } = await runtime.runtime.createContainer(ctx(), {
      podSandboxId,
      config: container,
      sandboxConfig: config,
    });
    await runtime.runtime.startContainer(ctx(), { containerId });
    let screen = '';
    const write = (data: Uint8Array): Promise<void> => Promise.resolve(void (screen += new TextDecoder().decode(data)));
    async function* sizes(): AsyncGenerator<{ width: number; height: number }> {
      yield await Promise.resolve({ width: 80, height: 24 });
    }
    await runtime.streams?.attach(ctx(), containerId, {
      tty: true,
      stdin: typed('stty size; tty\r', 'exit 3\r'),
      stdout: { write },
      resize: sizes(),
    });
    expect(screen).toContain('24 80\r\n/dev/pts/0\r\n');
    const { status } = await runtime.runtime.containerStatus(ctx(), { containerId });
    expect(status).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 3 });
    const lines: string[] = [];
    for await (const line of runtime.logs.containerLogs(ctx(), containerId, {}))
      lines.push(`${line.stream} ${line.text}`);
    expect(lines).toContainEqual(expect.stringMatching(/^stdout .*24 80\r$/));
  });
});

describe('exec with an `exec` clause in the script', () => {
  it('answers a streamed command only if a clause names it, and runs any other command', async () => {
    const test = new TestRuntime();
    const id = await test.startScript('run; exec="/bin/ready" exit=3 stdout="not yet"; exec="*" exit=9', {
      command: ['sleep', '3600'],
    });
    const ask = async (...cmd: string[]): Promise<string> => {
      let output = '';
      const stdout = { write: (data: Uint8Array) => Promise.resolve(void (output += new TextDecoder().decode(data))) };
      const code = await test.drive(
        test.simulator.streams.exec(test.ctx, { containerId: id, cmd }, { tty: false, stdout }),
      );
      return `${code} ${output}`;
    };
    expect(await ask('/bin/ready')).toBe('3 not yet');
    expect(await ask('echo', 'there')).toBe('0 there\n');
    expect((await test.exec(id, ['echo', 'there'])).code).toBe(9);
  });
});
