import { describe, expect, it } from 'vitest';
import { parseScript } from './script.ts';

describe('a script', () => {
  it.each([
    ['exit=0 after=0', { kind: 'exit', code: 0, after: { ms: 0, jitter: 0 } }],
    ['exit after=1.5s', { kind: 'exit', code: 0, after: { ms: 1500, jitter: 0 } }],
    ['exit=255 after=1m30s~500ms', { kind: 'exit', code: 255, after: { ms: 90_000, jitter: 500 } }],
    ['signal=9', { kind: 'signal', signal: 'KILL' }],
    ['signal=SIGSEGV', { kind: 'signal', signal: 'SEGV' }],
    ['log="a;b \\"c\\"\\n" stream=stderr', { kind: 'log', text: 'a;b "c"\n', stream: 'stderr', times: 1 }],
    ['log="" times=3', { kind: 'log', text: '', stream: 'stdout', times: 3 }],
    ['log=x every=1s', { kind: 'log', times: Number.POSITIVE_INFINITY }],
    ['cpu=500m memory=64Mi', { kind: 'use', cpu: 0.5, memory: 64 * 1024 ** 2 }],
    ['cpu=2', { kind: 'use', cpu: 2, memory: undefined }],
  ])('reads %s', (text, action) => expect(parseScript(text, 0).actions).toEqual([expect.objectContaining(action)]));

  it('reads the clauses for ports, exec results, SIGTERM and start errors', () => {
    const { listeners, execs, onTerm, startError, drives } = parseScript(
      'listen=1 tcp; listen=65535 status=503; exec=* delay=1s; sigterm=3; start-error="x"',
      0,
    );
    expect(listeners).toMatchObject([
      { port: 1, http: false },
      { port: 65_535, http: true, status: 503, body: 'ok' },
    ]);
    expect(execs).toMatchObject([{ command: '*', code: 0, stdout: '', until: undefined, delay: { ms: 1000 } }]);
    expect({ onTerm, startError, drives }).toMatchObject({
      onTerm: { code: 3 },
      startError: { message: 'x', code: 128 },
      drives: false,
    });
  });

  const code = 'an exit code: a whole number from 0 to 255';
  const port = 'a port: a whole number from 1 to 65535';
  const duration = 'a duration such as 5s or 5s~2s';
  it.each([
    ['exit=999', `exit=999 is not ${code}`],
    ['exit=1.5', `exit=1.5 is not ${code}`],
    ['exit=-1', `exit=-1 is not ${code}`],
    ['exit=', `exit= takes ${code}`],
    ['exit=1 exit=2', 'exit is given twice'],
    ['exit=1 after=soon', `after=soon is not ${duration}`],
    ['exit=1 after=', `after= takes ${duration}`],
    ['exit=1 after=inf', `after=inf is not ${duration}`],
    ['exit=1 after=5s~1s~1s', `after=5s~1s~1s is not ${duration}`],
    ['exit=1 after=-5s', `after=-5s is not ${duration}`],
    ['oom=1', 'oom takes no value'],
    ['run=forever', 'run takes no value'],
    ['ignore-sigterm="yes"', 'ignore-sigterm takes no value'],
    ['sigterm=256', `sigterm=256 is not ${code}`],
    ['signal=', 'signal= takes a signal that ends a process, such as SEGV'],
    ['signal=BOO', 'signal=BOO is not a signal that ends a process, such as SEGV'],
    ['signal=CHLD', 'signal=CHLD is not a signal that ends a process, such as SEGV'],
    ['start-error', 'start-error= takes a text'],
    ['start-error="x" code=300', `code=300 is not ${code}`],
    ['start-error="x" reason=Error', 'reason=Error is not ContainerCannotRun or StartError'],
    ['log', 'log= takes a text'],
    ['log="x" stream=bogus', 'stream=bogus is not stdout or stderr'],
    ['log="x" stream=', 'stream= takes stdout or stderr'],
    ['log="x" times=0', 'times=0 is not how often: a whole number from 1 on'],
    ['log="x" times=2.5', 'times=2.5 is not how often: a whole number from 1 on'],
    ['log="x" every=often', `every=often is not ${duration}`],
    ['message', 'message= takes a text'],
    ['listen=', `listen= takes ${port}`],
    ['listen', `listen= takes ${port}`],
    ['listen=0', `listen=0 is not ${port}`],
    ['listen=99999', `listen=99999 is not ${port}`],
    ['listen=http', `listen=http is not ${port}`],
    ['listen=80 status=99', 'status=99 is not an HTTP status: a whole number from 100 to 599'],
    ['listen=80 tcp=1', 'tcp takes no value'],
    ['listen=80 tcp status=200', `"status" isn't allowed with "listen"`],
    ['listen=80 until=5s~1s', 'until=5s~1s is not a duration such as 5s, without a deviation'],
    ['listen=80 after=5s until=5s', 'until= must be later than after='],
    [
      'listen=80 grpc status=200',
      'status=200 is not SERVING or NOT_SERVING or UNKNOWN or SERVICE_UNKNOWN or UNIMPLEMENTED',
    ],
    ['listen=80 grpc=yes', 'grpc takes no value'],
    ['listen=80 grpc body=x', `"body" isn't allowed with "listen"`],
    ['exec', 'exec= takes a text'],
    ['exec="x" exit=x', `exit=x is not ${code}`],
    ['exec="x" after=5s~1s', 'after=5s~1s is not a duration such as 5s, without a deviation'],
    ['memory=much', 'memory=much is not a size such as 64Mi'],
    ['memory=', 'memory= takes a size such as 64Mi'],
    ['cpu=half', 'cpu=half is not a number of CPUs such as 0.5 or 500m'],
    ['cpu', 'cpu= takes a number of CPUs such as 0.5 or 500m'],
    ['attempt=x exit=1', 'attempt=x is not a restart or a range of them: 0, 1-3, 2-'],
    ['attempt=3-1 exit=1', 'attempt=3-1 is not a restart or a range of them: 0, 1-3, 2-'],
    ['attempt= exit=1', 'attempt= takes a restart or a range of them: 0, 1-3, 2-'],
    ['attempt=7 exit=999', `exit=999 is not ${code}`],
    [
      'attempt=1',
      '"" isn\'t a clause; clauses are exit, oom, signal, start-error, log, message, ignore-sigterm, sigterm,' +
        ' listen, exec, memory, cpu, run',
    ],
    [
      'explode',
      '"explode" isn\'t a clause; clauses are exit, oom, signal, start-error, log, message, ignore-sigterm, ' +
        'sigterm, listen, exec, memory, cpu, run',
    ],
    ['run until=5s', `"until" isn't allowed with "run"`],
    ['exit=1 "loose"', 'can\'t read "\\"loose\\""; a clause is made of key=value words'],
    ['log="open', 'can\'t read "log=\\"open"; a clause is made of key=value words'],
  ])('rejects %s with the reason', (text, reason) => {
    expect(() => parseScript(`run; ${text}`, 0)).toThrow(
      expect.objectContaining({ name: 'ScriptError', message: expect.stringContaining(reason) }),
    );
    expect(() => parseScript(text, 0)).toThrow(/^clause "/);
  });
});
