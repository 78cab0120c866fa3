/** What the end of a process says beside its number. */
import { type ExplainText, say } from './text.ts';

/** Signals by number, Linux on amd64 and arm64. */
const signals: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  10: 'SIGUSR1',
  11: 'SIGSEGV',
  12: 'SIGUSR2',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
};

const known: Readonly<Record<number, ExplainText>> = {
  0: say('exit0'),
  1: say('exit1'),
  2: say('exit2'),
  125: say('exit125'),
  126: say('exit126'),
  127: say('exit127'),
  128: say('exit128'),
  137: say('exit137'),
  139: say('exit139'),
  143: say('exit143'),
};

/** The meaning of an exit code, in a few words. */
export function exitCodeMeaning(code: number): ExplainText {
  const text = known[code];
  if (text) return text;
  const signal = code > 128 ? code - 128 : 0;
  if (signal > 0 && signal < 65) return say('exitSignal', { signal: signals[signal] ?? `signal ${signal}` });
  return say('exitOther');
}
