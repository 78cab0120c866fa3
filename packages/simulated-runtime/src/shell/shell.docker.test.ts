/** Tests that busybox still gives the recorded results, with which the simulated shell is compared. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { shellRecordings } from './testing/recordings.ts';

const exec = promisify(execFile);

/** How many scripts run at the same time. Many of them sleep, so more than one per CPU pays off. */
const lanes = 4;

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const decoded = (text = ''): string => Buffer.from(text, 'base64').toString();

/**
 * Returns a script that runs the scripts one after another. For each, it prints a line with exit code, output and
 * errors.
 */
const runAll = (lane: number, scripts: readonly string[]): string =>
  [
    `run() { sh -c "$(echo $1 | base64 -d)" </dev/null >/out-${lane} 2>/err-${lane}`,
    `echo "$? $(base64 /out-${lane} | tr -d '\\n') $(base64 /err-${lane} | tr -d '\\n')"; }`,
    ...scripts.map((script) => `run ${base64(script)}`),
  ].join('\n');

/**
 * Runs the scripts in one container. Starting a container or an exec for each of them would take several times longer.
 */
async function outcomesOnBusybox(scripts: readonly string[]): Promise<readonly Outcome[]> {
  const { stdout: created } = await exec('docker', 'run -d --rm -e HOME=/root -w / busybox:1.36 sleep 600'.split(' '));
  const container = created.trim();
  try {
    const outcomes: Outcome[] = [];
    const run = async (lane: number): Promise<void> => {
      const isOwn = (_: unknown, index: number): boolean => index % lanes === lane;
      const script = runAll(lane, scripts.filter(isOwn));
      const { stdout } = await exec('docker', ['exec', container, 'sh', '-c', script]);
      for (const [turn, line] of stdout.trimEnd().split('\n').entries()) {
        const [code, out, err] = line.split(' ');
        outcomes[turn * lanes + lane] = { code: Number(code), stdout: decoded(out), stderr: decoded(err) };
      }
    };
    await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)));
    return outcomes;
  } finally {
    await exec('docker', ['rm', '-f', container]);
  }
}

describe('the recordings agree with busybox on', () => {
  let outcomes: readonly Outcome[];

  beforeAll(async () => {
    outcomes = await outcomesOnBusybox(shellRecordings.map(({ script }) => script));
  });

  it.each(shellRecordings.map((recording, index) => ({ ...recording, index })))(
    '$script',
    ({ index, code, stdout, stderr }) => {
      expect(outcomes[index]).toEqual({ code, stdout, stderr });
    },
  );
});
