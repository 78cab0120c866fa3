/** Defines the disk metrics of a container: writable layer, file system, device I/O, open files. */
import type { ContainerMetricName, MetricReading } from '@podscope/cri';
import { type MetricDefinition, type MetricSource, metric, needing } from './metric-definition.ts';

type Direction = 'read' | 'write';

const deviceName = ({ major, minor }: { readonly major: number; readonly minor: number }): string =>
  `${major}:${minor}`;

/** Returns the sums by device. If no I/O has happened, returns a single 0 without a device. */
function byDevice(
  source: MetricSource,
  counters: 'io_service_bytes_recursive' | 'io_serviced_recursive',
  direction: Direction,
): MetricReading[] {
  const entries = source.stats.blkio_stats[counters].filter(({ op }) => op.toLowerCase() === direction);
  if (entries.length === 0) return [{ labels: [''], value: 0 }];
  return entries.map((entry) => ({ labels: [deviceName(entry)], value: entry.value }));
}

const io = (
  name: ContainerMetricName,
  counters: Parameters<typeof byDevice>[1],
  direction: Direction,
): MetricDefinition => metric(name, (source) => byDevice(source, counters, direction));

type Local = NonNullable<MetricSource['local']>;

/** Returns a metric that is read from files of this machine. */
const local =
  (read: (local: Local, source: MetricSource) => MetricReading) =>
  (source: MetricSource): MetricReading[] =>
    source.local ? [read(source.local, source)] : [];

const layerLabel = [''];

/** The metrics of a container that concern disks and files. */
export const diskMetrics: readonly MetricDefinition[] = [
  metric('container_blkio_device_usage_total', ({ stats }) => {
    const entries = stats.blkio_stats.io_service_bytes_recursive;
    if (entries.length === 0) return [{ labels: ['', '', '', ''], value: 0 }];
    return entries.map(({ major, minor, op, value }) => ({
      labels: [deviceName({ major, minor }), String(major), String(minor), op],
      value,
    }));
  }),
  io('container_fs_reads_bytes_total', 'io_service_bytes_recursive', 'read'),
  io('container_fs_reads_total', 'io_serviced_recursive', 'read'),
  io('container_fs_writes_bytes_total', 'io_service_bytes_recursive', 'write'),
  io('container_fs_writes_total', 'io_serviced_recursive', 'write'),
  metric('container_fs_usage_bytes', ({ container }) => [{ labels: layerLabel, value: container.SizeRw ?? 0 }]),
  ...needing('localFiles', [
    metric(
      'container_fs_limit_bytes',
      local(({ fileSystem }) => ({ labels: layerLabel, value: fileSystem.bytes })),
    ),
    metric(
      'container_fs_inodes_total',
      local(({ fileSystem }) => ({ labels: layerLabel, value: fileSystem.inodes })),
    ),
    metric(
      'container_fs_inodes_free',
      local(({ fileSystem }) => ({ labels: layerLabel, value: fileSystem.freeInodes })),
    ),
    metric(
      'container_file_descriptors',
      local(({ fileDescriptors }) => ({ value: fileDescriptors })),
    ),
    metric(
      'container_sockets',
      local(({ sockets }) => ({ value: sockets })),
    ),
    metric(
      'container_ulimits_soft',
      local(({ openFilesLimit }) => ({ labels: ['max_open_files'], value: openFilesLimit })),
    ),
  ]),
];
