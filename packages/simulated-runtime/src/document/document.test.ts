import { describe, expect, it } from 'vitest';
import { noLatencies } from '../operations.ts';
import { TestRuntime } from '../testing/test-runtime.ts';
import { readSimulationDocument } from './read.ts';
import type { SimulationSettings } from './schema.ts';

function settingsOf(text: string): SimulationSettings {
  const { settings, errors } = readSimulationDocument(text);
  if (!settings) throw new Error(errors.map(({ message }) => message).join('\n'));
  return settings;
}

/** Creates a node from a document. Latencies are zero unless the document defines them. */
const stageOf = (text: string): TestRuntime => {
  const { seed: _, ...options } = settingsOf(text);
  return new TestRuntime({ latencies: noLatencies, ...options });
};

const pull = (test: TestRuntime, image: string, auth?: { username: string; password: string }) =>
  test.driven.images.pullImage(test.ctx, { image: { image }, auth });

describe('a simulation document', () => {
  it('returns no settings when it is empty', () => {
    for (const text of ['', '# nothing\n', '{}', 'null']) expect(settingsOf(text)).toEqual({});
  });

  it('converts durations and quantities to milliseconds and bytes', () => {
    const settings = settingsOf(`
seed: 7
nodeMemory: 2Gi
ipRange: 10.1.0.0/30
latencies: {CNI ADD: 1m30s, ExecSync: 5}
registries:
  - {host: docker.io, latency: 1.5s, bytesPerSecond: 3M, rateLimit: {pulls: 2, period: 6h}}
faults:
  - {operation: RunPodSandbox, message: broken, after: 2s, code: Unavailable}
`);
    expect(settings).toMatchObject({
      seed: 7,
      nodeMemory: 2 * 1024 ** 3,
      latencies: { 'CNI ADD': 90_000, ExecSync: 5, StartContainer: 160 },
      registries: [{ latency: 1500, bytesPerSecond: 3_000_000, rateLimit: { pulls: 2, period: 21_600_000 } }],
      faults: [{ after: 2000, code: 'Unavailable' }],
    });
    expect(settingsOf('{"seed": "s", "nodeMemory": 1024, "ipRange": "10.1.0.0/24"}')).toEqual({
      seed: 's',
      nodeMemory: 1024,
      ipRange: '10.1.0.0/24',
    });
  });

  it.each([
    ['sed: 1', 'unknown field "sed"', 1],
    ['- a', 'Invalid value: "array": the document must be of type object', 1],
    ['seed: 1.5', 'seed: Invalid value: 1.5: must be a whole number or a text', 1],
    ['seed: 1\nimages: nginx', 'images: Invalid value: "string": images must be of type array', 2],
    ['images: ["A B"]', 'images[0]: Invalid value: "A B": must be an image reference such as nginx:1.27', 1],
    ['images:\n  - busybox\n  - ngnix', 'images[1]: Invalid value: "ngnix": no simulated registry has this image', 3],
    ['registries:\n  - latency: 1s', 'registries[0].host: Required value', 2],
    [
      'registries:\n  - host: a b',
      'registries[0].host: Invalid value: "a b": must be a host such as docker.io or localhost:5000, ' +
        '*.example.com, or *',
      2,
    ],
    [
      'registries:\n  - host: a\n    failure: down',
      'registries[0].failure: Unsupported value: "down": supported values: "no such host", "connection ' +
        'refused", "timeout", "unavailable"',
      3,
    ],
    [
      'registries:\n  - host: a\n    flakiness: 30',
      'registries[0].flakiness: Invalid value: 30: must be less than or equal to 1',
      3,
    ],
    [
      'registries:\n  - host: a\n    latency: soon',
      'registries[0].latency: Invalid value: "soon": must be a duration such as 250ms, 5s or 1m30s, or a ' +
        'number of milliseconds',
      3,
    ],
    [
      'registries:\n  - host: a\n    bytesPerSecond: 0',
      'registries[0].bytesPerSecond: Invalid value: 0: must be greater than 0',
      3,
    ],
    [
      'registries:\n  - host: a\n    rateLimit: {pulls: -1, period: 1m}',
      'registries[0].rateLimit.pulls: Invalid value: -1: must be greater than or equal to 0',
      3,
    ],
    ['registries:\n  - host: a\n    rateLimit: {pulls: 1}', 'registries[0].rateLimit.period: Required value', 3],
    [
      'registries:\n  - host: a\n    repositories: {web: {layers: [big]}}',
      'registries[0].repositories[web].layers[0]: Invalid value: "big": must be a quantity such as 25M or ' +
        '8Gi, or a number of bytes',
      3,
    ],
    [
      'registries:\n  - host: a\n    otherRepositories: {tools: bash}',
      'registries[0].otherRepositories.tools: Unsupported value: "bash": supported values: "busybox", "gnu", "none"',
      3,
    ],
    [
      'registries:\n  - host: a\n    credentials:\n      - usernam: x',
      'registries[0].credentials[0].username: Required value',
      4,
    ],
    [
      'scripts:\n  app: explode',
      'scripts[app]: Invalid value: "explode": clause "explode": "explode" isn\'t a clause; clauses are exit,' +
        ' oom, signal, start-error, log, message, ignore-sigterm, sigterm, listen, exec, memory, cpu, run',
      2,
    ],
    [
      'scripts: {"a/b/c/d": run}',
      'scripts[a/b/c/d]: Invalid value: "a/b/c/d": must be a container: container, pod/container or ' +
        'namespace/pod/container',
      1,
    ],
    ['latencies: {CNI ADD: -1}', 'latencies[CNI ADD]: Invalid value: -1: must be greater than or equal to 0', 1],
    [
      'latencies: {RunPod: 1s}',
      expect.stringMatching(
        /^latencies\[RunPod\]: Unsupported value: "RunPod": supported values: "CNI ADD", "CNI DEL", "Version", "RunPodSandbox"/,
      ),
      1,
    ],
    [
      'ipRange: 10.244.0.0/31',
      'ipRange: Invalid value: "10.244.0.0/31": must be an IPv4 range of /8 to /30 such as 10.244.0.0/24',
      1,
    ],
    [
      'ipRange: 10.999.0.0/24',
      'ipRange: Invalid value: "10.999.0.0/24": must be an IPv4 range of /8 to /30 such as 10.244.0.0/24',
      1,
    ],
    ['faults:\n  - operation: CNI ADD', 'faults[0].message: Required value', 2],
    [
      'faults:\n  - {operation: CNI ADD, message: broken, probability: 0}',
      'faults[0].probability: Invalid value: 0: must be greater than 0',
      2,
    ],
    [
      'faults:\n  - {operation: CNI ADD, message: broken, times: 0}',
      'faults[0].times: Invalid value: 0: must be greater than or equal to 1',
      2,
    ],
    [
      'nodeMemory: lots',
      'nodeMemory: Invalid value: "lots": must be a quantity such as 25M or 8Gi, or a number of bytes',
      1,
    ],
    ['hasSandboxImage: maybe', 'hasSandboxImage: Invalid value: "string": hasSandboxImage must be of type boolean', 1],
    [
      'engineApiVersion: new',
      'engineApiVersion: Invalid value: "new": must be an API version of Docker such as 1.41',
      1,
    ],
    ['seed: 1\nseed: 2', 'yaml: line 2: key "seed" already set in map', 2],
    ['seed: [', expect.stringMatching(/^yaml: line 1: /), 1],
    ['seed: 1\n---\nseed: 2', 'the document has more than 1 documents', 3],
  ])('is rejected with message and line for %j', (text, message, line) => {
    const { errors } = readSimulationDocument(text);
    expect(errors[0]).toMatchObject({ message });
    expect(errors[0]?.line).toBe(line);
  });
});

it.each([
  ['', '1.41.0'],
  ['engineApiVersion: "1.22"', '1.22.0'],
])("answers Version with the document's API version of the engine: %j", async (text, runtimeApiVersion) => {
  const test = stageOf(text);
  expect(await test.driven.runtime.version(test.ctx, {})).toMatchObject({ runtimeApiVersion });
});

describe('a registry of a simulation document', () => {
  it('has the default repositories with its own limits and missing tags when it lists none', async () => {
    const test = stageOf(
      'images: []\nregistries: [{host: docker.io, rateLimit: {pulls: 1, period: 1h}, missingTags: ["7.*", edge]}]',
    );
    await pull(test, 'nginx:1.27');
    await expect(pull(test, 'redis:6')).rejects.toThrow('toomanyrequests');
    const tags = stageOf('registries: [{host: "*", latency: 3s, missingTags: ["7.*", edge]}]');
    const before = tags.clock.now();
    await expect(pull(tags, 'redis:7.2')).rejects.toThrow('manifest for redis:7.2 not found');
    expect(tags.clock.now() - before).toBeGreaterThan(2000);
    await pull(tags, 'redis:7');
    await expect(pull(tags, 'ngnix')).rejects.toThrow('pull access denied');
    await expect(pull(tags, 'private.registry.local/app:1')).rejects.toThrow('no basic auth credentials');
  });

  it('has only the repositories that it lists', async () => {
    const test = stageOf(
      'registries: [{host: reg.example, credentials: [{username: a, password: b}], repositories: {shop/api: ' +
        '{layers: [5M]}}}]',
    );
    const auth = { username: 'a', password: 'b' };
    await expect(pull(test, 'reg.example/shop/api:1')).rejects.toThrow('no basic auth credentials');
    await expect(pull(test, 'reg.example/nginx:1', auth)).rejects.toThrow('pull access denied');
    await pull(test, 'reg.example/shop/api:1', auth);
    // An image without a list of programs can run any program.
    const id = await test.start({ image: { image: 'reg.example/shop/api:1' }, command: ['/app/server'] });
    expect((await test.status(id)).state).toBe('CONTAINER_RUNNING');
  });

  it('accepts `web` for `library/web` on docker.io', async () => {
    const test = stageOf(
      'registries: [{host: docker.io, repositories: {web: {tools: none, entrypoint: [/web], programs: [web], ' +
        'layers: [2M]}}}]\nimages: [web]',
    );
    expect((await test.driven.images.imageStatus(test.ctx, { image: { image: 'web' } })).image).toMatchObject({
      size: 5_000_000,
    });
  });
});
