/** What a metric of a container or pod is: its description, and how it is read. */
import type { MetricType } from '@podscope/cri';
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

/** A value, with the values of the metric's own labels. */
export interface Reading {
  readonly labels?: readonly string[];
  readonly value: number;
}

/** A metric: how it is described, and its readings. */
export interface MetricDefinition {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  /** Beside those that say whose it is. */
  readonly labelKeys?: readonly string[];
  /** Without it there is no such metric. */
  readonly needs?: MetricNeed;
  readonly read: (source: MetricSource) => readonly Reading[];
}

/** A value that only grows. */
export const counter = (name: string, help: string, read: MetricDefinition['read'], labelKeys: readonly string[] = []): MetricDefinition => ({
  name,
  help,
  type: 'COUNTER',
  labelKeys,
  read,
});
/** A value of the moment. */
export const gauge = (name: string, help: string, read: MetricDefinition['read'], labelKeys: readonly string[] = []): MetricDefinition => ({
  name,
  help,
  type: 'GAUGE',
  labelKeys,
  read,
});

/** The same metrics, of machines that have `needs`. */
export const needing = (needs: MetricNeed, definitions: readonly MetricDefinition[]): MetricDefinition[] =>
  definitions.map((definition) => ({ ...definition, needs }));
