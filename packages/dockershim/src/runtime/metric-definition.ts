/** Declares how metrics are read from the state of a container or sandbox. */
import type { ContainerMetricName, MetricReader } from '@podscope/cri';
import type { Instant } from '@podscope/trace';
import type { ContainerInspect, DockerStats } from '../docker/schemas.ts';
import type { CgroupReadings } from './cgroup-readings.ts';
import type { LocalReadings } from './local-readings.ts';

/** The state of a container or sandbox at one moment. */
export interface MetricSource {
  readonly container: ContainerInspect;
  readonly stats: DockerStats;
  readonly now: Instant;
  /** Present if the engine runs on this machine. */
  readonly local: LocalReadings | undefined;
  /** Present if the engine runs on this machine. */
  readonly cgroup: CgroupReadings | undefined;
}

/** Prerequisites that a machine may lack. */
export type MetricNeed = 'localFiles' | 'pressure' | 'hugePages';

/** A metric and its reader. */
export interface MetricDefinition extends MetricReader<MetricSource> {
  /** The prerequisite of the metric. */
  readonly needs?: MetricNeed;
}

export const metric = (name: ContainerMetricName, read: MetricDefinition['read']): MetricDefinition => ({ name, read });

/** Returns the metrics with a prerequisite. */
export const needing = (needs: MetricNeed, definitions: readonly MetricDefinition[]): MetricDefinition[] =>
  definitions.map((definition) => ({ ...definition, needs }));
