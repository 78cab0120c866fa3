/** What the kubelet shows of itself: its pods, what runs, its settings. Upstream: pkg/kubelet/server (v1.36). */
import type { Cluster } from '@podscope/cluster';
import type { Pod } from '@podscope/k8s';
import { defaultImageGCPolicy, type ImageGCPolicy, type NodeConfiguration } from '@podscope/kubelet';
import type { RuntimePod } from '@podscope/kuberuntime';

const podList = (items: readonly unknown[]): unknown => ({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items });

/** `/pods`: the pods it should run, with the statuses it knows. */
export const podsOf = ({ kubelet }: Cluster): unknown =>
  podList(
    kubelet.podManager.getPods().map((pod): Pod => {
      const { managedFields: _, ...metadata } = pod.metadata;
      return { ...pod, metadata, status: kubelet.statusManager.getPodStatus(pod.metadata.uid) ?? pod.status };
    }),
  );

const asPod = ({ id, name, namespace, containers }: RuntimePod): unknown => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name, namespace, uid: id, creationTimestamp: null },
  spec: { containers: containers.map((container) => ({ name: container.name, image: container.image, resources: {} })) },
  status: {},
});

/** `/runningpods`: those that run containers, as the runtime knows them. */
export async function runningPodsOf(cluster: Cluster): Promise<unknown> {
  return podList((await cluster.kubelet.runtimeManager.getPods(cluster.context('api'), false)).map(asPod));
}

/** A Go duration as the kubelet's configuration has it. */
const duration = (seconds: number): string => (seconds % 60 === 0 ? `${seconds / 60}m0s` : `${seconds}s`);

/** `/configz`: the settings in force. Upstream: KubeletConfiguration v1beta1. */
export const configOf = (node: NodeConfiguration, manifestDirectory: string | undefined, imageGC: ImageGCPolicy | undefined): unknown => ({
  kubeletconfig: {
    ...(manifestDirectory === undefined ? {} : { staticPodPath: manifestDirectory }),
    syncFrequency: duration(60),
    fileCheckFrequency: duration(20),
    clusterDomain: node.clusterDomain,
    clusterDNS: node.clusterDNS,
    nodeStatusUpdateFrequency: duration(10),
    nodeStatusReportFrequency: duration(300),
    nodeLeaseDurationSeconds: 40,
    imageMinimumGCAge: duration(defaultImageGCPolicy.minAge / 1000),
    // 100 means that none are deleted.
    imageGCHighThresholdPercent: imageGC?.highThresholdPercent ?? 100,
    imageGCLowThresholdPercent: imageGC?.lowThresholdPercent ?? defaultImageGCPolicy.lowThresholdPercent,
    cgroupsPerQOS: node.cgroupsPerQOS,
    cgroupDriver: node.cgroupDriver,
    maxPods: node.maxPods,
    podLogsDir: node.podLogsDir,
    cpuCFSQuota: node.cpuCFSQuota,
    seccompDefault: node.seccompDefault,
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
  },
});
