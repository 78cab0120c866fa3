/** Defines metric families and formats them in Prometheus' text format. */

/** One time series, or one line of a histogram. */
export interface MetricSample {
  /** The family's name, for histograms with `_bucket`, `_sum` or `_count`. */
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

/** Returns the families in Prometheus' text format (version 0.0.4). */
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
