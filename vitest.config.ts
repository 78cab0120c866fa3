import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, longest first: what begins last must not be what one waits for. */
const longFiles = [
  'kubectl.docker',
  'scenarios.docker',
  'pod-flow.docker',
  'kubectl-streams.docker',
  'chaos.docker',
  'contract-grpc.docker',
  'contract.docker',
  'main',
  'store/kill',
  'explain/explain',
  'conformance/conformance',
  'library',
];

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
    // Long enough to look for what tests left, and to take it away.
    teardownTimeout: 30_000,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          exclude: ['**/*.docker.test.ts', '**/node_modules/**'],
          // Other tests may run beside these: a limit is for what hangs, not for what is slow.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // The engine is a few hundred modules: each worker loads them once. No test may leave anything global changed.
          isolate: false,
        },
      },
      {
        test: {
          name: 'docker',
          include: ['packages/*/src/**/*.docker.test.ts', 'apps/*/src/**/*.docker.test.ts', 'e2e/flow/**/*.docker.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          // Each file has an instance of its own: what one makes, the others never touch. Nothing may be left at the end.
          globalSetup: ['scripts/test-run/global-setup.ts'],
          maxWorkers: 3,
          // Whole pods side by side: most of the time of each is waiting.
          maxConcurrency: 12,
        },
      },
    ],
  },
});
