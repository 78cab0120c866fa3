/** Replaces UIDs, ids, paths and addresses with the recording's tokens, so that both sides use the same names. */
import type { Recording } from '../recording.ts';
import type { ReplayObservations } from '../run/replay-observations.ts';

const marked = /<[\w-]+#\d+@[0-9a-f]{6}>/;

/** Returns whether the tokens of a recording carry a mark of the UID, as in `<POD#0@e910b5>`. */
const hasUIDMarks = ({ creates }: Recording): boolean => marked.test(JSON.stringify(creates));

/** Replaces the names of this run in a text with the recording's tokens, such as `<app#1>`. */
export type Normalize = (text: string) => string;

const durations = /\b(\d+(\.\d+)?(h|m|s|ms|µs|ns))+\b/g;

export function normalizerFor(recording: Recording, seen: ReplayObservations): Normalize {
  const replacements: [string, string][] = [
    ...seen.uids.map((uid, index): [string, string] => [uid, recording.pod.uids[index] ?? uid]),
    [seen.rootDir, '/var/lib/kubelet'],
    [seen.rootDir.replace(/kubelet$/, 'pods'), '/var/log/pods'],
    ...seen.podIPs.map((ip): [string, string] => [ip, '<podIP>']),
  ];
  /** Recordings of pods that had two UIDs append the first six characters of the UID to each token. */
  const uidMark = (uid: string): string => {
    const recorded = recording.pod.uids[seen.uids.indexOf(uid)];
    return recorded !== undefined && recording.pod.uids.length > 1 && hasUIDMarks(recording)
      ? `@${recorded.slice(0, 6)}`
      : '';
  };
  return (text) => {
    let result = text;
    for (const [from, to] of replacements) result = result.replaceAll(from, to);
    return result.replace(/\b[0-9a-f]{64}\b/g, (id) => {
      const known = seen.trace.ids.get(id);
      return known ? `<${known.container}#${known.attempt}${uidMark(known.uid)}>` : id;
    });
  };
}

/**
 * Replaces the parts that may differ between two runs: image ids, measured durations, the engine's directory of a
 * container's files, and the local end of a connection. Also sorts parts that come from a Go map.
 */
export const neutral = (text: string): string =>
  text
    .replace(/sha256:[0-9a-f]{64}/g, '<image>')
    .replace(/\/var\/lib\/docker\/[\w.-]+\/[0-9a-f]{64}(\/merged)?/g, '<rootfs>')
    .replace(/(?<=\b(read|write) tcp )\S+(?=->)/g, '<local>')
    .replace(/(?<=volumes=\[)[^\]]*(?=\])/g, (names) => names.split(' ').toSorted().join(' '))
    .replace(/(?<= in )\S+$/g, (rest) => rest.replace(durations, '<duration>'));

/** Applies a function to every text inside a JSON value. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]));
}
