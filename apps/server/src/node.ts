/** Exports the parts of the server that give a kubelet access to this machine, for other programs. */

export { parseStaticPod } from './manifests/static-pod.ts';
export { openNodeCgroups } from './os/cgroups/node-cgroups.ts';
export { machineFacts, nodeConfiguration } from './os/node-facts.ts';
export { openNodeOS } from './os/node-os.ts';
export { nodeGrpcProber } from './os/probers/grpc-prober.ts';
export { nodeHttpProber } from './os/probers/http-prober.ts';
export { nodeTcpProber } from './os/probers/tcp-prober.ts';
