import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { busyTime, type DockerCall } from './docker-calls.ts';
import { PlainDocker, Recording } from './plain-docker.ts';

const oldId = 'a'.repeat(64);
const newId = 'b'.repeat(64);
const uid = '11111111-2222-4333-8444-555555555555';

let folder: string;
let server: Server;
let seen: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-'));
  seen = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${body}`.trim());
      response.end(request.url?.startsWith('/containers/create') ? JSON.stringify({ Id: newId }) : '{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(join(folder, 's'), resolve));
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

const call = (method: string, path: string, startedAt: number, others: Partial<DockerCall> = {}): DockerCall => ({
  title: path,
  method,
  path,
  body: undefined,
  startedAt,
  endedAt: startedAt + 1,
  response: undefined,
  ...others,
});

it('replays the recorded calls with a new pod name and the new container ids', async () => {
  const recording = new Recording(
    [
      call('POST', `/containers/create?name=k8s_POD_${uid}`, 0, { body: { Labels: { uid } }, response: { Id: oldId } }),
      call('POST', `/containers/${oldId}/start`, 2),
      call('DELETE', `/containers/${oldId}`, 10),
    ],
    uid,
    5,
  );
  const docker = new PlainDocker(join(folder, 's'));
  const { start, removal } = await recording.replay(docker);
  docker.close();
  expect(seen[0]).toMatch(
    /^POST \/containers\/create\?name=k8s_POD_[0-9a-f-]{36} \{"Labels":\{"uid":"[0-9a-f-]{36}"\}\}$/,
  );
  expect(seen[0]).not.toContain(uid);
  expect(seen.slice(1)).toEqual([`POST /containers/${newId}/start`, `DELETE /containers/${newId}`]);
  expect(start).toBeGreaterThan(0);
  expect(removal).toBeGreaterThan(0);
});

it('counts overlapping calls once', () => {
  const span = (startedAt: number, endedAt: number): DockerCall => call('GET', '/', startedAt, { endedAt });
  expect(busyTime([span(0, 10), span(2, 5), span(8, 12), span(20, 21)])).toBe(13);
});
