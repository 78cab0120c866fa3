import { describe, expect, it } from 'vitest';
import { runScript, type ScriptOptions } from '../testing/run-script.ts';
import { shellRecordings } from './testing/recordings.ts';

/** Returns a function that sends SIGTERM from outside the container after a while, as the runtime does. */
const termAfter =
  (ms: number): ScriptOptions['during'] =>
  (process, clock) =>
    void clock.schedule(ms, () => process.signal('TERM', true));

describe('the shell prints and exits like busybox for', () => {
  it.each(shellRecordings)('$script', async ({ script, code, stdout, stderr }) => {
    const outcome = await runScript(script, { init: false });
    expect({ code: outcome.code, stdout: outcome.stdout, stderr: outcome.stderr }).toEqual({ code, stdout, stderr });
  });
});

describe('the virtual time of a script', () => {
  it('is the sum of its sleeps', async () => {
    const { took, stdout } = await runScript('echo a; sleep 2; sleep 0.5; echo b');
    expect(stdout).toBe('a\nb\n');
    expect(took).toBeCloseTo(2503, -1);
  });

  it('is an hour for a loop that sleeps 60 times for a minute', async () => {
    const { took, code } = await runScript('i=0; while [ $i -lt 60 ]; do sleep 1m; i=$((i+1)); done; exit 5');
    expect(code).toBe(5);
    expect(took).toBeCloseTo(3_600_003, -1);
  });

  it('passes during a busy loop', async () => {
    const outcome = await runScript('while true; do :; done', {
      during: (process, clock) => void clock.schedule(600_000, () => process.exit(1)),
    });
    expect(outcome.took).toBe(600_000);
  });

  it('is that of the longest background job when they run in parallel', async () => {
    const { took, stdout } = await runScript('(sleep 3; echo slow) & (sleep 1; echo fast) & wait; echo done');
    expect(stdout).toBe('fast\nslow\ndone\n');
    expect(took).toBeCloseTo(3003, -1);
  });
});

describe('a signal', () => {
  it('is ignored by process 1 without a trap', async () => {
    expect(await runScript('sleep 10; echo survived', { during: termAfter(1000) })).toMatchObject({
      code: 0,
      stdout: 'survived\n',
    });
  });

  it('ends any other process', async () => {
    const outcome = await runScript('sleep 10; echo survived', { init: false, during: termAfter(1000) });
    expect(outcome).toMatchObject({ code: 143, stdout: '', took: 1000 });
  });

  it('runs its trap after the foreground command has ended', async () => {
    const outcome = await runScript('trap "echo bye; exit 0" TERM; while true; do sleep 5; done', {
      during: termAfter(7000),
    });
    expect(outcome).toMatchObject({ code: 0, stdout: 'bye\n' });
    expect(outcome.took).toBeCloseTo(10_003, -1);
  });

  it('interrupts `wait` to run its trap', async () => {
    const outcome = await runScript('trap "exit 3" TERM; sleep 3600 & wait', { during: termAfter(7000) });
    expect(outcome).toMatchObject({ code: 3, took: 7000 });
  });

  it('from `kill` ends a background job but not process 1', async () => {
    expect(await runScript('sleep 100 & kill $!; wait $!; echo $?')).toMatchObject({ stdout: '143\n' });
    expect(await runScript('kill -9 1; echo still here')).toMatchObject({ code: 0, stdout: 'still here\n' });
  });

  it('is not trapped any more after `exec`', async () => {
    const outcome = await runScript('trap "exit 3" TERM; exec sleep 20', { during: termAfter(5000) });
    expect(outcome.code).toBe(0);
  });
});

describe('a script with a memory limit', () => {
  const limit = 64 * 1024 ** 2;

  it.each([
    'tail /dev/zero',
    'exec tail /dev/zero',
    'x=a; while true; do x=$x$x; done',
    'stress --vm 1 --vm-bytes 250M',
    'dd if=/dev/zero of=/dev/null bs=100M',
  ])('is OOM-killed with exit code 137: %s', async (script) => {
    const outcome = await runScript(script, {
      memoryLimit: limit,
      image: script.includes('stress') ? 'polinux/stress' : 'library/busybox',
    });
    expect(outcome.code).toBe(137);
  });

  it('exits with 137 when it returns the status of an OOM-killed child', async () => {
    expect((await runScript('tail /dev/zero; status=$?; sleep 1; exit $status', { memoryLimit: limit })).code).toBe(
      137,
    );
  });

  it('continues after a child was OOM-killed', async () => {
    const outcome = await runScript('tail /dev/zero; echo "child ended with $?"', { memoryLimit: limit });
    expect(outcome).toMatchObject({ code: 0, stdout: 'child ended with 137\n', stderr: 'Killed\n' });
  });
});

describe('the network of a script', () => {
  it('connects a client with an HTTP server of the same pod', async () => {
    const script =
      'mkdir -p /www; echo hi > /www/index.html; httpd -f -p 8080 -h /www & sleep 1; wget -q -O - http://localhost:8080/; wget -q -O - http://localhost:8080/none; echo $?';
    expect(await runScript(script)).toMatchObject({ stdout: 'hi\n1\n' });
  });

  it('fails to resolve an unknown name', async () => {
    expect(await runScript('nslookup myservice; echo $?')).toMatchObject({
      stdout: "** server can't find myservice: NXDOMAIN\n\n1\n",
    });
    expect((await runScript('wget -q -O - http://example.com')).stderr).toBe("wget: bad address 'example.com'\n");
  });
});
