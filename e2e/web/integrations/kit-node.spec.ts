/**
 * Tests the fixtures of the Playwright kit for other pages: each worker has one node, which is empty at the start of
 * each test.
 */
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { expect, type KubernetesObject, test } from '@podscope/playwright';

const pod = (name: string, command: readonly string[]): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'app', image: 'busybox:1.36', command }] },
});
const sleeper = (name: string): KubernetesObject => pod(name, ['sleep', '3600']);
const crashing = pod('crash', ['sh', '-c', 'sleep 2; exit 3']);
const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { theme: 'dark' } };

/** The history of a pod in milliseconds after its creation, which is equal in equal runs. */
let firstHistory: unknown;

for (const turn of ['first', 'second'])
  test(`stops at the same time in the ${turn} of two equal tests, and has no pods of other tests`, async ({ node }) => {
    expect(await node.pods()).toEqual([]);
    await node.apply(crashing);
    await node.runUntil({ pod: 'crash', status: 'CrashLoopBackOff', restarts: 2 });
    const { phases, containers, results, events, age } = (await node.pod('crash').state()) ?? {};
    const history = JSON.stringify({ phases, containers, results, age, reasons: events?.map(({ reason }) => reason) });
    firstHistory ??= history;
    expect(history).toBe(firstHistory);
    await expect(node.pod('crash')).toHaveBackedOff({ seconds: 20 });
    // Time is paused, so the age of the pod hasn't changed.
    expect((await node.pod('crash').state())?.age).toBe(age);
  });

// These examples are word for word in docs/use/playwright.md.
test('advances virtual time by a duration, to a condition, and continuously', async ({ node }) => {
  await node.apply(sleeper('web'));
  await node.runUntil((now) => now.pod('web')?.containers[0]?.state === 'running');
  const before = (await node.pod('web').state())?.age ?? 0;
  await node.advance('1m30s');
  expect((await node.pod('web').state())?.age).toBe(before + 90_000);
  await node.resume(100);
  await node.delete('web');
  await expect(node.pod('web')).toBeGone();
  await node.pause();
});

test('returns virtual time, which stands while paused and lets the page’s clock show it', async ({ node, page }) => {
  const begin = (await node.now()).getTime();
  await node.apply(sleeper('web'));
  await node.advance('1m30s');
  const now = await node.now();
  expect(now.getTime()).toBe(begin + 90_000);
  // Time is paused, so a later call returns the same time.
  expect(await node.now()).toEqual(now);
  await page.clock.setFixedTime(now);
  expect(await page.evaluate(() => Date.now())).toBe(now.getTime());
});

test('applies documents, a List and objects', async ({ node }) => {
  const documents = [sleeper('a'), sleeper('b')].map((each) => JSON.stringify(each)).join('\n---\n');
  await node.apply(documents);
  await node.apply({ apiVersion: 'v1', kind: 'List', items: [config, sleeper('c')] });
  expect(await node.apply([config, sleeper('d'), documents])).toMatchObject([
    { kind: 'ConfigMap', name: 'settings', operation: 'unchanged' },
    { name: 'd', operation: 'created' },
    { name: 'a', operation: 'unchanged' },
    { name: 'b', operation: 'unchanged' },
  ]);
  await node.runUntil(({ pods }) => pods.length === 4 && pods.every(({ ready }) => ready === 1));
  await node.delete(['a', 'b'], { gracePeriodSeconds: 0 });
  await node.runUntil({ pod: 'a', gone: true });
  await node.runUntil({ pod: 'b', gone: true });
  await expect(node.pod('c')).toBeReady();
});

test('fails a pull once, and stops a pod twice', async ({ node, faults, breakpoints }) => {
  await faults.set({ at: 'cri.PullImage', times: 1, fail: { grpc: 'Unavailable', message: 'registry is down' } });
  await breakpoints.set(['cri.CreateContainer', { point: 'cri.StartContainer', container: 'app' }]);
  await node.apply({ ...sleeper('web'), spec: { containers: [{ name: 'app', image: 'nginx:1.27' }] } });
  await node.runUntil({ pod: 'web', event: 'Failed' });
  expect(await faults.list()).toMatchObject([{ fault: { at: 'cri.PullImage' }, applied: 1 }]);
  await node.runUntil({ pod: 'web', stoppedAt: 'cri.CreateContainer' });
  await node.continue();
  await node.runUntil({ pod: 'web', stoppedAt: 'cri.StartContainer' });
  expect(await breakpoints.list()).toMatchObject([
    { breakpoint: { point: 'cri.CreateContainer' }, hits: 1 },
    { breakpoint: { point: 'cri.StartContainer', container: 'app' }, hits: 1 },
  ]);
});

test('rejects a condition that is not reached with the expectation, the state and the pods', async ({ node }) => {
  await node.apply(sleeper('web'));
  await expect(node.runUntil({ pod: 'web', restarts: 1 }, { within: '30s' })).rejects.toThrow(
    new RegExp(
      '^expected pod default/web to have restarted 1 times within 30s of virtual time, ' +
        'but it had 0 restarts:\nphase Running',
    ),
  );
  await expect(node.runUntil({ pod: 'wep', ready: true }, { within: '1s' })).rejects.toThrow(
    'but there is no such pod; the node has default/web',
  );
  await expect(node.runUntil(() => false, { within: '1s' })).rejects.toThrow(
    /the predicate of runUntil did not hold within 1s of virtual time; the node has default\/web:\ndefault\/web: phase/,
  );
  await expect(node.runUntil({ pod: 'web' })).rejects.toThrow('runUntil needs to know what pod default/web must reach');
  await expect(node.advance('90' as '90s')).rejects.toThrow("use milliseconds, or text such as '250ms', '90s'");
  await expect(expect(node.pod('web')).toHaveRestarted(1, { timeout: 100 })).rejects.toThrow(
    'Virtual time is paused: node.runUntil(…), advance(…) or resume() moves it.',
  );
});

test('rejects a manifest with every error in it, and the deletion of a pod that does not exist', async ({ node }) => {
  await expect(node.apply([pod('BAD', []), { ...sleeper('e'), spec: { containers: [] } }])).rejects.toThrow(
    /metadata\.name.*\n.*spec\.containers/s,
  );
  expect(await node.pods()).toEqual([]);
  await expect(node.delete('gone')).rejects.toThrow('pods "gone" not found');
});

test('has a kubeconfig whose API returns what was applied (finding 32)', async ({ node, kubeconfig }) => {
  await node.apply(sleeper('web'));
  const file = await readFile(kubeconfig, 'utf8');
  const [server = '', ca = '', token = ''] = ['server', 'certificate-authority-data', 'token'].map(
    (field) => new RegExp(`${field}: (\\S+)`).exec(file)?.[1],
  );
  const names = await new Promise<string>((resolve, reject) => {
    request(
      new URL('/api/v1/namespaces/default/pods', server),
      { ca: Buffer.from(ca, 'base64'), headers: { authorization: `Bearer ${token}` } },
      (response) => void text(response).then(resolve, reject),
    )
      .on('error', reject)
      .end();
  });
  expect(JSON.parse(names)).toMatchObject({ kind: 'PodList', items: [{ metadata: { name: 'web' } }] });
});

test.describe('faults and breakpoints of a test', () => {
  test.describe.configure({ mode: 'serial' });

  test('are not set if their place doesn’t exist', async ({ faults, breakpoints }) => {
    await expect(breakpoints.set('cri.StartContaner')).rejects.toThrow('no point cri.StartContaner');
    await expect(faults.set({ at: 'cri.Pull', fail: { grpc: 'Unknown', message: 'x' } })).rejects.toThrow('cri.Pull');
    expect([await faults.list(), await breakpoints.list()]).toEqual([[], []]);
    await faults.set({ at: 'cri.StartContainer', fail: { grpc: 'Unknown', message: 'left by a test' } });
    await breakpoints.set('cri.CreateContainer');
  });

  test('are removed before the next test', async ({ node, faults, breakpoints }) => {
    expect([await faults.list(), await breakpoints.list()]).toEqual([[], []]);
    await node.apply(sleeper('web'));
    await node.runUntil({ pod: 'web', ready: true });
  });
});
