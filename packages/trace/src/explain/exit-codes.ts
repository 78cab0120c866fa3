/** Explains exit codes. */
import { type ExplainText, textOf } from './text.ts';

/** Signals by number, for Linux on amd64 and arm64. */
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
  0: textOf('exit0'),
  1: textOf('exit1'),
  2: textOf('exit2'),
  125: textOf('exit125'),
  126: textOf('exit126'),
  127: textOf('exit127'),
  128: textOf('exit128'),
  137: textOf('exit137'),
  139: textOf('exit139'),
  143: textOf('exit143'),
};

/**
 * Returns the meaning of an exit code in a few words. The reason in the status, such as OOMKilled, is more precise than
 * the code.
 */
export function exitCodeMeaning(code: number, reason?: string): ExplainText {
  if (code === 137 && reason === 'OOMKilled') return textOf('exitMemory');
  const text = known[code];
  if (text) return text;
  const signal = code > 128 ? code - 128 : 0;
  if (signal > 0 && signal < 65) return textOf('exitSignal', { signal: signals[signal] ?? `signal ${signal}` });
  return textOf('exitOther');
}
