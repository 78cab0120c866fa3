/** Commands run in a container that is there already: exec probes, lifecycle handlers, `kubectl exec`. */
import { CriError, type ExecSyncRequest, type ExecSyncResponse } from '@podscope/cri';
import { type Context, sleep } from '@podscope/trace';
import type { ContainerRecord } from './container-record.ts';
import { cannotExecute } from './life/life.ts';
import type { ScriptExec } from './life/script.ts';
import { lengthOf } from './life/scripted-program.ts';
import type { Machine } from './machine/machine.ts';
import type { Process } from './machine/process.ts';
import { emptyInput, type Input, type Output, TextOutput } from './machine/streams.ts';
import { type SimulatedNode, until } from './node.ts';

const encoder = new TextEncoder();

const answer = (stdout: string, stderr: string, exitCode: number): ExecSyncResponse => ({
  stdout: encoder.encode(stdout),
  stderr: encoder.encode(stderr),
  exitCode,
});

/** Marks that time ran out, apart from any exit code. */
const expired = Symbol('expired');

/** Runs `work` for at most so many seconds (0: as long as it takes). */
async function within<T>(node: SimulatedNode, ctx: Context, seconds: number, work: Promise<T>): Promise<T | typeof expired> {
  if (seconds <= 0) return until(ctx, work);
  const timer = new AbortController();
  const deadline = sleep(node.clock, seconds * 1000, timer.signal).then(
    (): typeof expired => expired,
    (): typeof expired => expired,
  );
  try {
    return await until<T | typeof expired>(ctx, Promise.race([work, deadline]));
  } finally {
    timer.abort();
  }
}

/** The script's answer to a command as it is now, if it has one; a person's command has to be named word by word. */
export function scripted(
  node: Pick<SimulatedNode, 'clock'>,
  container: ContainerRecord,
  cmd: readonly string[],
  asker: 'kubelet' | 'person',
): ScriptExec | undefined {
  const age = node.clock.now() - (container.startedAt ?? 0);
  const line = cmd.join(' ');
  return container.life.script?.execs.find(
    ({ command, after, until: end }) =>
      (command === line || (asker === 'kubelet' && (command === '*' || command === cmd.at(-1)))) && age >= after && (end === undefined || age < end),
  );
}

/** Starts a command beside process 1; a text says why it cannot be. */
export async function spawn(
  machine: Machine,
  init: Process,
  cmd: readonly string[],
  stdout: Output,
  stderr: Output,
  stdin: Input = emptyInput,
): Promise<Process | string> {
  const program = await machine.lookup({ argv: cmd, cwd: init.cwd, env: init.env });
  if (!init.alive) throw new CriError('FailedPrecondition', 'container not running');
  if (typeof program === 'string') return `OCI runtime exec failed: exec failed: ${cannotExecute(cmd[0] ?? '', program)}\r\n`;
  return machine.spawn(program, { argv: cmd, env: init.env, cwd: init.cwd, stdin, stdout, stderr });
}

/** Upstream: dockershim ExecSync (v1.20), with what runs on ended when its time is over. */
export async function execSync(node: SimulatedNode, ctx: Context, container: ContainerRecord, { cmd, timeout }: ExecSyncRequest): Promise<ExecSyncResponse> {
  const { machine } = container;
  const init = machine?.init;
  if (!container.running || !machine || !init) throw new CriError('FailedPrecondition', `container not running (${container.id})`);

  const reply = scripted(node, container, cmd, 'kubelet');
  if (reply) {
    const outcome = await within(node, ctx, timeout, sleep(node.clock, lengthOf(reply.delay, machine.random)));
    if (outcome === expired) throw new CriError('DeadlineExceeded', 'context deadline exceeded');
    return answer(reply.stdout, reply.stderr, reply.code);
  }

  const [stdout, stderr] = [new TextOutput(), new TextOutput()];
  const process = await spawn(machine, init, cmd, stdout, stderr);
  if (typeof process === 'string') return answer(process, '', 126);
  try {
    const code = await within(node, ctx, timeout, process.exited);
    if (code === expired) throw new CriError('DeadlineExceeded', 'context deadline exceeded');
    return answer(stdout.text, stderr.text, code);
  } finally {
    process.killTree();
  }
}
