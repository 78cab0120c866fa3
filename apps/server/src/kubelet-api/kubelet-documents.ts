/**
 * Builds the kubelet's read-only documents: pods, running pods and configuration. Upstream: pkg/kubelet/server (v1.36).
 */

import type { Pod } from '@podscope/k8s';
import {
  defaultImageGCPolicy,
  defaultLogRotatePolicy,
  type ImageGCPolicy,
  type NodeConfiguration,
} from '@podscope/kubelet';
import type { RuntimePod } from '@podscope/kuberuntime';
import type { NodeHost } from '@podscope/node';

const podList = (items: readonly unknown[]): unknown => ({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items });

/** Returns the document of `/pods`: the desired pods with their current statuses. */
export const podsOf = ({ kubelet }: NodeHost): unknown =>
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
  spec: {
    containers: containers.map((container) => ({ name: container.name, image: container.image, resources: {} })),
  },
  status: {},
});

/** Returns the document of `/runningpods`: the pods with containers in the runtime. */
export async function runningPodsOf(nodeHost: NodeHost): Promise<unknown> {
  return podList((await nodeHost.kubelet.runtimeManager.getPods(nodeHost.context('api'), false)).map(asPod));
}

/** Formats a Go duration as in the kubelet's configuration. */
const duration = (seconds: number): string => (seconds % 60 === 0 ? `${seconds / 60}m0s` : `${seconds}s`);

/** Returns the document of `/configz`, the current settings. Upstream: KubeletConfiguration v1beta1. */
export const configOf = (
  node: NodeConfiguration,
  manifestDirectory: string | undefined,
  imageGC: ImageGCPolicy | undefined,
): unknown => ({
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
    // A threshold of 100 disables image garbage collection.
    imageGCHighThresholdPercent: imageGC?.highThresholdPercent ?? 100,
    imageGCLowThresholdPercent: imageGC?.lowThresholdPercent ?? defaultImageGCPolicy.lowThresholdPercent,
    cgroupsPerQOS: node.cgroupsPerQOS,
    cgroupDriver: node.cgroupDriver,
    maxPods: node.maxPods,
    podLogsDir: node.podLogsDir,
    containerLogMaxSize: '10Mi',
    containerLogMaxFiles: defaultLogRotatePolicy.maxFiles,
    containerLogMaxWorkers: 1,
    containerLogMonitorInterval: duration(10),
    cpuCFSQuota: node.cpuCFSQuota,
    seccompDefault: node.seccompDefault,
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
  },
});
