/** Exports the page object of the Playwright kit, and a manifest for tests of the page. */
export { PodscopePage } from '@podscope/playwright';

/** Returns the manifest of a pod with one busybox container that runs `script`. */
export const podManifest = (name: string, script: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      terminationGracePeriodSeconds: 2,
      containers: [{ name: 'app', image: 'busybox:1.36', command: ['sh', '-c', script] }],
    },
  });
