/** The metrics of a container's files: its layer, the file system below it, its device I/O, what it holds open. */
import { counter, gauge, type MetricDefinition, type MetricSource, needing, type Reading } from './metric-definition.ts';

type Direction = 'read' | 'write';

const deviceName = ({ major, minor }: { readonly major: number; readonly minor: number }): string => `${major}:${minor}`;

/** Sums by device. What did no I/O has no device, and a zero. */
function byDevice(source: MetricSource, counters: 'io_service_bytes_recursive' | 'io_serviced_recursive', direction: Direction): Reading[] {
  const entries = source.stats.blkio_stats[counters].filter(({ op }) => op.toLowerCase() === direction);
  if (entries.length === 0) return [{ labels: [''], value: 0 }];
  return entries.map((entry) => ({ labels: [deviceName(entry)], value: entry.value }));
}

const io = (name: string, help: string, counters: Parameters<typeof byDevice>[1], direction: Direction): MetricDefinition =>
  counter(name, help, (source) => byDevice(source, counters, direction), ['device']);

type Local = NonNullable<MetricSource['local']>;

/** Only where this machine's files tell. */
const local =
  (read: (local: Local, source: MetricSource) => Reading) =>
  (source: MetricSource): Reading[] =>
    source.local ? [read(source.local, source)] : [];

const layerLabel = [''];

/** Of each container. */
export const diskMetrics: readonly MetricDefinition[] = [
  counter(
    'container_blkio_device_usage_total',
    'Blkio device bytes usage.',
    ({ stats }) => {
      const entries = stats.blkio_stats.io_service_bytes_recursive;
      if (entries.length === 0) return [{ labels: ['', '', '', ''], value: 0 }];
      return entries.map(({ major, minor, op, value }) => ({ labels: [deviceName({ major, minor }), String(major), String(minor), op], value }));
    },
    ['device', 'major', 'minor', 'operation'],
  ),
  io('container_fs_reads_bytes_total', 'Cumulative count of bytes read.', 'io_service_bytes_recursive', 'read'),
  io('container_fs_reads_total', 'Cumulative count of reads completed.', 'io_serviced_recursive', 'read'),
  io('container_fs_writes_bytes_total', 'Cumulative count of bytes written.', 'io_service_bytes_recursive', 'write'),
  io('container_fs_writes_total', 'Cumulative count of writes completed.', 'io_serviced_recursive', 'write'),
  gauge(
    'container_fs_usage_bytes',
    'Number of bytes that are consumed by the container on this filesystem.',
    ({ container }) => [{ labels: layerLabel, value: container.SizeRw ?? 0 }],
    ['device'],
  ),
  ...needing('localFiles', [
    gauge(
      'container_fs_limit_bytes',
      'Number of bytes that can be consumed by the container on this filesystem.',
      local(({ fileSystem }) => ({ labels: layerLabel, value: fileSystem.bytes })),
      ['device'],
    ),
    gauge(
      'container_fs_inodes_total',
      'Number of Inodes.',
      local(({ fileSystem }) => ({ labels: layerLabel, value: fileSystem.inodes })),
      ['device'],
    ),
    gauge(
      'container_fs_inodes_free',
      'Number of available Inodes.',
      local(({ fileSystem }) => ({ labels: layerLabel, value: fileSystem.freeInodes })),
      ['device'],
    ),
    gauge(
      'container_file_descriptors',
      'Number of open file descriptors for the container.',
      local(({ fileDescriptors }) => ({ value: fileDescriptors })),
    ),
    gauge(
      'container_sockets',
      'Number of open sockets for the container.',
      local(({ sockets }) => ({ value: sockets })),
    ),
    gauge(
      'container_ulimits_soft',
      'Soft ulimit values for the container root process. Unlimited if -1, except priority and nice.',
      local(({ openFilesLimit }) => ({ labels: ['max_open_files'], value: openFilesLimit })),
      ['ulimit'],
    ),
  ]),
];
