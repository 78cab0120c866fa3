/** Implements exec, attach and port-forward on simulated containers. */
import {
  type ContainerStreams,
  CriError,
  type ExecCommand,
  type ForwardedConnection,
  type ProcessStreams,
  type TerminalSize,
} from '@podscope/cri';
import { type Context, sleep } from '@podscope/trace';
import { lengthOf } from '../behavior/scripted-program.ts';
import type { SimulatedContainer } from '../containers/container.ts';
import { scripted, spawn } from '../containers/exec.ts';
import type { Process } from '../machine/process.ts';
import { emptyInput, type Input, Pipe } from '../machine/streams.ts';
import type { SimulatedSandbox } from '../sandboxes/sandbox.ts';
import { untilCancelled } from '../waiting.ts';
import { ByteOutput } from './byte-output.ts';
import { serveConnection } from './http-connection.ts';
import { Terminal } from './terminal.ts';

/**
 * Finds the container or sandbox of a call.
 * @throws CriError NotFound
 */
interface RecordLookup {
  container(id: string): SimulatedContainer;
  sandbox(id: string): SimulatedSandbox;
}

function running(container: SimulatedContainer): SimulatedContainer {
  if (!container.running) throw new CriError('FailedPrecondition', `container not running (${container.id})`);
  return container;
}

/** Returns the stream operations of the simulated runtime. */
export const simulatedStreams = (records: RecordLookup): ContainerStreams => ({
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

async function exec(
  ctx: Context,
  container: SimulatedContainer,
  { cmd }: ExecCommand,
  streams: ProcessStreams,
): Promise<number> {
  const { machine } = container;
  const init = machine?.init;
  if (!machine || !init) throw new CriError('FailedPrecondition', `container not running (${container.id})`);
  const [stdout, stderr] = [new ByteOutput(streams.stdout), new ByteOutput(streams.stderr)];
  let started: Process | undefined;
  const { stdin, output } = streams.tty
    ? terminalOf(stdout, () => started?.killTree())
    : { stdin: streams.stdin ? new Pipe() : undefined, output: { stdout, stderr } };
  const reply = scripted(machine, container, cmd, 'user');
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
    const code = await untilCancelled(ctx, process.exited);
    await Promise.all([stdout.flushed(), stderr.flushed()]);
    return code;
  } finally {
    process.killTree();
  }
}

/** Returns a terminal that serves as stdin, stdout and stderr. */
function terminalOf(
  screen: ByteOutput,
  onInterrupt: () => void,
): { stdin: Terminal; output: { stdout: Terminal; stderr: Terminal } } {
  const terminal = new Terminal((text) => screen.write(text), onInterrupt);
  return { stdin: terminal, output: { stdout: terminal, stderr: terminal } };
}

type Sink = (Input & { write(text: string): void; end(): void }) | Terminal;

/**
 * Copies the input of a client to a process.
 * @param closesInput whether the process's stdin ends when `source` ends
 */
async function feed(source: AsyncIterable<Uint8Array>, sink: Sink, closesInput = true): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const data of source) {
      const text = decoder.decode(data, { stream: true });
      if (sink instanceof Terminal) sink.type(text);
      else sink.write(text);
    }
  } catch {
    // The error means that the process has closed its stdin or that the client has disconnected. Both end the input.
  }
  if (closesInput) sink.end();
}

/** Applies each new size to the terminal and sends SIGWINCH to the process. */
async function follow(
  sizes: AsyncIterable<TerminalSize>,
  terminal: Terminal,
  process: Process | undefined,
): Promise<void> {
  try {
    for await (const size of sizes) {
      terminal.size = size;
      process?.signal('WINCH');
    }
  } catch {
    // The client has disconnected, and the terminal keeps its last size.
  }
}

/** Streams the output of process 1 until it exits. Forwards input if the container was created with stdin. */
async function attach(ctx: Context, container: SimulatedContainer, streams: ProcessStreams): Promise<void> {
  const [stdout, stderr] = [new ByteOutput(streams.stdout), new ByteOutput(streams.stderr)];
  const removeListener = container.onOutput((stream, text) => (stream === 'stdout' ? stdout : stderr).write(text));
  const { stdin, terminal, machine, config } = container;
  const input = config.stdin ? (terminal ?? stdin) : undefined;
  if (streams.stdin && input) void feed(streams.stdin, input, config.stdinOnce ?? false);
  if (streams.resize && terminal) void follow(streams.resize, terminal, machine?.init);
  try {
    await untilCancelled(ctx, machine?.init?.exited ?? Promise.resolve(0));
    await Promise.all([stdout.flushed(), stderr.flushed()]);
  } finally {
    removeListener();
  }
}

async function portForward(
  ctx: Context,
  sandbox: SimulatedSandbox,
  port: number,
  connection: ForwardedConnection,
): Promise<void> {
  if (!sandbox.ready || !sandbox.network)
    throw new CriError('FailedPrecondition', `container not running (${sandbox.id})`);
  const server = sandbox.network.serverAt(port);
  if (!server)
    throw new CriError(
      'Unavailable',
      `failed to connect to localhost:${port} inside namespace of sandbox ${sandbox.id}: connection refused`,
    );
  await untilCancelled(ctx, serveConnection(server, connection));
}
