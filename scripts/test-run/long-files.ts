/** Names the test files that do more in the long tier, which `PODSCOPE_TEST_LONG=1` tells them. */

/** Parts of the paths of unit tests, as vitest's filters. */
export const longUnitFiles: readonly string[] = [
  'apps/server/src/store/kill.test.ts',
  'apps/relay/src/supervisor.test.ts',
  'apps/lab/src/conformance/explain/explain.test.ts',
  // All tests that need the built package.
  'apps/package',
];

/**
 * The files of tests on Docker that run in the long tier only, because other tests run pods on these runtimes in every
 * run.
 */
export const longOnlyDockerFiles: readonly string[] = [
  'packages/dockershim/src/service/contract-grpc.docker.test.ts',
  'apps/server/src/runtime/containerd-contract.docker.test.ts',
  'apps/server/src/relay/contract.docker.test.ts',
  'apps/server/src/relay/containerd-contract.docker.test.ts',
  'e2e/flow/shown-commands.docker.test.ts',
  // Builds the package.
  'apps/package/src/image/image.docker.test.ts',
];

/** The files of tests on Docker in the long tier. */
export const longDockerFiles: readonly string[] = [
  ...longOnlyDockerFiles,
  'apps/server/src/kill.docker.test.ts',
  'apps/lab/src/chaos/docker/chaos.docker.test.ts',
  'e2e/flow/pod-flow.docker.test.ts',
  'e2e/flow/scenarios.docker.test.ts',
];
