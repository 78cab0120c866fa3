/** The health service of gRPC, as probes of the node ask it. */
import { describe, expect, it } from 'vitest';
import { Stage } from './testing/stage.ts';

const address = '10.244.0.2';

/** A container of that script, when its servers have had time to begin. */
async function live(stage: Stage, script: string): Promise<string> {
  const id = await stage.startScript(`run; ${script}`);
  await stage.clock.advance(10);
  return id;
}

const ask = (stage: Stage, { service = '', port = 5000, timeoutMs = 1000 } = {}) =>
  stage.drive(stage.simulator.network.check({ host: address, port, service, timeoutMs }));

describe('a script that speaks gRPC', () => {
  it('says what it says at the time', async () => {
    const stage = new Stage();
    await live(stage, 'listen=5000 grpc status=NOT_SERVING until=10s; listen=5000 grpc until=20s; listen=5000 grpc service=db status=UNKNOWN');
    expect(await ask(stage)).toEqual({ status: 'NOT_SERVING' });
    expect(await ask(stage, { service: 'db' })).toEqual({ status: 'UNKNOWN' });
    expect(await ask(stage, { service: 'cache' })).toEqual({ code: 'NotFound', details: 'unknown service' });
    await stage.clock.advance(10_000);
    expect(await ask(stage)).toEqual({ status: 'SERVING' });
    await stage.clock.advance(10_000);
    expect(await ask(stage)).toEqual({ status: 'NOT_SERVING' });
  });

  it('has no health service, takes too long, or ends over it', async () => {
    const stage = new Stage();
    const id = await live(stage, 'listen=5000 grpc status=UNIMPLEMENTED; listen=6000 grpc delay=2s');
    expect(await ask(stage)).toEqual({ code: 'Unimplemented', details: 'unknown service grpc.health.v1.Health' });
    expect(await ask(stage, { port: 6000 })).toMatchObject({ code: 'DeadlineExceeded' });
    stage.clock.schedule(500, () => void stage.simulator.killContainer(id));
    expect(await ask(stage, { port: 6000, timeoutMs: 5000 })).toEqual({ code: 'Unavailable', details: 'error reading from server: EOF' });
  });

  it('is not reached where nobody listens or something else is spoken, until the time is over', async () => {
    const stage = new Stage();
    await live(stage, 'listen=5000; listen=6000 tcp; listen=7000 grpc after=3s');
    for (const port of [4000, 5000, 6000]) {
      const before = stage.clock.now();
      expect(await ask(stage, { port })).toBe('not connected');
      expect(stage.clock.now() - before).toBe(1000);
    }
    // The client goes on trying: a server that comes up in time is found.
    expect(await ask(stage, { port: 7000, timeoutMs: 10_000 })).toEqual({ status: 'SERVING' });
  });

  it('is asked no longer than its asker wants', async () => {
    const stage = new Stage();
    const controller = new AbortController();
    stage.clock.schedule(100, () => controller.abort(new Error('enough')));
    const asking = stage.simulator.network.check({ host: address, port: 5000, service: '', timeoutMs: 1000, signal: controller.signal });
    await expect(stage.drive(asking)).rejects.toThrow('enough');
  });

  it('is refused, naming the clause, when its health is none', async () => {
    const stage = new Stage();
    await expect(stage.startScript('run; listen=5000 grpc status=WELL')).rejects.toThrow(
      /clause "listen=5000 grpc status=WELL": status=WELL is not SERVING or NOT_SERVING or/,
    );
    await expect(stage.startScript('run; listen=5000 grpc body=ok')).rejects.toThrow('"body" means nothing beside "listen"');
  });
});

describe("agnhost's grpc-health-checking", () => {
  const image = 'registry.k8s.io/e2e-test-images/agnhost:2.40';

  it('serves for as long as it is told, under the name it is told', async () => {
    const stage = new Stage();
    const id = await stage.startImage(image, { args: ['grpc-health-checking', '--port=9000', '--service=shop', '--delay-unhealthy-sec=10'] });
    await stage.clock.advance(1000);
    expect(await ask(stage, { port: 9000, service: 'shop' })).toEqual({ status: 'SERVING' });
    expect(await ask(stage, { port: 9000 })).toEqual({ code: 'NotFound', details: 'unknown service' });
    await stage.clock.advance(10_000);
    expect(await ask(stage, { port: 9000, service: 'shop' })).toEqual({ status: 'NOT_SERVING' });
    expect(await stage.lines(id)).toContainEqual(expect.stringMatching(/gRPC server starting to listen on :9000$/));
    expect((await stage.stop(id, 30)).exitCode).toBe(2);
  });

  it('does as it is told over HTTP', async () => {
    const stage = new Stage();
    await stage.startImage(image, { command: ['/agnhost', 'grpc-health-checking'] });
    await stage.clock.advance(1000);
    const told = async (what: string) => (await stage.drive(stage.simulator.network.get({ url: `http://${address}:8080/${what}`, headers: {} }))).status;
    expect(await told('make-not-serving')).toBe(200);
    expect(await ask(stage)).toEqual({ status: 'NOT_SERVING' });
    expect(await told('make-serving')).toBe(200);
    expect(await ask(stage)).toEqual({ status: 'SERVING' });
    expect(await told('anything')).toBe(404);
  });
});
