/** Tests the gRPC health service as probes of the node call it. */
import { describe, expect, it } from 'vitest';
import { TestRuntime } from '../testing/test-runtime.ts';

const address = '10.244.0.2';

/** Starts a container with this script and waits until its servers listen. */
async function live(test: TestRuntime, script: string): Promise<string> {
  const id = await test.startScript(`run; ${script}`);
  await test.clock.advance(10);
  return id;
}

const ask = (test: TestRuntime, { service = '', port = 5000, timeoutMs = 1000 } = {}) =>
  test.drive(test.simulator.network.check({ host: address, port, service, timeoutMs }));

describe('a script with `listen=… grpc`', () => {
  it('answers with the status of the clause that applies at the time', async () => {
    const test = new TestRuntime();
    await live(
      test,
      'listen=5000 grpc status=NOT_SERVING until=10s; listen=5000 grpc until=20s; listen=5000 grpc ' +
        'service=db status=UNKNOWN',
    );
    expect(await ask(test)).toEqual({ status: 'NOT_SERVING' });
    expect(await ask(test, { service: 'db' })).toEqual({ status: 'UNKNOWN' });
    expect(await ask(test, { service: 'cache' })).toEqual({ code: 'NotFound', details: 'unknown service' });
    await test.clock.advance(10_000);
    expect(await ask(test)).toEqual({ status: 'SERVING' });
    await test.clock.advance(10_000);
    expect(await ask(test)).toEqual({ status: 'NOT_SERVING' });
  });

  it('fails with Unimplemented without health service, DeadlineExceeded if slow, Unavailable if killed', async () => {
    const test = new TestRuntime();
    const id = await live(test, 'listen=5000 grpc status=UNIMPLEMENTED; listen=6000 grpc delay=2s');
    expect(await ask(test)).toEqual({ code: 'Unimplemented', details: 'unknown service grpc.health.v1.Health' });
    expect(await ask(test, { port: 6000 })).toMatchObject({ code: 'DeadlineExceeded' });
    test.clock.schedule(500, () => void test.simulator.killContainer(id));
    expect(await ask(test, { port: 6000, timeoutMs: 5000 })).toEqual({
      code: 'Unavailable',
      details: 'error reading from server: EOF',
    });
  });

  it('returns `not connected` at the timeout when the port is closed or has no gRPC server', async () => {
    const test = new TestRuntime();
    await live(test, 'listen=5000; listen=6000 tcp; listen=7000 grpc after=3s');
    for (const port of [4000, 5000, 6000]) {
      const before = test.clock.now();
      expect(await ask(test, { port })).toBe('not connected');
      expect(test.clock.now() - before).toBe(1000);
    }
    // The client retries, so it finds a server that starts before the timeout.
    expect(await ask(test, { port: 7000, timeoutMs: 10_000 })).toEqual({ status: 'SERVING' });
  });

  it('rejects the check when the caller aborts', async () => {
    const test = new TestRuntime();
    const controller = new AbortController();
    test.clock.schedule(100, () => controller.abort(new Error('enough')));
    const asking = test.simulator.network.check({
      host: address,
      port: 5000,
      service: '',
      timeoutMs: 1000,
      signal: controller.signal,
    });
    await expect(test.drive(asking)).rejects.toThrow('enough');
  });

  it('is rejected with the name of the clause when its status is invalid', async () => {
    const test = new TestRuntime();
    await expect(test.startScript('run; listen=5000 grpc status=WELL')).rejects.toThrow(
      /clause "listen=5000 grpc status=WELL": status=WELL is not SERVING or NOT_SERVING or/,
    );
    await expect(test.startScript('run; listen=5000 grpc body=ok')).rejects.toThrow(
      `"body" isn't allowed with "listen"`,
    );
  });
});

describe("agnhost's grpc-health-checking", () => {
  const image = 'registry.k8s.io/e2e-test-images/agnhost:2.40';

  it('serves the service of `--service` until `--delay-unhealthy-sec`', async () => {
    const test = new TestRuntime();
    const id = await test.startImage(image, {
      args: ['grpc-health-checking', '--port=9000', '--service=shop', '--delay-unhealthy-sec=10'],
    });
    await test.clock.advance(1000);
    expect(await ask(test, { port: 9000, service: 'shop' })).toEqual({ status: 'SERVING' });
    expect(await ask(test, { port: 9000 })).toEqual({ code: 'NotFound', details: 'unknown service' });
    await test.clock.advance(10_000);
    expect(await ask(test, { port: 9000, service: 'shop' })).toEqual({ status: 'NOT_SERVING' });
    expect(await test.lines(id)).toContainEqual(expect.stringMatching(/gRPC server starting to listen on :9000$/));
    expect((await test.stop(id, 30)).exitCode).toBe(2);
  });

  it('changes its status by HTTP requests', async () => {
    const test = new TestRuntime();
    await test.startImage(image, { command: ['/agnhost', 'grpc-health-checking'] });
    await test.clock.advance(1000);
    const reported = async (what: string) =>
      (await test.drive(test.simulator.network.get({ url: `http://${address}:8080/${what}`, headers: {} }))).status;
    expect(await reported('make-not-serving')).toBe(200);
    expect(await ask(test)).toEqual({ status: 'NOT_SERVING' });
    expect(await reported('make-serving')).toBe(200);
    expect(await ask(test)).toEqual({ status: 'SERVING' });
    expect(await reported('anything')).toBe(404);
  });
});
