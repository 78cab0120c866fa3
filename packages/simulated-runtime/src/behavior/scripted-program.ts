/** Runs a script as process 1 of a container, or in addition to process 1. */
import type { Random } from '@podscope/base';
import type { Milliseconds } from '@podscope/trace';
import { FileError } from '../machine/file-system.ts';
import { type Process, ProcessEndedError, type Program } from '../machine/process.ts';
import type { HealthAnswer } from '../network/pod-network.ts';
import type { Script, ScriptAction, ScriptHealth, ScriptListener, Span } from './script.ts';

/** Returns a random duration within the span. */
export const lengthOf = ({ ms, jitter }: Span, random: Random): Milliseconds =>
  jitter === 0 ? ms : Math.max(0, ms + random.between(-jitter, jitter));

const terminationLog = '/dev/termination-log';

async function perform(process: Process, action: ScriptAction): Promise<void> {
  const { machine } = process;
  await process.sleep(lengthOf(action.after, machine.random));
  switch (action.kind) {
    case 'exit':
      process.exit(action.code);
      return;
    case 'oom':
      machine.oomKilled = true;
      if (action.code === undefined) process.die('KILL');
      else process.exit(action.code);
      return;
    case 'signal':
      process.die(action.signal);
      return;
    case 'log':
      for (let count = 0; count < action.times; count++) {
        if (count > 0) await process.sleep(lengthOf(action.every ?? { ms: 1000, jitter: 0 }, machine.random));
        process[action.stream].write(`${action.text}\n`);
      }
      return;
    case 'message':
      await machine.files.write(terminationLog, action.text);
      return;
    case 'use':
      if (action.cpu !== undefined) process.cpu = action.cpu;
      if (action.memory !== undefined) machine.allocate(process, action.memory);
      return;
  }
}

async function serve(
  process: Process,
  { port, http, status, body, after, until, delay }: ScriptListener,
): Promise<void> {
  const { machine } = process;
  const started = machine.clock.now();
  await process.sleep(lengthOf(after, machine.random));
  machine.network.listen(port, process, async () => {
    await process.sleep(lengthOf(delay, machine.random));
    if (!http) return undefined;
    const over = until !== undefined && machine.clock.now() - started >= until;
    return over ? { status: 500, body: 'internal server error' } : { status, body };
  });
  if (http || until === undefined) return;
  await process.sleep(Math.max(0, until - (machine.clock.now() - started)));
  machine.network.release(port, process);
}

const healthAnswer = (status: ScriptHealth['status']): HealthAnswer =>
  status === 'UNIMPLEMENTED' ? { code: 'Unimplemented', details: 'unknown service grpc.health.v1.Health' } : { status };

/** Serves gRPC health checks on a port according to all clauses for that port. */
async function serveHealth(process: Process, port: number, answers: readonly ScriptHealth[]): Promise<void> {
  const { machine } = process;
  const started = machine.clock.now();
  await process.sleep(Math.min(...answers.map(({ after }) => after)));
  const speaksNoHttp = (): undefined => undefined;
  machine.network.listen(port, process, speaksNoHttp, async (service) => {
    // Rounds the age, because the difference of two floating-point times is inexact.
    const age = Math.round(machine.clock.now() - started);
    const known = answers.filter(
      (answer) => (answer.service === service || answer.status === 'UNIMPLEMENTED') && answer.after <= age,
    );
    const answer = known.find(({ until }) => until === undefined || age < until);
    const { delay } = answer ?? known[0] ?? {};
    if (delay) await process.sleep(lengthOf(delay, machine.random));
    if (known.length === 0) return { code: 'NotFound', details: 'unknown service' };
    return answer ? healthAnswer(answer.status) : { status: 'NOT_SERVING' };
  });
}

/** Runs `work` in the background. If its process ends meanwhile, that isn't an error. */
function begin(work: Promise<void>): void {
  work.catch((error: unknown) => {
    if (!(error instanceof ProcessEndedError || error instanceof FileError)) throw error;
  });
}

/** Opens the script's ports and applies its stop behavior and resource use to a process. */
export function accompany(process: Process, script: Script): void {
  const { onTerm } = script;
  const { machine } = process;
  for (const signal of ['TERM', 'QUIT', 'INT'] as const) {
    if (onTerm === 'ignore') process.handle(signal, 'ignore');
    else if (onTerm)
      process.handle(
        signal,
        () => void machine.clock.schedule(lengthOf(onTerm.after, machine.random), () => process.exit(onTerm.code)),
      );
  }
  for (const listener of script.listeners) begin(serve(process, listener));
  for (const port of new Set(script.health.map((answer) => answer.port))) {
    begin(
      serveHealth(
        process,
        port,
        script.health.filter((answer) => answer.port === port),
      ),
    );
  }
  for (const action of script.actions) if (action.kind === 'use') begin(perform(process, action));
}

/**
 * Returns a program that only runs the script. On the stop signal it exits with 0, unless the script says otherwise.
 */
export function scriptedProgram(script: Script): Program {
  return async (process) => {
    accompany(process, { ...script, onTerm: script.onTerm ?? { code: 0, after: { ms: 0, jitter: 0 } } });
    for (const action of script.actions) if (action.kind !== 'use') begin(perform(process, action));
    return process.forever();
  };
}
