import { describe, expect, it } from 'vitest';
import { startTestNode } from '../testing/test-node.ts';

const objects = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { color: blue, "long.txt": "${'x'.repeat(3_000)}" }
binaryData: { logo: AAEC }
---
apiVersion: v1
kind: Secret
metadata: { name: login }
stringData: { password: hunter2-hunter2 }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: leaky }
data: { url: "https://app:hunter2-hunter2@db" }
`;

describe('getNode', () => {
  it('returns the node, ConfigMaps with masked and cut values, and Secrets with sizes only', async () => {
    const test = await startTestNode();
    await test.apply(objects);
    const call = { signal: new AbortController().signal };
    const result = await test.nodeHost.commandTable.run({ command: 'getNode' }, call);
    expect(result).toMatchObject({ node: { metadata: { name: 'node' }, status: { capacity: { cpu: '4' } } } });
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(result).toMatchObject({
      configMaps: expect.arrayContaining([
        {
          namespace: 'default',
          name: 'settings',
          entries: [
            { key: 'color', bytes: 4, text: 'blue' },
            { key: 'long.txt', bytes: 3_000, text: 'x'.repeat(2_000) },
            { key: 'logo', bytes: 3 },
          ],
        },
      ]),
      secrets: [{ namespace: 'default', name: 'login', type: 'Opaque', entries: [{ key: 'password', bytes: 15 }] }],
    });
  });
});
