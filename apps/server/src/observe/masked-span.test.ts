/** Tests that the spans that leave an observed node contain no secrets in their texts. */
import type { ObservedSpan } from '@podscope/observer';
import { afterEach, expect, it } from 'vitest';
import { ObservedHost } from './observed-host.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const service = { CreateContainer: 'runtime.v1.RuntimeService', PullImage: 'runtime.v1.ImageService' } as const;
const sandbox = { metadata: { name: 'web', namespace: 'shop', uid: 'u1', attempt: 0 } };

/** Observes the creation of a sandbox and a failing call for its pod. Returns the span of the call. */
async function spanOf(method: keyof typeof service, image: string, message: string): Promise<ObservedSpan | undefined> {
  const spans: ObservedSpan[] = [];
  const host = new ObservedHost({ onSpan: (span) => spans.push(span) });
  cleanups.push(() => host.stop());
  const start = { metadata: {}, deadline: undefined };
  const runtime = service.CreateContainer;
  const t = Date.now();
  host.observer.callStarted({
    ...start,
    number: 1,
    service: runtime,
    method: 'RunPodSandbox',
    t,
    request: { config: sandbox },
  });
  const response = { podSandboxId: 's1' };
  host.observer.callEnded(1, { end: t + 1, response, status: 0, message: '' });
  const config = { metadata: { name: 'app', attempt: 0 }, image: { image, userSpecifiedImage: image } };
  const request =
    method === 'PullImage'
      ? { image: { image }, sandboxConfig: sandbox }
      : { podSandboxId: 's1', config, sandboxConfig: sandbox };
  host.observer.callStarted({ ...start, number: 2, service: service[method], method, t: t + 2, request });
  host.observer.callEnded(2, { end: t + 3, response: undefined, status: 2, message });
  await host.observer.settled();
  return spans.find(({ name }) => name.endsWith(method));
}

it('masks a password in the error message of a call', async () => {
  const span = await spanOf('CreateContainer', 'registry.example/web:1', 'exec: "--password=hunter2": not found');
  expect(span?.error).toBe('exec: "--password=••••••": not found');
  expect(span?.attributes).toMatchObject({ 'k8s.pod.name': 'web', 'container.image.name': 'registry.example/web:1' });
});

it('masks the credentials of a registry in the error message and the image', async () => {
  const image = 'https://u:hunter2@registry.example/web:1';
  const span = await spanOf('PullImage', image, `pull ${image}: unauthorized`);
  expect(span?.attributes['container.image.name']).toBe('https://u:••••••@registry.example/web:1');
  expect(JSON.stringify(span)).not.toContain('hunter2');
});
