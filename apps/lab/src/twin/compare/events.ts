/**
 * Compares the kubelet's events as a set of type, reason and message. Their counts depend on when the kubelet syncs.
 */
import { isCrashLoop, type KubeletEvent, profileOf, type Recording } from '../recording.ts';
import type { Compare } from './comparison.ts';
import { neutral } from './normalize.ts';

const describe = ({ type, reason, message, fieldPath }: KubeletEvent): string =>
  `${type} ${reason}${fieldPath ? ` ${fieldPath}` : ''}: ${message.trimEnd()}`;

/** Amounts of resources depend on the machine. */
const machineNumbers = (text: string): string => text.replace(/(requested|used|capacity|q): \d+/g, '$1: <n>');

const isStop = (text: string): boolean => /^Normal Killing\b.*: Stopping container/.test(text);

/**
 * Returns true if housekeeping may stop containers that have exited by themselves. The kubelet v1.20 kills the running
 * pods that aren't active any more, and reads them from a cache that is up to two seconds old.
 */
const mayStopExited = (recording: Recording): boolean =>
  profileOf(recording) === 'v1.20' &&
  recording.statuses.some(({ phase }) => phase === 'Failed' || phase === 'Succeeded');

export const compareEvents: Compare = ({ recording, seen, normalize, isBusy = false }) => {
  const theirs = recording.events.map((event) => ({ ...event, text: machineNumbers(neutral(describe(event))) }));
  const hasFieldPaths = recording.events.some(({ fieldPath }) => fieldPath !== undefined);
  const ours = seen.events.map(({ fieldPath, ...event }) => {
    const comparable = hasFieldPaths && fieldPath ? { ...event, fieldPath } : event;
    return { ...comparable, text: machineNumbers(neutral(normalize(describe(comparable)))) };
  });
  const there = new Set(theirs.map(({ text }) => text));
  const here = new Set(ours.map(({ text }) => text));
  // When its pod is removed, a container in a crash loop may be running or waiting; if it waits, nothing is stopped.
  const isChance = (text: string): boolean => isCrashLoop(recording) && isStop(text);
  // Housekeeping refreshes the cache in each run, unless a run was late and the next one is on time.
  const isLate = (text: string): boolean => isBusy && mayStopExited(recording) && isStop(text);
  const differences = [
    ...[...there]
      .filter((text) => !here.has(text) && !isChance(text))
      .map((text) => `event only in the recording: ${text}`),
    ...[...here]
      .filter((text) => !there.has(text) && !isChance(text) && !isLate(text))
      .map((text) => `event only here: ${text}`),
  ];
  for (const text of there) {
    if (!/^Normal (Started|Created|SandboxChanged)/.test(text)) continue;
    const [a, b] = [theirs, ours].map((list) => list.filter((event) => event.text === text).length) as [number, number];
    if (Math.abs(a - b) > (isCrashLoop(recording) ? 1 : 0))
      differences.push(`event ${text}: recorded ${a} times, here ${b}`);
  }
  return differences;
};
