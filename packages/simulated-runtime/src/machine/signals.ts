/** Defines signals with their numbers and default actions. */

const numbers = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  ILL: 4,
  TRAP: 5,
  ABRT: 6,
  BUS: 7,
  FPE: 8,
  KILL: 9,
  USR1: 10,
  SEGV: 11,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
  CHLD: 17,
  CONT: 18,
  STOP: 19,
  WINCH: 28,
} as const;

/** The name of a signal without `SIG`. */
export type SignalName = keyof typeof numbers;

const isSignalName = (name: string): name is SignalName => Object.hasOwn(numbers, name);

/** The signals that a process ignores by default. */
export const ignoredByDefault: ReadonlySet<SignalName> = new Set(['CHLD', 'CONT', 'WINCH', 'STOP']);

/** Returns the exit code of a process that the signal has killed, as a shell reports it. */
export const exitCodeOf = (signal: SignalName): number => 128 + numbers[signal];

/** Parses `TERM`, `SIGTERM` or `15`; returns undefined for an unknown signal. */
export function parseSignal(text: string): SignalName | undefined {
  if (/^\d+$/.test(text))
    return Object.keys(numbers)
      .filter(isSignalName)
      .find((name) => numbers[name] === Number(text));
  const name = text.toUpperCase().replace(/^SIG/, '');
  return isSignalName(name) ? name : undefined;
}
