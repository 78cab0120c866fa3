import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shellRecordings } from './testing/recordings.ts';

const docker = promisify(execFile);

/** Holds the recordings to the real thing: what the simulated shell is compared with must be what busybox does. */
describe('the recordings agree with busybox on', () => {
  let container: string;

  beforeAll(async () => {
    const { stdout } = await docker('docker', [
      'run',
      '-d',
      '--rm',
      '-e',
      'HOME=/root',
      '-w',
      '/',
      'busybox:1.36',
      'sleep',
      '600',
    ]);
    container = stdout.trim();
  });

  afterAll(() => docker('docker', ['rm', '-f', container]));

  it.each(shellRecordings)('$script', async ({ script, code, stdout, stderr }) => {
    const outcome = await docker('docker', ['exec', container, 'sh', '-c', script]).then(
      (result) => ({ code: 0, ...result }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        stdout: error.stdout,
        stderr: error.stderr,
      }),
    );
    expect(outcome).toEqual({ code, stdout, stderr });
  });
});
