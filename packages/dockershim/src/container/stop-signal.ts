/** CRI's stop signals and Docker's: `SIGRTMINPLUS1` is `SIGRTMIN+1`. */
import type { Signal } from '@podscope/cri';

/** Docker's spelling; undefined leaves the signal to the image. */
export function dockerSignal(signal: Signal | undefined): string | undefined {
  if (!signal || signal === 'RUNTIME_DEFAULT') return undefined;
  return signal.replace('PLUS', '+').replace('MINUS', '-');
}

/** CRI's spelling; without one Docker sends SIGTERM. */
export const criSignal = (signal: string): Signal => (signal ? (signal.replace('+', 'PLUS').replace('-', 'MINUS') as Signal) : 'SIGTERM');
