/** Tests a pod of another cluster, from kubectl's output: it is explained, forecast, and continued in the simulator. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '@podscope/playwright';
import { axe } from '../../support/page/axe.ts';

/** Parts of the secret values in the pasted output. No storage and no text of the page may contain them. */
const secrets = [
  'hunterish',
  'rootword',
  'sharedkeyvalue',
  'p@ss/word',
  'probeword',
  'headerword',
  'hookword',
  'quotedword',
  'b2b7c3d4e5f6a7b8c9d0',
];

const withSecrets = `apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
  uid: 7b0c1b5e-0000-4000-8000-000000000001
  creationTimestamp: "2026-03-01T10:00:00Z"
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: >-
      {"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"env":[{"name":"CRED","value":"hunterish"}]}]}}
spec:
  nodeName: worker-3
  nodeSelector: {disk: ssd}
  containers:
    - name: app
      image: registry.example.com/shop/web:1.4.2
      command: [sh, -c, "mysql -uroot -prootword -e 'select 1'; exec serve"]
      args: ["--db-pw=hunterish"]
      env:
        - {name: CRED, value: hunterish}
        - {name: STORAGE, value: "AccountName=a;AccountKey=sharedkeyvalue"}
        - {name: DATABASE, value: "postgres://shop:p@ss/word@db/shop"}
        - {name: SETTING, value: b2b7c3d4e5f6a7b8c9d0}
        - {name: LEVEL, value: info}
      livenessProbe:
        httpGet: {path: /healthz, port: 8080, httpHeaders: [{name: X-Api-Key, value: headerword}]}
      readinessProbe: {exec: {command: [redis-cli, -a, probeword, ping]}}
      lifecycle: {preStop: {exec: {command: [curl, -u, "me:hookword", "http://127.0.0.1/stop"]}}}
status:
  phase: Running
  startTime: "2026-03-01T10:00:00Z"
  podIP: 10.1.2.3
  conditions:
    - {type: PodReadyToStartContainers, status: "True", lastTransitionTime: "2026-03-01T10:00:02Z"}
  containerStatuses:
    - name: app
      ready: false
      restartCount: 5
      image: registry.example.com/shop/web:1.4.2
      imageID: registry.example.com/shop/web@sha256:1111111111111111111111111111111111111111111111111111111111111111
      containerID: containerd://abc
      state:
        waiting:
          reason: CrashLoopBackOff
          message: back-off 2m40s restarting failed container=app pod=web_shop(7b0c1b5e-0000-4000-8000-000000000001)
      lastState:
        terminated:
          exitCode: 3
          reason: Error
          startedAt: "2026-03-01T10:04:50Z"
          finishedAt: "2026-03-01T10:05:00Z"
          message: "no login with hunterish; password=quotedword"
---
apiVersion: v1
kind: Event
metadata: {name: web.1, namespace: shop}
involvedObject:
  kind: Pod
  name: web
  namespace: shop
  uid: 7b0c1b5e-0000-4000-8000-000000000001
  fieldPath: "spec.containers{app}"
type: Warning
reason: Unhealthy
message: "Readiness probe failed: AUTH failed for probeword"
lastTimestamp: "2026-03-01T10:04:58Z"
`;

test('explains a pod from kubectl’s output, and continues it in the simulator', async ({ page, podscope }) => {
  await podscope.open();
  await page.keyboard.press('y');
  const dialog = page.getByRole('dialog', { name: 'Explain a pod from another cluster' });
  const input = dialog.getByRole('textbox', { name: 'Output of kubectl get pod -o yaml' });
  await input.fill('kind: Pod\napiVersion: v1\nmetadata: {name: web}\nspec: {containers: [{name: a, image: b}]}\n');
  await expect(dialog.getByText(/this is a manifest, not a pod from a cluster/)).toBeVisible();

  await input.fill(withSecrets);
  const outlook = dialog.getByRole('article', { name: 'shop/web' });
  await expect(outlook.getByRole('heading', { name: 'shop/web is CrashLoopBackOff' })).toBeVisible();
  await expect(outlook.getByText(/^0 of 1 container ready, 5 restarts — back-off 2m40s restarting/)).toBeVisible();
  await expect(outlook.getByText(/^Next start of app not before .*: back-off 2m40s$/)).toBeVisible();
  await expect(outlook.getByText('app starts (restart 6)')).toBeVisible();
  const found = await axe(page).include('[role=dialog]').analyze();
  expect(found.violations).toEqual([]);

  // The Why panel of a pod on the page, with all that `podscope explain` prints.
  const why = outlook.getByRole('region', { name: 'Why' });
  const cause = why
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name: 'app ends itself with an error of its own' }) });
  await expect(cause).toContainText('it reports a condition of its own work and exits: “no login with');
  await expect(cause).toContainText('app is started again at about');
  await expect(cause.getByRole('list', { name: 'Evidence' })).toContainText('containerStatuses[0].restartCount');
  await expect(cause.getByText(/^kubectl -n shop logs web --tail=50 --previous/)).toBeVisible();
  await expect(outlook.getByText(/^app exited at \d\d:\d\d:\d\d after running/)).toBeVisible();
  await expect(
    outlook.getByText(/^app waits: after the last failure the kubelet starts it again only after 2 min 40 s/),
  ).toBeVisible();
  await expect(outlook.getByRole('button', { name: /^The kubelet’s sync at/ }).first()).toBeVisible();
  await expect(outlook.getByRole('button', { name: /wait: it exited not long ago/ }).first()).toBeVisible();

  await outlook.getByRole('button', { name: /^Continue from here/ }).click();
  await expect(dialog).toBeHidden();
  const pod = podscope.pod('shop/web');
  await expect(pod).toShowStatus('CrashLoopBackOff');
  await podscope.ui.select('web');
  // Advance to the sixth restart, at the time of the forecast, and to the back-off after it.
  await podscope.advance(200_000);
  await expect(pod).toHaveRestarted(6);
  await expect(pod).toBeInBackOff({ container: 'app', seconds: 300 });
  await expect(podscope.ui.onTimeline(/^app, back-off/).first()).toBeAttached();
});

/** Stores the messages that workers send to the page. */
const listen = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    const read = ({ data }: MessageEvent): void => void heard.push(JSON.stringify(data));
    const { Worker: PlainWorker } = globalThis;
    globalThis.Worker = class extends PlainWorker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        this.addEventListener('message', read);
      }
    };
    const { MessageChannel: PlainChannel } = globalThis;
    globalThis.MessageChannel = class extends PlainChannel {
      constructor() {
        super();
        for (const port of [this.port1, this.port2]) port.addEventListener('message', read);
      }
    };
  });
};

/** Returns everything that the page stores and shows. */
const holdings = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const fields = [...document.querySelectorAll('textarea, input')].map((field) => (field as HTMLInputElement).value);
    const kept: unknown[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.addEventListener('success', () => resolve(opening.result));
        opening.addEventListener('error', () => reject(opening.error ?? new Error(name)));
      });
      for (const store of database.objectStoreNames)
        kept.push(
          await new Promise((resolve) => {
            const reading = database.transaction(store).objectStore(store).getAll();
            reading.addEventListener('success', () => resolve(reading.result));
          }),
        );
      database.close();
    }
    const { heard } = globalThis as unknown as { readonly heard: readonly string[] };
    const cached = await Promise.all(
      (await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
    );
    return [
      document.documentElement.outerHTML,
      ...fields,
      location.href,
      ...Object.values(localStorage),
      ...Object.values(sessionStorage),
      ...heard,
      JSON.stringify([kept, cached, history.state]),
    ].join('\n');
  });

test('removes secrets from pasted text: the page, its storage and its exports do not contain them', async ({
  page,
  podscope,
}) => {
  await listen(page);
  await podscope.open();
  await page.keyboard.press('y');
  const dialog = page.getByRole('dialog', { name: 'Explain a pod from another cluster' });
  const input = dialog.getByRole('textbox', { name: 'Output of kubectl get pod -o yaml' });
  await input.fill(withSecrets);
  const outlook = dialog.getByRole('article', { name: 'shop/web' });
  await expect(outlook.getByText('The node selector and affinity are omitted')).toBeVisible();
  await expect(input).toHaveValue(/name: CRED\n\s+value: ••••••/);
  // Fields that decisions depend on stay.
  await expect(input).toHaveValue(/path: \/healthz\n\s+port: 8080/);
  await expect(input).toHaveValue(/name: LEVEL\n\s+value: info/);
  const expectClean = async (text: string): Promise<void> => {
    expect(text).toContain('registry.example.com/shop/web:1.4.2');
    for (const secret of secrets) expect.soft(text, secret).not.toContain(secret);
  };
  await expectClean(await holdings(page));

  await outlook.getByRole('button', { name: /^Continue from here/ }).click();
  await podscope.ui.select('web');
  await podscope.advance(200_000);
  await expect(podscope.pod('shop/web')).toHaveRestarted(6);
  await expect(await podscope.ui.tab('Spec')).toContainText('CRED');
  await expectClean(await holdings(page));

  await page.getByRole('button', { name: 'Share' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /Save run/ }).click();
  const file = await (await download).path();
  const { gunzipSync } = await import('node:zlib');
  await expectClean(gunzipSync(await readFile(file)).toString('utf8'));
});

test('shows all its own texts in Chinese too', async ({ page, podscope }) => {
  await podscope.open();
  await page.evaluate(() =>
    localStorage.setItem('podscope.preferences', JSON.stringify({ state: { language: 'zh-CN' }, version: 1 })),
  );
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect(page.getByRole('button', { name: /新建 Pod/ }).first()).toBeVisible();
  await page.keyboard.press('y');
  const dialog = page.getByRole('dialog', { name: '解释其他集群的 Pod' });
  const input = dialog.getByRole('textbox');
  await input.fill('kind: Pod\napiVersion: v1\nmetadata: {name: web}\nspec: {containers: [{name: a, image: b}]}\n');
  await expect(dialog.getByText('Pod“web”没有 metadata.uid：这是一份清单')).toBeVisible();
  await input.fill(
    `${withSecrets.replace('podIP:', 'shiny: 1\n  podIP:')}---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\n`,
  );
  const outlook = dialog.getByRole('article', { name: 'shop/web' });
  await expect(outlook.getByRole('heading', { name: 'shop/web 处于 CrashLoopBackOff' })).toBeVisible();
  await expect(outlook.getByText('1 个容器中 0 个就绪，重启 5 次')).toBeVisible();
  await expect(outlook.getByText('节点选择器和亲和性已略去：调度器已处理过。')).toBeVisible();
  await expect(outlook.getByText(/之前的内容是根据 Pod 的状态和事件还原的/)).toBeVisible();
  await expect(outlook.getByText(/^app 在等待：上次失败后/)).toBeVisible();
  await expect(dialog.getByText('略去了 1 个 Service：只读取 Pod 和事件')).toBeVisible();
  await expect(dialog.getByText('Pod“web”：这里不认识 status.shiny，已略去')).toBeVisible();
  // Four lower-case words in a row that aren't a message of Kubernetes are a sentence without a translation.
  const own = await outlook.evaluate((card) =>
    [...card.querySelectorAll('h3, h4, p, li:not(:has(strong)), button')].map((part) =>
      [...part.childNodes]
        .filter(({ nodeType }) => nodeType === 3)
        .map(({ textContent }) => textContent)
        .join(' '),
    ),
  );
  for (const text of own) expect.soft(text.replace(/[—:：].*$/, '')).not.toMatch(/[a-z]+ [a-z]+ [a-z]+ [a-z]+/);

  await outlook.getByRole('button', { name: /从这里继续/ }).click();
  await page.getByRole('button', { name: /^\d+ 条提示/ }).click();
  await expect(page.getByText('节点选择器和亲和性已略去：调度器已处理过。')).toBeVisible();
});
