/**
 * Serves the current usage of pods and the node for `kubectl top`. Upstream: metrics-server's storage
 * (metrics.k8s.io/v1beta1).
 */
import { badRequest, methodNotSupported, notFound } from '@podscope/apiserver';
import { type Pod, parseFieldSelector, parseLabelSelector, SelectorError } from '@podscope/k8s';
import type { NodeHost } from '@podscope/node';
import { formatTime } from '@podscope/trace';
import type { Request, Response } from 'express';
import type { ContainerUsage, StatsProvider, Usage } from '../kubelet-api/stats/stats-provider.ts';
import type { Presentation } from './answers.ts';
import { textParameter } from './requests/parameters.ts';
import type { ApiRequest } from './requests/request-info.ts';

export interface MetricsSources {
  readonly nodeHost: NodeHost;
  readonly stats: StatsProvider;
}

const apiVersion = 'metrics.k8s.io/v1beta1';

const usage = ({ cpuNanoCores, workingSetBytes }: Usage): object => ({
  cpu: `${Math.round(cpuNanoCores)}n`,
  memory: `${Math.ceil(workingSetBytes / 1024)}Ki`,
});

/** Handles a request of the metrics group. @throws ApiError NotFound or MethodNotAllowed */
export async function handleMetrics(
  sources: MetricsSources,
  target: ApiRequest,
  request: Request,
  response: Response,
  presentation: Presentation,
): Promise<void> {
  const { resource, name } = target;
  if (request.method !== 'GET') throw methodNotSupported(resource.name, request.method.toLowerCase());
  const items =
    resource.name === 'nodes'
      ? await nodeMetrics(sources)
      : await podMetrics(sources, target.namespace, selectedBy(request));
  if (name === undefined) {
    presentation.send(response, 200, { kind: `${resource.kind}List`, apiVersion, metadata: {}, items });
    return;
  }
  const found = items.find(({ metadata }) => metadata.name === name);
  if (!found) throw notFound(`${resource.name}.metrics.k8s.io`, name);
  presentation.send(response, 200, found);
}

function selectedBy(request: Request): (pod: Pod) => boolean {
  try {
    const labels = parseLabelSelector(textParameter(request, 'labelSelector') ?? '');
    const fields = parseFieldSelector(textParameter(request, 'fieldSelector') ?? '', 'Pod');
    return (pod) => labels.matches(pod.metadata.labels) && fields.matches(pod);
  } catch (error) {
    throw error instanceof SelectorError ? badRequest(error.message) : error;
  }
}

interface Metrics {
  readonly metadata: { readonly name: string };
}

const heading = ({ nodeHost }: MetricsSources, kind: string) => {
  const now = formatTime(nodeHost.clock.now());
  return { kind, apiVersion, now };
};

async function nodeMetrics(sources: MetricsSources): Promise<readonly Metrics[]> {
  const { nodeHost, stats } = sources;
  const { node, windowMs } = await stats.read();
  const { kind, now } = heading(sources, 'NodeMetrics');
  return nodeHost.api.storage.list('Node').map(({ metadata: { name, labels } }) => ({
    kind,
    apiVersion,
    metadata: { name, labels, creationTimestamp: now },
    timestamp: now,
    window: seconds(windowMs),
    usage: usage(node),
  }));
}

async function podMetrics(
  sources: MetricsSources,
  namespace: string | undefined,
  isSelected: (pod: Pod) => boolean,
): Promise<readonly Metrics[]> {
  const { nodeHost, stats } = sources;
  const { containers, windowMs } = await stats.read();
  const { kind, now } = heading(sources, 'PodMetrics');
  const ofPod = Map.groupBy(containers, ({ podUID }) => podUID);
  return nodeHost.api.storage.list('Pod', namespace).flatMap((pod) => {
    const own: readonly ContainerUsage[] =
      ofPod.get(nodeHost.kubelet.podManager.translatePodUID(pod.metadata.uid)) ?? [];
    if (own.length === 0 || !isSelected(pod)) return [];
    const { name, namespace: podNamespace, labels } = pod.metadata;
    return [
      {
        kind,
        apiVersion,
        metadata: { name, namespace: podNamespace, labels, creationTimestamp: now },
        timestamp: now,
        window: seconds(windowMs),
        containers: own.map((container) => ({ name: container.container, usage: usage(container) })),
      },
    ];
  });
}

/** Formats milliseconds as a Go duration in seconds. */
const seconds = (ms: number): string => `${(ms / 1000).toFixed(3)}s`;
