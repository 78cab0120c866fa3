/** Makes the two sides speak of the same things by the same names: UIDs, ids, paths and addresses become tokens. */
import type { Recording } from '../recording.ts';
import type { SeenHere } from '../run/replay.ts';

/** Texts of this side, in the recording's words. */
export type Normalize = (text: string) => string;

const durations = /\b(\d+(\.\d+)?(h|m|s|ms|µs|ns))+\b/g;

export function normalizerFor(recording: Recording, seen: SeenHere): Normalize {
  const replacements: [string, string][] = [
    ...seen.uids.map((uid, index): [string, string] => [uid, recording.pod.uids[index] ?? uid]),
    [seen.rootDir, '/var/lib/kubelet'],
    [seen.rootDir.replace(/kubelet$/, 'pods'), '/var/log/pods'],
    ...seen.podIPs.map((ip): [string, string] => [ip, '<podIP>']),
  ];
  return (text) => {
    let result = text;
    for (const [from, to] of replacements) result = result.replaceAll(from, to);
    return result.replace(/\b[0-9a-f]{64}\b/g, (id) => {
      const known = seen.trace.ids.get(id);
      return known ? `<${known.container}#${known.attempt}>` : id;
    });
  };
}

/**
 * What neither side's text should differ by: image ids, measured times, where the engine keeps a container's files, the own end of a connection,
 * and the order of what comes out of a map.
 */
export const neutral = (text: string): string =>
  text
    .replace(/sha256:[0-9a-f]{64}/g, '<image>')
    .replace(/\/var\/lib\/docker\/[\w.-]+\/[0-9a-f]{64}(\/merged)?/g, '<rootfs>')
    .replace(/(?<=\b(read|write) tcp )\S+(?=->)/g, '<local>')
    .replace(/(?<=volumes=\[)[^\]]*(?=\])/g, (names) => names.split(' ').toSorted().join(' '))
    .replace(/(?<= in )\S+$/g, (rest) => rest.replace(durations, '<duration>'));

/** Every text inside a JSON value. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]));
}
