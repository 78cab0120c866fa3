import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { rejectLeftovers } from './leftovers.ts';
import { findRecordings } from './recording.ts';

const directory = fileURLToPath(new URL('../../recordings/v1.20', import.meta.url));
const { recordings } = await findRecordings(directory);

/** Returns an engine with a sandbox of a pod in the namespace `default`. */
const engineWith = (podName: string) => ({
  call: async () => [
    {
      Id: '9d45c9eba68b2596bd93',
      Names: [`/k8s_POD_${podName}_default_0_0`],
      Labels: { 'io.kubernetes.pod.name': podName, 'io.kubernetes.pod.namespace': 'default' },
    },
    { Id: '1c21efcf57a9', Names: null, Labels: null },
  ],
});

describe('rejectLeftovers', () => {
  it('names the sandbox of an earlier run and the command that removes it', async () => {
    await expect(rejectLeftovers(engineWith('crash-exit1-twin-node'), recordings)).rejects.toThrow(
      /k8s_POD_crash-exit1-twin-node_default_0_0\. .*docker rm --force 9d45c9eba68b$/,
    );
  });

  it('accepts containers of other pods', async () => {
    await expect(rejectLeftovers(engineWith('web'), recordings)).resolves.toBeUndefined();
  });
});
