/** Configures the unit tests and the tests on Docker. */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longOnlyDockerFiles } from './scripts/test-run/long-files.ts';

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

/** The test files that `test --changed` omits. */
const omitted = (process.env['PODSCOPE_TEST_OMITTED'] ?? '').split(',').filter(Boolean);

/** How long `expect.poll` waits for a condition, in milliseconds. Only a test that fails waits this long. */
const pollTimeout = 120_000;

/** Node itself loads the modules, as in the product. Vite's transformation takes a third more processor time. */
const onNode = { viteModuleRunner: false, nodeLoader: false };

class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = longFiles.findIndex((name) => moduleId.includes(`/${name}.test.`));
      return index === -1 ? longFiles.length : index;
    };
    // The search for files returns them in any order. In each run the same files share a worker's modules.
    return Promise.resolve(files.toSorted((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1)));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          experimental: onNode,
          // Skips what the machine lacks, with the reason.
          runner: './scripts/test-run/runner.ts',
          include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['apps/web/**', '**/*.docker.test.ts', '**/node_modules/**', ...omitted],
          // Other tests run beside these on two cores: the limits are for tests that hang, not for slow ones.
          testTimeout: 300_000,
          expect: { poll: { timeout: pollTimeout } },
          hookTimeout: 180_000,
          // The engine is a few hundred modules: each worker loads them once. A test must not change anything global.
          isolate: false,
          // One less than there are processors, the default, would be one on a machine with two.
          maxWorkers: Math.max(2, availableParallelism() - 1),
        },
      },
      {
        // The page, in a simulated browser: react-dom must load after that browser exists. Vite transforms its modules.
        test: {
          name: 'page',
          environment: 'jsdom',
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          setupFiles: ['apps/web/src/base/testing/component-test.ts'],
          // React and react-aria load once a worker. A test leaves nothing mounted.
          isolate: false,
          testTimeout: 240_000,
          expect: { poll: { timeout: pollTimeout } },
        },
      },
      {
        test: {
          name: 'docker',
          experimental: onNode,
          runner: './scripts/test-run/runner.ts',
          include: [
            'packages/*/src/**/*.docker.test.ts',
            'apps/*/src/**/*.docker.test.ts',
            'e2e/flow/**/*.docker.test.ts',
          ],
          exclude: ['**/node_modules/**', ...(isLong ? [] : longOnlyDockerFiles)],
          testTimeout: 400_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: pollTimeout } },
          // Each worker loads the engine once. A test must not change anything global.
          isolate: false,
          // Each test file has its own instance and doesn't touch those of other files. The run fails if anything is
          // left behind.
          globalSetup: ['scripts/test-run/global-setup.ts'],
          maxWorkers: 3,
          // Pods run side by side: each mostly waits.
          maxConcurrency: 12,
        },
      },
    ],
  },
});
