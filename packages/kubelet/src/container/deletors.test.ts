/** Tests which containers and sandboxes are removed when a container dies or is removed. */
import { type PodSandboxStatus, UnimplementedRuntimeService } from '@podscope/cri';
import type { ContainerID, PodStatus, Status } from '@podscope/kuberuntime';
import { background, type Context, EventLog, instant, Tracer, VirtualClock } from '@podscope/trace';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TaskGroup } from '../util/task-group.ts';
import { ContainerDeletor } from './container-deletor.ts';
import { PodCache } from './pod-cache.ts';
import { SandboxDeletor } from './v1-20/sandbox-deletor.ts';

const status = (name: string, attempt: number, state: Status['state'] = 'exited'): Status => ({
  id: { type: 'fake', id: `${name}${attempt}` },
  name,
  state,
  createdAt: instant(attempt),
  exitCode: 0,
  image: '',
  imageID: '',
  imageRef: '',
  hash: 0,
  restartCount: attempt,
  reason: '',
  message: '',
});
const sandbox = (attempt: number, state: PodSandboxStatus['state'] = 'SANDBOX_NOTREADY'): PodSandboxStatus => ({
  id: `s${attempt}`,
  metadata: { name: 'web', namespace: 'default', uid: 'u', attempt },
  state,
  createdAt: BigInt(attempt),
  labels: {},
  annotations: {},
});
const podStatus = (
  containerStatuses: readonly Status[],
  sandboxStatuses: readonly PodSandboxStatus[] = [],
): PodStatus => ({
  id: 'u',
  name: 'web',
  namespace: 'default',
  ips: [],
  containerStatuses: [...containerStatuses],
  activeContainerStatuses: [],
  sandboxStatuses: [...sandboxStatuses],
  timestamp: instant(0),
});

let log: EventLog;
let ctx: Context;
let cache: PodCache;
let tasks: TaskGroup;
const failures: unknown[] = [];

beforeEach(() => {
  const clock = new VirtualClock();
  log = new EventLog(clock);
  ctx = background(clock, new Tracer(log), 'syncLoop');
  cache = new PodCache();
  failures.length = 0;
  tasks = new TaskGroup((error) => failures.push(error));
});

const set = (...args: Parameters<typeof podStatus>): void =>
  void cache.set('u', podStatus(...args), undefined, instant(1));
const warnings = (): readonly string[] =>
  log.after(0).flatMap((event) => (event.type === 'output' ? [event.message] : []));

describe('the container deletor', () => {
  let deleted: string[];
  let gone: boolean;
  let deletor: ContainerDeletor;
  let deleteContainer: (id: string) => Promise<void>;

  beforeEach(() => {
    deleted = [];
    gone = false;
    deleteContainer = async () => undefined;
    deletor = new ContainerDeletor({
      cache,
      tasks,
      containersToKeep: 1,
      shouldPodContentBeRemoved: () => gone,
      runtime: {
        deleteContainer: async (_ctx: Context, { id }: ContainerID) => {
          deleted.push(id);
          await deleteContainer(id);
        },
      },
    });
  });

  const all = [
    status('app', 1),
    status('app', 3),
    status('app', 4, 'running'),
    status('app', 2),
    status('log', 1),
    status('log', 2),
  ];
  it.each<[string, string | undefined, boolean, readonly string[]]>([
    ['the older dead instances of the container that died', 'app4', false, ['app2', 'app1']],
    ['the older dead instances of another container', 'log2', false, ['log1']],
    ['nothing for an unknown instance', 'gone', false, []],
    [
      'every dead instance of the pod with removeAll, but no running one',
      undefined,
      true,
      ['app3', 'app2', 'log2', 'app1', 'log1'],
    ],
  ])('removes %s', async (_, id, removeAll, expected) => {
    set(all);
    deletor.deleteContainersInPod(ctx, 'u', id, removeAll);
    await tasks.settled();
    expect(deleted).toEqual(expected);
  });

  it('removes the older of two dead instances in a span, and nothing for a container with one', async () => {
    set([status('app', 1), status('app', 2), status('log', 1)]);
    deletor.containerDied(ctx, 'u', 'app2');
    deletor.containerDied(ctx, 'u', 'log1');
    await tasks.settled();
    expect(deleted).toEqual(['app1']);
    expect(log.after(0).filter(({ type }) => type === 'spanStarted')).toMatchObject([
      { point: 'kubelet.containerDeletor', pod: 'u' },
    ]);
  });

  it('removes every dead container of a deleted pod once', async () => {
    gone = true;
    set([status('app', 1), status('app', 2), status('log', 1, 'running')]);
    deletor.containerDied(ctx, 'u', 'app2');
    deletor.containerDied(ctx, 'u', 'app1');
    await tasks.settled();
    expect(deleted).toEqual(['app2', 'app1']);
  });

  it('removes one container after another, and leaves what exceeds its queue to the garbage collection', async () => {
    gone = true;
    const unblock = Promise.withResolvers<void>();
    deleteContainer = () => unblock.promise;
    set(Array.from({ length: 30 }, (_, index) => status('app', 100 + index)));
    deletor.containerDied(ctx, 'u', 'app100');
    expect(deleted).toEqual(['app129']);
    set(Array.from({ length: 60 }, (_, index) => status('app', 100 + index)));
    deletor.containerDied(ctx, 'u', 'app159');
    unblock.resolve();
    await tasks.settled();
    expect(deleted).toHaveLength(51);
    expect(deleted.slice(29, 32)).toEqual(['app100', 'app159', 'app158']);
    expect(warnings()).toHaveLength(9);
    expect(warnings()[0]).toBe('Failed to issue the request to remove container app138');
  });

  it('frees the queue and retries at the next exit if a fault replaced the removal', async () => {
    gone = true;
    const clock = new VirtualClock();
    const before = vi.fn<() => Promise<never>>().mockRejectedValue(new Error('injected'));
    const faulty = background(clock, new Tracer(log, { before, after: () => undefined }), 'syncLoop');
    set(Array.from({ length: 50 }, (_, index) => status('app', 100 + index)));
    deletor.containerDied(faulty, 'u', 'app149');
    await tasks.settled();
    expect(before).toHaveBeenCalledOnce();
    expect(deleted).toEqual([]);
    deletor.containerDied(ctx, 'u', 'app149');
    await tasks.settled();
    expect(deleted).toHaveLength(50);
    expect(warnings()).toEqual([]);
  });

  it('logs a failed removal, removes the others, and retries at the next exit', async () => {
    set([status('app', 1), status('app', 2), status('app', 3)]);
    deleteContainer = (id) => (id === 'app2' ? Promise.reject(new Error('busy')) : Promise.resolve());
    deletor.containerDied(ctx, 'u', 'app3');
    await tasks.settled();
    expect(deleted).toEqual(['app2', 'app1']);
    expect(warnings()).toEqual(['DeleteContainer app2: busy']);
    deletor.containerDied(ctx, 'u', 'app3');
    await tasks.settled();
    expect(deleted).toEqual(['app2', 'app1', 'app2']);
    expect(failures).toEqual([]);
  });
});

describe('the sandbox deletor of v1.20', () => {
  const removed: string[] = [];
  let containers: Readonly<Record<string, number>>;
  let isDeleted: boolean;
  let deletor: SandboxDeletor;

  beforeEach(() => {
    removed.length = 0;
    containers = {};
    isDeleted = false;
    class Runtime extends UnimplementedRuntimeService {
      override async listContainers(
        _ctx: Context,
        { filter }: { readonly filter?: { readonly podSandboxId?: string } },
      ) {
        const id = filter?.podSandboxId ?? '';
        if (id === 's-broken') throw new Error('no list');
        return { containers: Array.from({ length: containers[id] ?? 0 }, () => ({}) as never) };
      }
      override async removePodSandbox(_ctx: Context, { podSandboxId }: { readonly podSandboxId: string }) {
        removed.push(podSandboxId);
        return {};
      }
    }
    deletor = new SandboxDeletor({ runtime: new Runtime(), cache, tasks, isPodDeleted: () => isDeleted });
  });

  it.each<[string, readonly PodSandboxStatus[], boolean, Readonly<Record<string, number>>, readonly string[]]>([
    ['removes all dead sandboxes except the newest', [sandbox(1), sandbox(3), sandbox(2)], false, {}, ['s2', 's1']],
    ['removes all dead sandboxes of a deleted pod', [sandbox(1), sandbox(2)], true, {}, ['s2', 's1']],
    ['keeps a ready sandbox that is older than a dead one', [sandbox(2), sandbox(1, 'SANDBOX_READY')], false, {}, []],
    ['keeps a dead sandbox that has a container', [sandbox(1), sandbox(2), sandbox(3)], false, { s1: 1 }, ['s2']],
    ['removes nothing if the pod has one sandbox', [sandbox(1)], false, {}, []],
  ])('%s', async (_, sandboxes, deleted, held, expected) => {
    isDeleted = deleted;
    containers = held;
    set([], sandboxes);
    deletor.containerRemoved(ctx, 'u');
    await tasks.settled();
    expect(removed).toEqual(expected);
  });
});
