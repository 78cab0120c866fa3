/** How dockershim reads the metrics of a container or pod. */
import type { ContainerMetricName, MetricReader } from '@podscope/cri';
import type { Instant } from '@podscope/trace';
import type { ContainerInspect, DockerStats } from '../docker/schemas.ts';
import type { CgroupReadings } from './cgroup-readings.ts';
import type { LocalReadings } from './local-readings.ts';

/** One container (or sandbox) at one moment. */
export interface MetricSource {
  readonly container: ContainerInspect;
  readonly stats: DockerStats;
  readonly now: Instant;
  /** Where the engine runs on this machine. */
  readonly local: LocalReadings | undefined;
  /** The same. */
  readonly cgroup: CgroupReadings | undefined;
}

/** What a machine may lack. */
export type MetricNeed = 'localFiles' | 'pressure' | 'hugePages';

/** A metric, and how it is read. */
export interface MetricDefinition extends MetricReader<MetricSource> {
  /** Without it there is no such metric. */
  readonly needs?: MetricNeed;
}

export const metric = (name: ContainerMetricName, read: MetricDefinition['read']): MetricDefinition => ({ name, read });

/** The same metrics, of machines that have `needs`. */
export const needing = (needs: MetricNeed, definitions: readonly MetricDefinition[]): MetricDefinition[] =>
  definitions.map((definition) => ({ ...definition, needs }));
