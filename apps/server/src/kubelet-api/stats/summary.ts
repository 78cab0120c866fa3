/** Builds the document of `/stats/summary`. Upstream: kubelet/pkg/apis/stats/v1alpha1 Summary (v1.36). */
import type { NodeHost } from '@podscope/node';
import { formatTime, instant } from '@podscope/trace';
import type { ContainerUsage, StatsProvider, Usage, UsageReport } from './stats-provider.ts';

const cpu = ({ cpuNanoCores, cpuNanoSeconds }: Usage, time: string): object => ({
  time,
  usageNanoCores: Math.round(cpuNanoCores),
  usageCoreNanoSeconds: Math.round(cpuNanoSeconds),
});

const containerStats = (usage: ContainerUsage, time: string): object => ({
  name: usage.container,
  cpu: cpu(usage, time),
  memory: { time, usageBytes: usage.usageBytes, workingSetBytes: usage.workingSetBytes, rssBytes: usage.rssBytes },
  rootfs: { time, usedBytes: usage.rootfsBytes },
});

function podStats({ api }: NodeHost, containers: readonly ContainerUsage[], time: string): object {
  const [first] = containers;
  const { pod: name = '', namespace = '', podUID: uid = '' } = first ?? {};
  const sum = (value: (each: ContainerUsage) => number): number =>
    containers.reduce((total, each) => total + value(each), 0);
  const total: Usage = {
    cpuNanoCores: sum(({ cpuNanoCores }) => cpuNanoCores),
    cpuNanoSeconds: sum(({ cpuNanoSeconds }) => cpuNanoSeconds),
    workingSetBytes: sum(({ workingSetBytes }) => workingSetBytes),
  };
  return {
    podRef: { name, namespace, uid },
    startTime: api.storage.get('Pod', namespace, name)?.status?.startTime ?? null,
    containers: containers.map((usage) => containerStats(usage, time)),
    cpu: cpu(total, time),
    memory: { time, workingSetBytes: total.workingSetBytes },
  };
}

/** Returns the summary of the node and its pods. */
export async function statsSummary(nodeHost: NodeHost, stats: StatsProvider): Promise<unknown> {
  const report: UsageReport = await stats.read();
  const { nodeName, startedAt } = nodeHost.nodeInfo();
  const time = formatTime(report.at);
  const pods = [...Map.groupBy(report.containers, ({ podUID }) => podUID).values()];
  return {
    node: {
      nodeName,
      startTime: formatTime(instant(startedAt)),
      cpu: cpu(report.node, time),
      memory: { time, workingSetBytes: report.node.workingSetBytes },
    },
    pods: pods.map((containers) => podStats(nodeHost, containers, time)),
  };
}
