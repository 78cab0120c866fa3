/** Configures the tests of the dashboard: one simulated node and one dashboard for each worker. */
import { defineConfig } from '@playwright/test';
import type { PodscopeOptions } from '@podscope/playwright';

export default defineConfig<PodscopeOptions>({
  testDir: 'tests',
  // Each worker has a node and a dashboard of its own.
  fullyParallel: true,
  reporter: [['list'], ['html', { open: 'never' }]],
  use: {
    // A path for machines that have a browser already; otherwise `npx playwright install chromium`.
    launchOptions: process.env['CHROMIUM'] ? { executablePath: process.env['CHROMIUM'], args: ['--no-sandbox'] } : {},
    podscopeServer: {
      simulation: {
        seed: 1,
        registries: [{ host: 'registry.example.com', missingRepositories: ['shop/checkout'] }],
      },
    },
  },
});
