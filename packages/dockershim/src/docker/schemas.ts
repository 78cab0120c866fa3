/**
 * Declares schemas for the answers of the Docker Engine, with the fields that dockershim reads. A missing field or null
 * gets its zero value.
 */
import { z } from 'zod';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const number = z
  .number()
  .nullish()
  .transform((value) => value ?? 0);
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
const texts = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);
const labels = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {});

export const versionSchema = z.object({
  Version: z.string(),
  ApiVersion: z.string(),
  MinAPIVersion: text,
  Os: text,
  KernelVersion: text,
});

export const infoSchema = z.object({
  Name: text,
  CgroupDriver: text,
  CgroupVersion: text,
  DefaultRuntime: text,
  DockerRootDir: text,
  LoggingDriver: text,
  OSType: text,
  Runtimes: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((value) => value ?? {}),
  /**
   * Security features like `apparmor` or `name=seccomp,profile=default`. The list depends on the kernel of the engine's
   * machine.
   */
  SecurityOptions: texts,
});

export const containerSummarySchema = z.object({
  Id: z.string(),
  Names: texts,
  Image: text,
  ImageID: text,
  Created: number,
  Labels: labels,
  State: text,
  Status: text,
});

const endpointSchema = z.object({ IPAddress: text, GlobalIPv6Address: text });

export const containerInspectSchema = z.object({
  Id: z.string(),
  Name: text,
  Created: text,
  /** The id of the container's image: `sha256:…`. */
  Image: text,
  ResolvConfPath: text,
  LogPath: text,
  SizeRw: z.number().nullish(),
  State: z.object({
    Status: text,
    Running: flag,
    OOMKilled: flag,
    Pid: number,
    ExitCode: number,
    Error: text,
    StartedAt: text,
    FinishedAt: text,
  }),
  Config: z.object({ Image: text, User: text, Labels: labels, Tty: flag, StopSignal: text }),
  HostConfig: z.object({
    NetworkMode: text,
    IpcMode: text,
    PidMode: text,
    Runtime: text,
    CpuPeriod: number,
    CpuQuota: number,
    CpuShares: number,
    CpusetCpus: text,
    CpusetMems: text,
    Memory: number,
    MemorySwap: number,
    OomScoreAdj: number,
    /** The mounts that the create request contained in the long form. */
    Mounts: z
      .array(z.object({ Source: text, Target: text, ImageOptions: z.object({ Subpath: text }).nullish() }))
      .nullish()
      .transform((value) => value ?? []),
  }),
  Mounts: z
    .array(z.object({ Type: text, Source: text, Destination: text, RW: flag, Propagation: text }))
    .nullish()
    .transform((value) => value ?? []),
  NetworkSettings: z
    .object({
      IPAddress: text,
      GlobalIPv6Address: text,
      Networks: z
        .record(z.string(), endpointSchema)
        .nullish()
        .transform((value) => value ?? {}),
    })
    .nullish(),
});

export const createdSchema = z.object({ Id: z.string(), Warnings: texts });

export const execInspectSchema = z.object({ Running: flag, ExitCode: z.number().nullish(), Pid: number });

export const imageInspectSchema = z.object({
  Id: z.string(),
  RepoTags: texts,
  RepoDigests: texts,
  Size: number,
  VirtualSize: number,
  Architecture: text,
  Os: text,
  Config: z
    .object({ User: text, Labels: labels })
    .nullish()
    .transform((value) => value ?? { User: '', Labels: {} }),
});

export const imageSummarySchema = z.object({
  Id: z.string(),
  RepoTags: texts,
  RepoDigests: texts,
  Size: number,
  VirtualSize: number,
});

/** The response of `GET /system/df`. */
export const diskUsageSchema = z.object({
  LayersSize: number,
  Containers: z
    .array(z.object({ SizeRw: number }))
    .nullish()
    .transform((value) => value ?? []),
});

const interfaceStatsSchema = z.object({
  rx_bytes: number,
  rx_errors: number,
  rx_packets: number,
  rx_dropped: number,
  tx_bytes: number,
  tx_errors: number,
  tx_packets: number,
  tx_dropped: number,
});

const blkioEntriesSchema = z
  .array(z.object({ major: number, minor: number, op: text, value: number }))
  .nullish()
  .transform((value) => value ?? []);

export const statsSchema = z.object({
  read: text,
  cpu_stats: z.object({
    cpu_usage: z.object({ total_usage: number, usage_in_kernelmode: number, usage_in_usermode: number }),
    throttling_data: z.object({ periods: number, throttled_periods: number, throttled_time: number }).prefault({}),
  }),
  memory_stats: z.object({
    usage: number,
    max_usage: number,
    failcnt: number,
    limit: number,
    stats: z
      .record(z.string(), z.number())
      .nullish()
      .transform((value) => value ?? {}),
  }),
  pids_stats: z
    .object({ current: number, limit: number })
    .nullish()
    .transform((value) => value ?? { current: 0, limit: 0 }),
  blkio_stats: z
    .object({ io_service_bytes_recursive: blkioEntriesSchema, io_serviced_recursive: blkioEntriesSchema })
    .prefault({}),
  networks: z
    .record(z.string(), interfaceStatsSchema)
    .nullish()
    .transform((value) => value ?? {}),
});

export const eventSchema = z.object({
  Type: text,
  Action: z.string(),
  Actor: z.object({ ID: z.string(), Attributes: labels }),
  /** The time in nanoseconds. Parsing the JSON rounds the number to a double. */
  timeNano: number,
  time: number,
});

/** A JSON object in the stream that answers `POST /images/create`. */
export const pullMessageSchema = z.object({
  id: z.string().nullish(),
  status: z.string().nullish(),
  progressDetail: z.object({ current: z.number().nullish(), total: z.number().nullish() }).nullish(),
  error: z.string().nullish(),
  errorDetail: z.object({ code: z.number().nullish(), message: text }).nullish(),
});

export type DockerVersion = z.output<typeof versionSchema>;
export type DockerInfo = z.output<typeof infoSchema>;
export type ContainerSummary = z.output<typeof containerSummarySchema>;
export type ContainerInspect = z.output<typeof containerInspectSchema>;
export type CreatedContainer = z.output<typeof createdSchema>;
export type ExecInspect = z.output<typeof execInspectSchema>;
export type ImageInspect = z.output<typeof imageInspectSchema>;
export type ImageSummary = z.output<typeof imageSummarySchema>;
export type DiskUsage = z.output<typeof diskUsageSchema>;
export type DockerStats = z.output<typeof statsSchema>;
export type DockerEvent = z.output<typeof eventSchema>;
export type PullMessage = z.output<typeof pullMessageSchema>;
