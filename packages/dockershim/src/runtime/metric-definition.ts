/** Declares how metrics are computed from the state of a container or sandbox. */
import type { ContainerMetricName, MetricReader } from '@podscope/cri';
import type { Instant } from '@podscope/trace';
import type { ContainerInspect, DockerStats } from '../docker/schemas.ts';
import type { CgroupReadings } from './cgroup-readings.ts';
import type { LocalReadings } from './local-readings.ts';

/** The state of a container or sandbox at one instant. */
export interface MetricSource {
  readonly container: ContainerInspect;
  readonly stats: DockerStats;
  readonly now: Instant;
  /** Values from files of this machine; undefined if the engine runs on another machine. */
  readonly local: LocalReadings | undefined;
  /** Values from the cgroup; undefined if the engine runs on another machine. */
  readonly cgroup: CgroupReadings | undefined;
}

/** A prerequisite of a metric that a machine may lack. */
export type MetricNeed = 'localFiles' | 'pressure' | 'hugePages';

/** A metric and its reader. */
export interface MetricDefinition extends MetricReader<MetricSource> {
  /** The prerequisite of the metric. */
  readonly needs?: MetricNeed;
}

export const metric = (name: ContainerMetricName, read: MetricDefinition['read']): MetricDefinition => ({ name, read });

/** Returns the definitions with the prerequisite `needs` added to each of them. */
export const needing = (needs: MetricNeed, definitions: readonly MetricDefinition[]): MetricDefinition[] =>
  definitions.map((definition) => ({ ...definition, needs }));
