/**
 * Reads the counters of a sandbox's network interfaces from procfs. The engine counts only the interfaces of its own
 * networks, so it reports no counters for a sandbox that CNI plugins connected.
 */
import { readFile } from 'node:fs/promises';
import type { ContainerInspect, DockerStats } from '../docker/schemas.ts';
import type { EngineFacts } from '../engine/facts.ts';

type Networks = DockerStats['networks'];

const loopback = 'lo';

/** Returns the counters in the text of `/proc/PID/net/dev`, by interface name and without the loopback interface. */
export function parseNetworkCounters(text: string): Networks {
  const lines = text.split('\n').slice(2);
  return Object.fromEntries(
    lines.flatMap((line): [string, Networks[string]][] => {
      const colon = line.lastIndexOf(':');
      const name = line.slice(0, colon).trim();
      if (colon < 0 || name === loopback) return [];
      const numbers = line
        .slice(colon + 1)
        .trim()
        .split(/\s+/)
        .map(Number);
      const at = (column: number): number => numbers[column] ?? 0;
      const counters = {
        rx_bytes: at(0),
        rx_packets: at(1),
        rx_errors: at(2),
        rx_dropped: at(3),
        tx_bytes: at(8),
        tx_packets: at(9),
        tx_errors: at(10),
        tx_dropped: at(11),
      };
      return [[name, counters]];
    }),
  );
}

/** Returns the sandbox's statistics. If the engine reports no interfaces, adds the counters in this machine's files. */
export async function withNetworkCounters(
  stats: DockerStats,
  { isLocal }: Pick<EngineFacts, 'isLocal'>,
  { State, HostConfig }: ContainerInspect,
): Promise<DockerStats> {
  if (!isLocal || State.Pid <= 0 || HostConfig.NetworkMode === 'host' || Object.keys(stats.networks).length > 0)
    return stats;
  const text = await readFile(`/proc/${State.Pid}/net/dev`, 'utf8').catch(() => '');
  return { ...stats, networks: parseNetworkCounters(text) };
}
