/**
 * Names the test files that don't do the same in every run: those that do more in the long tier, which
 * `PODSCOPE_TEST_LONG=1` tells them, and those that `--changed` omits.
 */

/** Parts of the paths of unit test files, which vitest uses as filters. */
export const longUnitFiles: readonly string[] = [
  'apps/server/src/store/kill.test.ts',
  'apps/relay/src/supervisor.test.ts',
  'apps/server/src/relay/kill.test.ts',
  'apps/lab/src/conformance/explain/explain.test.ts',
  // All tests that need the built package.
  'apps/package',
];

/**
 * The files of tests on Docker that run in the long tier only: other tests run pods on these runtimes in every run, and
 * chaos starts an engine and servers of its own.
 */
export const longOnlyDockerFiles: readonly string[] = [
  'packages/dockershim/src/service/contract-grpc.docker.test.ts',
  'apps/server/src/runtime/containerd-contract.docker.test.ts',
  'apps/server/src/relay/contract.docker.test.ts',
  'apps/server/src/relay/containerd-contract.docker.test.ts',
  'apps/server/src/relay/kill.docker.test.ts',
  'e2e/flow/shown-commands.docker.test.ts',
  'apps/lab/src/chaos/docker/chaos.docker.test.ts',
  // Builds the package.
  'apps/package/src/image/image.docker.test.ts',
];

/** The files of tests on Docker in the long tier. */
export const longDockerFiles: readonly string[] = [
  ...longOnlyDockerFiles,
  'apps/server/src/kill.docker.test.ts',
  'e2e/flow/pod-flow.docker.test.ts',
  'e2e/flow/scenarios.docker.test.ts',
];

/**
 * Test files that run much of the product at once, and so depend on nearly every package. With `--changed` they run
 * only if their own package has changed: together they take longer than all other tests that a change affects.
 */
const crossPackageFiles: readonly string[] = [
  'apps/cli/src/cri/simulator.test.ts',
  'apps/cli/src/dap/dap-conversations.test.ts',
  'apps/cli/src/runs/explain-snapshot.test.ts',
  'apps/lab/src/bench/class/class.test.ts',
  'apps/lab/src/bench/why.test.ts',
  'apps/lab/src/chaos/chaos.test.ts',
  'apps/lab/src/conformance/explain/explain.test.ts',
  'apps/server/src/debug/debug-conversations.test.ts',
  'apps/server/src/http/backpressure.test.ts',
  'apps/server/src/observe/traces/traces.test.ts',
  'apps/server/src/relay/contract.test.ts',
  'apps/server/src/relay/kill.test.ts',
  'apps/server/src/relay/observed-node.test.ts',
  'apps/server/src/relay/recorded-faults.test.ts',
  'apps/server/src/relay/same-flows.test.ts',
  'apps/server/src/relay/serve-observed.test.ts',
  'apps/server/src/security/secrets.test.ts',
  'apps/server/src/state/full-disk.test.ts',
  'packages/scenarios/src/determinism.test.ts',
  'scripts/docs/adding.test.ts',
  'scripts/docs/execute.test.ts',
];

/** Returns `apps/lab` for `apps/lab/src/…`, and `scripts` for `scripts/…`. */
const packageOf = (file: string): string => /^(?:packages|apps)\/[^/]+|^[^/]+/.exec(file)?.[0] ?? file;

/** Returns the test files that `--changed` omits. @param changed changed files, relative to the root */
export function omittedFiles(changed: readonly string[]): readonly string[] {
  const packages = new Set(changed.map(packageOf));
  return crossPackageFiles.filter((file) => !packages.has(packageOf(file)));
}
