/** Runs dockershim in a separate process, and starts the process again after a crash. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CriError } from '@podscope/cri';
import type { Clock, Timer } from '@podscope/trace';
import { type DockershimOrder, type DockershimReport, reportSchema } from './messages.ts';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));

/** The delay before a crashed process is started again, in milliseconds. */
const restartDelay = 1_000;

type Serving = Extract<DockershimReport, { type: 'serving' }>;

/** A dockershim process that accepts calls. */
export interface DockershimProcess extends Omit<Serving, 'type'> {
  /** Ends the process. The containers continue to run. */
  close(): Promise<void>;
}

const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null;

/**
 * @param closing ends a process that doesn't serve yet
 * @throws CriError Unavailable with the reason why dockershim can't serve, when the process has ended
 */
async function launch(order: DockershimOrder, closing: AbortSignal): Promise<{ child: ChildProcess; report: Serving }> {
  // Limit Node's memory for new objects. This keeps the process small at little cost, because it allocates little
  // during each call.
  const child = fork(program, {
    execArgv: ['--max-semi-space-size=1'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const first = new Promise<DockershimReport>((resolve) => {
    child.once('message', (message) => resolve(reportSchema.parse(message)));
    child.on('error', (error) => resolve({ type: 'failed', message: error.message }));
    child.once('exit', (code) => resolve({ type: 'failed', message: `dockershim ended with code ${code}` }));
  });
  const kill = (): boolean => child.kill('SIGKILL');
  closing.addEventListener('abort', kill);
  child.send(order);
  const report = await first;
  closing.removeEventListener('abort', kill);
  if (report.type === 'serving') return { child, report };
  if (!hasEnded(child)) await once(child, 'exit');
  throw new CriError('Unavailable', report.message);
}

/**
 * Starts the process.
 * @param notify receives one line when the process crashes
 * @throws CriError Unavailable with the reason why dockershim can't serve
 */
export async function startDockershimProcess(
  order: DockershimOrder,
  clock: Clock,
  notify: (message: string) => void,
): Promise<DockershimProcess> {
  const closing = new AbortController();
  let { child, report } = await launch(order, closing.signal);
  let timer: Timer | undefined;
  let restarting: Promise<void> | undefined;
  const restart = async (): Promise<void> => {
    try {
      ({ child, report } = await launch(order, closing.signal));
      watch();
    } catch {
      if (!closing.signal.aborted) scheduleRestart();
    }
  };
  const scheduleRestart = (): void => {
    timer = clock.schedule(restartDelay, () => {
      restarting = restart();
    });
  };
  const watch = (): void => {
    child.once('exit', (code, signal) => {
      if (closing.signal.aborted) return;
      notify(`dockershim ended unexpectedly (${signal ?? `code ${code}`}): it is started again.`);
      scheduleRestart();
    });
  };
  watch();
  return {
    get cgroupDriver() {
      return report.cgroupDriver;
    },
    get deviations() {
      return report.deviations;
    },
    async close() {
      closing.abort();
      timer?.cancel();
      await restarting;
      if (hasEnded(child)) return;
      const exited = once(child, 'exit');
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
