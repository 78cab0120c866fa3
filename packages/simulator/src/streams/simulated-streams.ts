/** Exec, attach and port-forward into simulated containers. */
import { type ContainerStreams, CriError, type ExecCommand, type ForwardedConnection, type ProcessStreams, type TerminalSize } from '@podscope/cri';
import { type Context, sleep } from '@podscope/trace';
import type { ContainerRecord } from '../container-record.ts';
import { scripted, spawn } from '../execution.ts';
import { lengthOf } from '../life/scripted-program.ts';
import type { Process } from '../machine/process.ts';
import { emptyInput, type Input, Pipe } from '../machine/streams.ts';
import { until } from '../node.ts';
import type { SandboxRecord } from '../sandbox-record.ts';
import { ByteOutput } from './byte-output.ts';
import { serveConnection } from './http-connection.ts';
import { Terminal } from './terminal.ts';

/** Finds what a call names. @throws CriError NotFound */
interface Records {
  container(id: string): ContainerRecord;
  sandbox(id: string): SandboxRecord;
}

function running(container: ContainerRecord): ContainerRecord {
  if (!container.running) throw new CriError('FailedPrecondition', `container not running (${container.id})`);
  return container;
}

/** Streams of the simulated node. */
export const simulatedStreams = (records: Records): ContainerStreams => ({
  async exec(ctx, command, streams) {
    return exec(ctx, running(records.container(command.containerId)), command, streams);
  },
  async attach(ctx, containerId, streams) {
    await attach(ctx, running(records.container(containerId)), streams);
  },
  async portForward(ctx, podSandboxId, port, connection) {
    await portForward(ctx, records.sandbox(podSandboxId), port, connection);
  },
});

async function exec(ctx: Context, container: ContainerRecord, { cmd }: ExecCommand, streams: ProcessStreams): Promise<number> {
  const { machine } = container;
  const init = machine?.init;
  if (!machine || !init) throw new CriError('FailedPrecondition', `container not running (${container.id})`);
  const [stdout, stderr] = [new ByteOutput(streams.stdout), new ByteOutput(streams.stderr)];
  let started: Process | undefined;
  const { stdin, output } = streams.tty
    ? terminalOf(stdout, () => started?.killTree())
    : { stdin: streams.stdin ? new Pipe() : undefined, output: { stdout, stderr } };
  const reply = scripted(machine, container, cmd, 'person');
  if (reply) {
    await sleep(machine.clock, lengthOf(reply.delay, machine.random), ctx.signal);
    output.stdout.write(reply.stdout);
    output.stderr.write(reply.stderr);
    await Promise.all([stdout.flushed(), stderr.flushed()]);
    return reply.code;
  }
  const process = await spawn(machine, init, cmd, output.stdout, output.stderr, stdin ?? emptyInput);
  if (typeof process === 'string') throw new CriError('Unknown', process.trim());
  started = process;
  if (streams.stdin && stdin) void feed(streams.stdin, stdin);
  if (streams.resize && stdin instanceof Terminal) void follow(streams.resize, stdin, process);
  try {
    const code = await until(ctx, process.exited);
    await Promise.all([stdout.flushed(), stderr.flushed()]);
    return code;
  } finally {
    process.killTree();
  }
}

/** With a terminal everything is one screen. */
function terminalOf(screen: ByteOutput, onInterrupt: () => void): { stdin: Terminal; output: { stdout: Terminal; stderr: Terminal } } {
  const terminal = new Terminal((text) => screen.write(text), onInterrupt);
  return { stdin: terminal, output: { stdout: terminal, stderr: terminal } };
}

type Sink = (Input & { write(text: string): void; end(): void }) | Terminal;

/** Hands on what a client sends. @param endsToo its end is the process's end of file */
async function feed(source: AsyncIterable<Uint8Array>, sink: Sink, endsToo = true): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const data of source) {
      const text = decoder.decode(data, { stream: true });
      if (sink instanceof Terminal) sink.type(text);
      else sink.write(text);
    }
  } catch {
    // The process reads no more, or the client is gone: either way this is its end.
  }
  if (endsToo) sink.end();
}

/** Gives the terminal each size that comes, and tells the process. */
async function follow(sizes: AsyncIterable<TerminalSize>, terminal: Terminal, process: Process | undefined): Promise<void> {
  try {
    for await (const size of sizes) {
      terminal.size = size;
      process?.signal('WINCH');
    }
  } catch {
    // The client is gone: the size stays.
  }
}

/** What process 1 writes from now on, until it ends. Its input is the container's, where that was asked for. */
async function attach(ctx: Context, container: ContainerRecord, streams: ProcessStreams): Promise<void> {
  const [stdout, stderr] = [new ByteOutput(streams.stdout), new ByteOutput(streams.stderr)];
  const detach = container.tap((stream, text) => (stream === 'stdout' ? stdout : stderr).write(text));
  const { stdin, terminal, machine, config } = container;
  const input = config.stdin ? (terminal ?? stdin) : undefined;
  if (streams.stdin && input) void feed(streams.stdin, input, config.stdinOnce ?? false);
  if (streams.resize && terminal) void follow(streams.resize, terminal, machine?.init);
  try {
    await until(ctx, machine?.init?.exited ?? Promise.resolve(0));
    await Promise.all([stdout.flushed(), stderr.flushed()]);
  } finally {
    detach();
  }
}

async function portForward(ctx: Context, sandbox: SandboxRecord, port: number, connection: ForwardedConnection): Promise<void> {
  if (!sandbox.ready || !sandbox.network) throw new CriError('FailedPrecondition', `container not running (${sandbox.id})`);
  const server = sandbox.network.serverAt(port);
  if (!server) throw new CriError('Unavailable', `failed to connect to localhost:${port} inside namespace of sandbox ${sandbox.id}: connection refused`);
  await until(ctx, serveConnection(server, connection));
}
