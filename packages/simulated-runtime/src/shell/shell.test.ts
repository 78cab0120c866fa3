import { describe, expect, it } from 'vitest';
import { runScript, type ScriptOptions } from '../testing/run-script.ts';
import { shellRecordings } from './testing/recordings.ts';

/** Returns a function that sends SIGTERM from outside the container after a while, as the runtime does. */
const termAfter =
  (ms: number): ScriptOptions['during'] =>
  (process, clock) =>
    void clock.schedule(ms, () => process.signal('TERM', true));

describe('the shell agrees with busybox on', () => {
  it.each(shellRecordings)('$script', async ({ script, code, stdout, stderr }) => {
    const outcome = await runScript(script, { init: false });
    expect({ code: outcome.code, stdout: outcome.stdout, stderr: outcome.stderr }).toEqual({ code, stdout, stderr });
  });
});

describe('the shell takes time', () => {
  it('where it waits, and nowhere else', async () => {
    const { took, stdout } = await runScript('echo a; sleep 2; sleep 0.5; echo b');
    expect(stdout).toBe('a\nb\n');
    expect(took).toBeCloseTo(2503, -1);
  });

  it('for an hour of a loop', async () => {
    const { took, code } = await runScript('i=0; while [ $i -lt 60 ]; do sleep 1m; i=$((i+1)); done; exit 5');
    expect(code).toBe(5);
    expect(took).toBeCloseTo(3_600_003, -1);
  });

  it('when it spins: a busy loop does not stop the clock', async () => {
    const outcome = await runScript('while true; do :; done', {
      during: (process, clock) => void clock.schedule(600_000, () => process.exit(1)),
    });
    expect(outcome.took).toBe(600_000);
  });

  it('for background jobs, side by side', async () => {
    const { took, stdout } = await runScript('(sleep 3; echo slow) & (sleep 1; echo fast) & wait; echo done');
    expect(stdout).toBe('fast\nslow\ndone\n');
    expect(took).toBeCloseTo(3003, -1);
  });
});

describe('signals', () => {
  it('pass process 1 by when it has said nothing about them', async () => {
    expect(await runScript('sleep 10; echo survived', { during: termAfter(1000) })).toMatchObject({
      code: 0,
      stdout: 'survived\n',
    });
  });

  it('end any other process', async () => {
    const outcome = await runScript('sleep 10; echo survived', { init: false, during: termAfter(1000) });
    expect(outcome).toMatchObject({ code: 143, stdout: '', took: 1000 });
  });

  it('are trapped once the foreground command is done', async () => {
    const outcome = await runScript('trap "echo bye; exit 0" TERM; while true; do sleep 5; done', {
      during: termAfter(7000),
    });
    expect(outcome).toMatchObject({ code: 0, stdout: 'bye\n' });
    expect(outcome.took).toBeCloseTo(10_003, -1);
  });

  it('cut a wait short', async () => {
    const outcome = await runScript('trap "exit 3" TERM; sleep 3600 & wait', { during: termAfter(7000) });
    expect(outcome).toMatchObject({ code: 3, took: 7000 });
  });

  it('reach whom kill names', async () => {
    expect(await runScript('sleep 100 & kill $!; wait $!; echo $?')).toMatchObject({ stdout: '143\n' });
    expect(await runScript('kill -9 1; echo still here')).toMatchObject({ code: 0, stdout: 'still here\n' });
  });

  it('that were trapped are forgotten by exec', async () => {
    const outcome = await runScript('trap "exit 3" TERM; exec sleep 20', { during: termAfter(5000) });
    expect(outcome.code).toBe(0);
  });
});

describe('memory', () => {
  const limit = 64 * 1024 ** 2;

  it.each([
    'tail /dev/zero',
    'exec tail /dev/zero',
    'x=a; while true; do x=$x$x; done',
    'stress --vm 1 --vm-bytes 250M',
    'dd if=/dev/zero of=/dev/null bs=100M',
  ])('runs out: %s', async (script) => {
    const outcome = await runScript(script, {
      memoryLimit: limit,
      image: script.includes('stress') ? 'polinux/stress' : 'library/busybox',
    });
    expect(outcome.code).toBe(137);
  });

  it('of a child leaves the shell alive, which may keep its status', async () => {
    expect((await runScript('tail /dev/zero; status=$?; sleep 1; exit $status', { memoryLimit: limit })).code).toBe(
      137,
    );
  });

  it('of a child leaves the shell alive', async () => {
    const outcome = await runScript('tail /dev/zero; echo "child ended with $?"', { memoryLimit: limit });
    expect(outcome).toMatchObject({ code: 0, stdout: 'child ended with 137\n', stderr: 'Killed\n' });
  });
});

describe('the network', () => {
  it('connects what runs in one pod', async () => {
    const script =
      'mkdir -p /www; echo hi > /www/index.html; httpd -f -p 8080 -h /www & sleep 1; wget -q -O - http://localhost:8080/; wget -q -O - http://localhost:8080/none; echo $?';
    expect(await runScript(script)).toMatchObject({ stdout: 'hi\n1\n' });
  });

  it('knows nobody it was not told about', async () => {
    expect(await runScript('nslookup myservice; echo $?')).toMatchObject({
      stdout: "** server can't find myservice: NXDOMAIN\n\n1\n",
    });
    expect((await runScript('wget -q -O - http://example.com')).stderr).toBe("wget: bad address 'example.com'\n");
  });
});
