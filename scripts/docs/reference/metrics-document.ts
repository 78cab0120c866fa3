/** Generates docs/reference/metrics.md from the meters of the kubelet's metrics endpoints. */
import { type DocumentedMetric, documentedMeters } from '../../../apps/server/src/kubelet-api/metrics/meters.ts';
import { resourceMetrics } from '../../../apps/server/src/kubelet-api/stats/resource-metrics.ts';
import { RuntimeMetrics, StartMetrics } from '../../../packages/kuberuntime/src/metrics/index.ts';
import { generatedNote } from './markdown.ts';

/** Returns the metrics in a text of Prometheus' format, from its lines with help and type. */
function inText(text: string): readonly DocumentedMetric[] {
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  return [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => ({
    name,
    help,
    type: types.get(name) ?? '',
  }));
}

const listed = (metrics: readonly (DocumentedMetric & { readonly note?: string })[]): readonly string[] => [
  ...metrics
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, help, note = '' }) => `- \`${name}\` (${type}${note}): ${help}`),
  '',
];

/** Returns the text of docs/reference/metrics.md. */
export async function metricsDocument(): Promise<string> {
  const v136 = [
    ...(await documentedMeters('v1.36')),
    ...new RuntimeMetrics().families(),
    ...new StartMetrics(() => 'container').families(),
  ];
  const v120 = [...(await documentedMeters('v1.20')), ...new RuntimeMetrics().families()];
  const has = (metrics: readonly DocumentedMetric[], name: string): boolean =>
    metrics.some((each) => each.name === name);
  const kubelet = [
    ...v136.map((each) => ({ ...each, ...(has(v120, each.name) ? {} : { note: ', v1.36 only' }) })),
    ...v120.flatMap((each) => (has(v136, each.name) ? [] : [{ ...each, note: ', v1.20 only' }])),
  ];
  const resource = await resourceMetrics({
    read: () => Promise.resolve({ node: { cpuNanoSeconds: 0, cpuNanoCores: 0, workingSetBytes: 0 }, containers: [] }),
  });
  return [
    generatedNote("the server's meters", 'metrics'),
    '',
    '# Metrics',
    '',
    '```sh',
    'export KUBECONFIG=~/.local/state/podscope/kubeconfig',
    'kubectl get --raw /api/v1/nodes/podscope/proxy/metrics',
    'kubectl get --raw /api/v1/nodes/podscope/proxy/metrics/resource',
    '```',
    '',
    "Names, labels and buckets are the kubelet's. `/metrics` also has the metrics of the Node process, `process_…` and",
    '`nodejs_…`. The tab **Metrics** of the page shows them up to the instant in view.',
    '',
    '## /metrics',
    '',
    ...listed(kubelet),
    '## /metrics/resource',
    '',
    ...listed(inText(resource.text)),
  ].join('\n');
}
