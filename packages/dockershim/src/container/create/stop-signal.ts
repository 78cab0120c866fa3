/** Translates stop signals between CRI (`SIGRTMINPLUS1`) and Docker (`SIGRTMIN+1`). */
import type { Signal } from '@podscope/cri';

/** Returns Docker's name of the signal; undefined to keep the image's stop signal. */
export function dockerSignal(signal: Signal | undefined): string | undefined {
  if (!signal || signal === 'RUNTIME_DEFAULT') return undefined;
  return signal.replace('PLUS', '+').replace('MINUS', '-');
}

/** Returns CRI's name of the signal. An empty text returns SIGTERM, which is Docker's default. */
export const criSignal = (signal: string): Signal =>
  signal ? (signal.replace('+', 'PLUS').replace('-', 'MINUS') as Signal) : 'SIGTERM';
