/** Shares one server between the tests of a file or a group. */
import { test } from '@playwright/test';
import { type Podscope, type PodscopeOptions, startPodscope } from './podscope.ts';

/**
 * Starts a server before the first test and stops it after the last. @returns a function that returns the running
 * server
 */
export function sharedServer(options: PodscopeOptions): () => Podscope {
  let server: Podscope | undefined;
  test.beforeAll(async () => {
    server = await startPodscope(options);
  });
  test.afterAll(async () => {
    await server?.stop();
  });
  return () => {
    if (!server) throw new Error('the server is there only while tests run');
    return server;
  };
}
