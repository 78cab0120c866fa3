/** Defines metric families and formats them in the text format of Prometheus. */

/** A time series; for a histogram, one line of it. */
export interface MetricSample {
  /** The name of the family; for a histogram with the suffix `_bucket`, `_sum` or `_count`. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A Prometheus metric family. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'histogram';
  readonly samples: readonly MetricSample[];
}

const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`).replaceAll('\n', String.raw`\n`);

/** Formats families in the text format of Prometheus (version 0.0.4). */
export function formatMetrics(families: readonly MetricFamily[]): string {
  const lines = families.flatMap(({ name, help, type, samples }) => [
    `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', String.raw`\n`)}`,
    `# TYPE ${name} ${type}`,
    ...samples.map((sample) => {
      const labels = Object.entries(sample.labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`);
      return `${sample.name}${labels.length > 0 ? `{${labels.join(',')}}` : ''} ${sample.value}`;
    }),
  ]);
  return `${lines.join('\n')}\n`;
}
