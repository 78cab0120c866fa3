/** The kubelet: the loop, pod workers, PLEG, status, and what feeds them. */
export type { HttpProber, KubeClient, KubeletDependencies, NodeConfiguration } from './dependencies.ts';
