/** Lists the needs of whole test files. Every test on Docker also needs an engine. */
import type { Capability } from './capabilities.ts';

/** The needs of test files, by the end of the path. A single test specifies its needs as `meta: { needs: [...] }`. */
export const fileNeeds: Readonly<Record<string, readonly Capability[]>> = {
  'apps/lab/src/chaos/docker/chaos.docker.test.ts': ['namespaces', 'dockerd'],
  // This test builds a base image from this machine's programs, and mounts its directories.
  'apps/package/src/image/image.docker.test.ts': ['root', 'local-docker'],
  // This test writes resolv.conf, creates cgroups, and probes the pods' addresses, like the recorded kubelets.
  'apps/lab/src/twin/twin.docker.test.ts': ['mounts'],
  'apps/server/src/debug/debugger.docker.test.ts': ['root', 'local-docker', 'cni'],
  'apps/server/src/runtime/dockershim-process/cri-over-grpc.docker.test.ts': ['local-docker'],
  'apps/server/src/kill.docker.test.ts': ['local-docker'],
  'apps/server/src/kubectl-streams.docker.test.ts': ['kubectl', 'local-docker', 'script'],
  'apps/server/src/kubectl.docker.test.ts': ['kubectl', 'local-docker'],
  'apps/server/src/os/mounts.docker.test.ts': ['mounts'],
  'apps/server/src/os/subpaths.docker.test.ts': ['mounts'],
  'apps/server/src/relay/containerd-contract.docker.test.ts': ['root', 'containerd', 'cni'],
  'apps/server/src/runtime/containerd-contract.docker.test.ts': ['root', 'containerd', 'cni'],
  'e2e/flow/kubelet.docker.test.ts': ['local-docker', 'openssl'],
  'e2e/flow/resize.docker.test.ts': ['local-docker'],
  'e2e/flow/scenarios.docker.test.ts': ['local-docker', 'registry'],
  // The contract suite tests users, cgroups and namespaces. For a rootless engine, they differ from those of the host.
  'apps/server/src/relay/contract.docker.test.ts': ['local-docker'],
  'packages/dockershim/src/service/contract.docker.test.ts': ['local-docker'],
  'packages/dockershim/src/service/contract-grpc.docker.test.ts': ['local-docker'],
  // The command lines use sockets in /run/podscope, and run pods on Docker.
  'e2e/flow/shown-commands.docker.test.ts': ['root', 'local-docker', 'kubectl', 'openssl'],
  'packages/dockershim/src/image/pull-image.docker.test.ts': ['registry', 'local-docker'],
  'packages/dockershim/src/network/cni/cni.docker.test.ts': ['root', 'local-docker', 'cni'],
  'create-container.docker.test.ts': ['mounts'],
  'daemon-restart.docker.test.ts': ['namespaces', 'dockerd'],
};

/**
 * Returns the needs of a test file: an engine for tests on Docker, and more for some. @param path with forward slashes
 */
export function needsOfFile(path: string): readonly Capability[] {
  const more = Object.entries(fileNeeds).find(([end]) => path.endsWith(end))?.[1] ?? [];
  return path.endsWith('.docker.test.ts') ? ['docker', ...more] : more;
}
