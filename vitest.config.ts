/** Configures the unit tests and the tests on Docker. */
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, longest first: a long file that starts last would prolong the run. */
const longFiles = [
  'kubectl.docker',
  'scenarios.docker',
  'pod-flow.docker',
  'kubectl-streams.docker',
  'chaos.docker',
  'contract.docker',
  'main',
  'store/kill',
  'explain/explain',
  'conformance/conformance',
  'library',
];

/** `PODSCOPE_TEST_LONG=1` runs what takes too long for every run. */
const isLong = process.env['PODSCOPE_TEST_LONG'] === '1';

/** The container image, and the contract suite beyond dockershim and the simulator: pods run on those in every run. */
const longOnly = [
  'packages/dockershim/src/service/contract-grpc.docker.test.ts',
  'apps/server/src/runtime/containerd-contract.docker.test.ts',
  'apps/server/src/relay/contract.docker.test.ts',
  'apps/server/src/relay/containerd-contract.docker.test.ts',
  // Builds the package.
  'apps/package/src/image/image.docker.test.ts',
];

/** How long `expect.poll` waits for a condition, in milliseconds. */
const patience = 30_000;

class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = longFiles.findIndex((name) => moduleId.includes(`/${name}.test.`));
      return index === -1 ? longFiles.length : index;
    };
    return Promise.resolve(files.toSorted((a, b) => rank(a) - rank(b)));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Long enough to find and remove what tests left behind.
    teardownTimeout: 30_000,
    projects: [
      {
        test: {
          name: 'unit',
          // Skips what the machine lacks, with the reason.
          runner: './scripts/test-run/runner.ts',
          include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/*.docker.test.ts', '**/node_modules/**'],
          // Other tests run beside these on two cores: the limits are for tests that hang, not for slow ones.
          testTimeout: 180_000,
          expect: { poll: { timeout: patience } },
          hookTimeout: 60_000,
          // The engine is a few hundred modules: each worker loads them once. A test must not change anything global.
          isolate: false,
        },
      },
      {
        // The page's components, rendered in a simulated browser: react-dom must load after that browser exists.
        test: {
          name: 'page',
          environment: 'jsdom',
          include: ['apps/web/src/**/*.test.tsx'],
          setupFiles: ['apps/web/src/base/testing/component-test.ts'],
          // React and react-aria load once a worker. A test leaves nothing mounted.
          isolate: false,
          testTimeout: 60_000,
          expect: { poll: { timeout: patience } },
        },
      },
      {
        test: {
          name: 'docker',
          runner: './scripts/test-run/runner.ts',
          include: [
            'packages/*/src/**/*.docker.test.ts',
            'apps/*/src/**/*.docker.test.ts',
            'e2e/flow/**/*.docker.test.ts',
          ],
          exclude: ['**/node_modules/**', ...(isLong ? [] : longOnly)],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: patience } },
          // Each worker loads the engine once. A test must not change anything global.
          isolate: false,
          // Each file has an instance of its own and touches nothing of the others. Nothing may be left at the end.
          globalSetup: ['scripts/test-run/global-setup.ts'],
          maxWorkers: 3,
          // Pods run side by side: each mostly waits.
          maxConcurrency: 12,
        },
      },
    ],
  },
});
