/** Exports what a kubelet needs from this machine, for programs other than the server. */

export { parseStaticPod } from './manifests/static-pod.ts';
export { openNodeCgroups } from './os/cgroups/node-cgroups.ts';
export { machineFacts, nodeConfiguration } from './os/node-facts.ts';
export { openNodeOS } from './os/node-os.ts';
export { nodeGrpcProber } from './os/probers/grpc-prober.ts';
export { nodeHttpProber } from './os/probers/http-prober.ts';
export { nodeTcpProber } from './os/probers/tcp-prober.ts';
