/**
 * Runs commands in a running container: exec probes, lifecycle handlers, `kubectl exec`. Upstream: dockershim ExecSync.
 */
import { CriError, type ExecSyncRequest, type ExecSyncResponse } from '@podscope/cri';
import { type Context, sleep } from '@podscope/trace';
import { cannotExecute } from '../behavior/behavior.ts';
import type { ScriptExec } from '../behavior/script.ts';
import { lengthOf } from '../behavior/scripted-program.ts';
import type { Process, ProcessMachine } from '../machine/process.ts';
import { emptyInput, type Input, type Output, TextOutput } from '../machine/streams.ts';
import type { SimulatedNode } from '../node.ts';
import { untilCancelled } from '../waiting.ts';
import type { SimulatedContainer } from './container.ts';

const encoder = new TextEncoder();

const response = (stdout: string, stderr: string, exitCode: number): ExecSyncResponse => ({
  stdout: encoder.encode(stdout),
  stderr: encoder.encode(stderr),
  exitCode,
});

/** The result of a command that didn't end before its timeout. */
const expired = Symbol('expired');

/** Waits for `work`, at most `seconds`; 0 means no limit. */
async function within<T>(
  ctx: Context,
  node: SimulatedNode,
  seconds: number,
  work: Promise<T>,
): Promise<T | typeof expired> {
  if (seconds <= 0) return untilCancelled(ctx, work);
  const timer = new AbortController();
  const deadline = sleep(node.clock, seconds * 1000, timer.signal).then(
    (): typeof expired => expired,
    (): typeof expired => expired,
  );
  try {
    return await untilCancelled<T | typeof expired>(ctx, Promise.race([work, deadline]));
  } finally {
    timer.abort();
  }
}

/**
 * Returns the scripted result of a command for the container's current age; undefined if no clause matches. A user's
 * command has to equal the command of the clause. A kubelet's command also matches by its last argument or by `*`.
 */
export function scripted(
  node: Pick<SimulatedNode, 'clock'>,
  container: SimulatedContainer,
  cmd: readonly string[],
  caller: 'kubelet' | 'user',
): ScriptExec | undefined {
  const age = node.clock.now() - (container.startedAt ?? 0);
  const line = cmd.join(' ');
  return container.behavior.script?.execs.find(
    ({ command, after, until: end }) =>
      (command === line || (caller === 'kubelet' && (command === '*' || command === cmd.at(-1)))) &&
      age >= after &&
      (end === undefined || age < end),
  );
}

/** Starts a command next to process 1. Returns the process; if it can't be started, the engine's error text. */
export async function spawn(
  machine: ProcessMachine,
  init: Process,
  cmd: readonly string[],
  stdout: Output,
  stderr: Output,
  stdin: Input = emptyInput,
): Promise<Process | string> {
  const program = await machine.lookup({ argv: cmd, cwd: init.cwd, env: init.env });
  if (!init.alive) throw new CriError('FailedPrecondition', 'container not running');
  if (typeof program === 'string')
    return `OCI runtime exec failed: exec failed: ${cannotExecute(cmd[0] ?? '', program)}\r\n`;
  return machine.spawn(program, { argv: cmd, env: init.env, cwd: init.cwd, stdin, stdout, stderr });
}

/**
 * Runs a command and waits until it ends. The command is killed when its timeout has passed, which dockershim (v1.20)
 * doesn't do.
 */
export async function execSync(
  ctx: Context,
  node: SimulatedNode,
  container: SimulatedContainer,
  { cmd, timeout }: ExecSyncRequest,
): Promise<ExecSyncResponse> {
  const { machine } = container;
  const init = machine?.init;
  if (!container.running || !machine || !init)
    throw new CriError('FailedPrecondition', `container not running (${container.id})`);

  const reply = scripted(node, container, cmd, 'kubelet');
  if (reply) {
    const outcome = await within(ctx, node, timeout, sleep(node.clock, lengthOf(reply.delay, machine.random)));
    if (outcome === expired) throw new CriError('DeadlineExceeded', 'context deadline exceeded');
    return response(reply.stdout, reply.stderr, reply.code);
  }

  const [stdout, stderr] = [new TextOutput(), new TextOutput()];
  const process = await spawn(machine, init, cmd, stdout, stderr);
  if (typeof process === 'string') return response(process, '', 126);
  try {
    const code = await within(ctx, node, timeout, process.exited);
    if (code === expired) throw new CriError('DeadlineExceeded', 'context deadline exceeded');
    return response(stdout.text, stderr.text, code);
  } finally {
    process.killTree();
  }
}
