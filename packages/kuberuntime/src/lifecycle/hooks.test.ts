import type { Container, LifecycleHandler } from '@podscope/k8s';
import { withSignal } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { profileV120 } from '../profiles/v1-20/profile.ts';
import { type TestStage, type TestStageOptions, testPod, testStage } from '../testing/test-stage.ts';
import { runHook } from './hooks.ts';

const container: Container = { name: 'app', ports: [{ name: 'http', containerPort: 8080 }] };
const pod = testPod({ containers: [container] });
const v120: TestStageOptions = { dependencies: { profile: profileV120 } };

const run = ({ ctx, dependencies }: TestStage, handler: LifecycleHandler): Promise<void> =>
  runHook(ctx, dependencies, { type: 'fake', id: 'c1' }, pod, container, handler);

describe('runHook', () => {
  it('includes the output of a failed exec command in the error', async () => {
    const stage = testStage();
    stage.dependencies.runtime.execSync = () =>
      Promise.resolve({
        stdout: new TextEncoder().encode('out '),
        stderr: new TextEncoder().encode('err'),
        exitCode: 3,
      });
    await expect(run(stage, { exec: { command: ['/bin/sh', '-c', 'x'] } })).rejects.toThrow(
      `Exec lifecycle hook ([/bin/sh -c x]) for Container "app" in Pod "web_default(uid-1)" failed - error: command '/bin/sh -c x' exited with 3: err, message: "out err"`,
    );
  });

  it.each<[string, LifecycleHandler, string]>([
    ['a named port', { httpGet: { host: '10.0.0.1', port: 'http', path: '/x?y=1' } }, 'http://10.0.0.1:8080/x?y=1'],
    [
      'a number as text, a path without slash, IPv6',
      { httpGet: { host: 'fd00::1', port: '81', path: 'x' } },
      'http://[fd00::1]:81/x',
    ],
    ['TLS', { httpGet: { host: 'a.io', port: 443, scheme: 'HTTPS' } }, 'https://a.io:443'],
  ])('requests the URL of an httpGet hook in v1.36: %s', async (_what, handler, url) => {
    const stage = testStage();
    await run(stage, handler);
    expect(stage.requests).toEqual([url]);
  });

  it('always uses plain HTTP and adds a slash to the path in v1.20', async () => {
    const stage = testStage(v120);
    await run(stage, { httpGet: { host: 'a.io', port: 443, scheme: 'HTTPS', path: '/x' } });
    expect(stage.requests).toEqual(['http://a.io:443//x']);
  });

  it('falls back to HTTP and records an event when the server does not speak TLS in v1.36', async () => {
    const urls: string[] = [];
    const stage = testStage({
      dependencies: {
        http: {
          get: ({ url, headers }) => {
            urls.push(`${url} ${Object.keys(headers).join(',')}`);
            return url.startsWith('https')
              ? Promise.reject(new Error('http: server gave HTTP response to HTTPS client'))
              : Promise.resolve();
          },
        },
      },
    });
    await run(stage, {
      httpGet: {
        host: 'a.io',
        port: 443,
        scheme: 'HTTPS',
        path: '/x',
        httpHeaders: [{ name: 'Authorization', value: 'secret' }],
      },
    });
    expect(urls).toEqual(['https://a.io:443/x Authorization,User-Agent,Accept', 'http://a.io:443/x User-Agent,Accept']);
    expect(stage.events.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
      'LifecycleHTTPFallback: request to HTTPS lifecycle hook a.io:443 got HTTP response, retry with HTTP succeeded',
    ]);
  });

  it('names an unknown port in the error', async () => {
    const handler: LifecycleHandler = { httpGet: { host: 'a.io', port: 'nosuch', path: '/x' } };
    await expect(run(testStage(), handler)).rejects.toThrow(
      'HTTP lifecycle hook (/x) for Container "app" in Pod "web_default(uid-1)" failed - error: ' +
        'strconv.Atoi: parsing "nosuch": invalid syntax',
    );
    await expect(run(testStage(v120), handler)).rejects.toThrow("couldn't find port: {1 0 nosuch} in container app");
  });

  it('sleeps for the whole time unless it is cancelled', async () => {
    const stage = testStage();
    const slept = run(stage, { sleep: { seconds: 3 } });
    await stage.clock.advance(3000);
    await expect(slept).resolves.toBeUndefined();
    const controller = new AbortController();
    const calledOff = runHook(
      withSignal(stage.ctx, controller.signal),
      stage.dependencies,
      { type: 'fake', id: 'c1' },
      pod,
      container,
      { sleep: { seconds: 3 } },
    );
    controller.abort(new Error('the pod is gone'));
    await expect(calledOff).rejects.toThrow(
      'Sleep lifecycle hook (3) for Container "app" in Pod "web_default(uid-1)" failed - error: container ' +
        'terminated before sleep hook finished',
    );
  });

  it('throws for an unsupported handler', async () => {
    await expect(run(testStage(), { tcpSocket: { port: 80 } })).rejects.toThrow(
      'Cannot run handler: invalid handler: {"tcpSocket":{"port":80}}',
    );
  });
});
