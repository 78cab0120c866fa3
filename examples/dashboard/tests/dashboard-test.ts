/** Extends the kit's `test` with the dashboard: one server for each worker, which talks to the worker's node. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { test as base } from '@podscope/playwright';

export { expect } from '@podscope/playwright';

export const test = base.extend<object, { readonly dashboardUrl: string }>({
  dashboardUrl: [
    async ({ kubeconfig }, use) => {
      const server = spawn(process.execPath, [resolve('server.mjs')], {
        env: { ...process.env, KUBECONFIG: kubeconfig, PORT: '0' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(server.stdout, 'data')) as [Buffer];
      await use(line.toString().trim());
      server.kill();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ dashboardUrl }, use) => use(dashboardUrl),
});
