/**
 * Tests the observation of a cluster over TLS with a kubeconfig. In these tests, Podscope's own Kubernetes API is the
 * observed cluster.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunFold, type TraceEvent } from '@podscope/trace';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { StartError } from '../start-error.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { LiveCluster } from './live-cluster.ts';

const logger = pino({ level: 'silent' });
const crashing = `apiVersion: v1
kind: Pod
metadata: {name: crash-loop}
spec:
  containers:
    - name: app
      image: busybox:1.36
      command: [sh, -c, "exit 3", "--db-pw=hunter2-a"]
      env: [{name: API_TOKEN, value: hunter2}, {name: CREDS, value: hunter2-b}]
`;

let server: TestServer;
let directory: string;
beforeAll(async () => {
  server = await startTestServer();
  directory = await mkdtemp(join(tmpdir(), 'podscope-live-'));
});
afterAll(async () => {
  await server.dispose();
  await rm(directory, { recursive: true, force: true });
});

const lookAt = (kubeconfig: string, context?: string) =>
  new LiveCluster({ kubeconfig, context, namespace: undefined, logger, notify: () => undefined });

describe('observing a cluster', () => {
  it('reconstructs its pods from their status and events, and follows changes', async () => {
    await server.nodeHost.commands.apply(crashing);
    const live = lookAt(server.kubeconfigPath);
    const fold = new RunFold();
    let text = '';
    const session = live.connect({
      bufferedAmount: 0,
      close: () => undefined,
      send: (message) => {
        text += message;
        const parsed = JSON.parse(message) as { readonly type: string; readonly events?: readonly TraceEvent[] };
        if (parsed.type === 'events') fold.applyAll(parsed.events ?? []);
      },
    });
    await live.start();
    session.receive(JSON.stringify({ type: 'hello', protocol: 1 }));
    try {
      await vi.waitFor(
        () => {
          const [pod] = fold.pods();
          expect(pod?.name).toBe('crash-loop');
          expect(pod?.containers[0]?.attempts.some(({ exitCode }) => exitCode === 3)).toBe(true);
          expect(pod?.events.map(({ reason }) => reason)).toContain('Started');
        },
        { timeout: 120_000, interval: 100 },
      );
      expect(text).not.toContain('hunter2');
      expect(live.nodeInfo()).toMatchObject({
        readOnly: true,
        kubeconfig: server.kubeconfigPath,
        notices: [{ id: 'liveCluster', text: expect.stringMatching(/Read-only view.*reconstructed/) }],
      });
      session.receive(
        JSON.stringify({
          type: 'command',
          id: 1,
          body: { command: 'deletePod', namespace: 'default', name: 'crash-loop' },
        }),
      );
      await vi.waitFor(() => expect(text).toContain('this cluster is looked at, not changed'), { timeout: 120_000 });
      await server.nodeHost.commands.deletePod('default', 'crash-loop', 0);
      await vi.waitFor(() => expect(fold.pods()[0]?.deletedAt).toBeGreaterThan(0), { timeout: 120_000, interval: 100 });
    } finally {
      session.closed();
      await live.stop();
    }
  });

  it('reports what is wrong with a kubeconfig', async () => {
    const file = join(directory, 'config');
    expect(() => lookAt(join(directory, 'missing'))).toThrow(StartError);
    await writeFile(file, await readFile(server.kubeconfigPath, 'utf8'));
    expect(() => lookAt(file, 'elsewhere')).toThrow(/--context "elsewhere": .* has podscope/);
    await writeFile(file, (await readFile(file, 'utf8')).replace(/token: .*/, 'token: wrong-token'));
    await expect(lookAt(file).start()).rejects.toThrow(/denies access/);
  });
});
