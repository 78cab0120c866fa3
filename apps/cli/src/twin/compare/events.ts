/** Events of the kubelet: the set of type, reason and message repeats exactly; how often one comes hangs on when it was looked. */
import { isCrashLoop, type KubeletEvent } from '../recording.ts';
import type { Compare } from './compare.ts';
import { neutral } from './normalize.ts';

const describe = ({ type, reason, message }: KubeletEvent): string => `${type} ${reason}: ${message.trimEnd()}`;

/** Numbers of resources hang on the machine. */
const machineNumbers = (text: string): string => text.replace(/(requested|used|capacity|q): \d+/g, '$1: <n>');

export const compareEvents: Compare = ({ recording, seen, normalize }) => {
  const theirs = recording.events.map((event) => ({ ...event, text: machineNumbers(neutral(describe(event))) }));
  const ours = seen.events.map((event) => ({ ...event, text: machineNumbers(neutral(normalize(describe(event)))) }));
  const there = new Set(theirs.map(({ text }) => text));
  const here = new Set(ours.map(({ text }) => text));
  // A container in a crash loop runs when its pod is removed, or waits: then nothing is stopped.
  const isChance = (text: string): boolean => isCrashLoop(recording) && text.startsWith('Normal Killing: Stopping container');
  const differences = [
    ...[...there].filter((text) => !here.has(text) && !isChance(text)).map((text) => `event only in the recording: ${text}`),
    ...[...here].filter((text) => !there.has(text) && !isChance(text)).map((text) => `event only here: ${text}`),
  ];
  for (const text of there) {
    if (!/^Normal (Started|Created|SandboxChanged)/.test(text)) continue;
    const [a, b] = [theirs, ours].map((list) => list.filter((event) => event.text === text).length) as [number, number];
    if (Math.abs(a - b) > (isCrashLoop(recording) ? 1 : 0)) differences.push(`event ${text}: recorded ${a} times, here ${b}`);
  }
  return differences;
};
