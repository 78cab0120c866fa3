import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DockerEngine, engineSocket } from './docker-engine.ts';

/** Serves an engine that answers every call, and returns its socket and the paths of its calls. */
async function engineFrom(
  oldestApiVersion: string,
): Promise<{ socket: string; paths: readonly (string | undefined)[] }> {
  const directory = await mkdtemp(join(tmpdir(), 'engine-'));
  const socket = join(directory, 's');
  const paths: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    paths.push(url);
    response.end(JSON.stringify({ MinAPIVersion: oldestApiVersion }));
  }).listen(socket);
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    await rm(directory, { recursive: true, force: true });
  });
  return { socket, paths };
}

it.each([
  ['calls an engine in the API version of the recordings', '1.12', '/v1.40/info'],
  ['calls an engine that has dropped that version in its oldest one', '1.44', '/v1.44/info'],
])('%s', async (_case, oldest, path) => {
  const { socket, paths } = await engineFrom(oldest);
  const engine = new DockerEngine(socket);
  await engine.call('GET', '/info');
  await engine.call('GET', '/info');
  expect(paths).toEqual(['/version', path, path]);
});

it.each([
  [{}, '/var/run/docker.sock'],
  [{ DOCKER_HOST: 'unix:///run/user/1000/docker.sock' }, '/run/user/1000/docker.sock'],
])('uses the socket of the environment %j', (environment, socket) => {
  expect(engineSocket(environment)).toBe(socket);
});

it('rejects an engine on another machine', () => {
  expect(() => engineSocket({ DOCKER_HOST: 'tcp://example.com:2375' })).toThrow(
    'the Docker engine at tcp://example.com:2375 has no socket on this machine',
  );
});
