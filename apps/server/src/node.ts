/** What this machine gives a kubelet, for other composition roots than the server. */

export { parseStaticPod } from './manifests/static-pod.ts';
export { openNodeCgroups } from './os/cgroups/node-cgroups.ts';
export { nodeHttpProber } from './os/http-prober.ts';
export { machineFacts, nodeConfiguration } from './os/node-facts.ts';
export { openNodeOS } from './os/node-os.ts';
export { nodeTcpProber } from './os/tcp-prober.ts';
