/**
 * Tests answers of engines that are newer than the one in the tests. The answers follow the API documents of versions
 * 1.44 to 1.52.
 */
import type { ContainerStats } from '@podscope/cri';
import { describe, expect, it } from 'vitest';
import { fakeShim } from '../testing/fake-shim.ts';
import { containerRequest, sandboxConfig } from '../testing/requests.ts';
import type { ContainerCreateBody } from './create-body.ts';
import * as schemas from './schemas.ts';

const id = `sha256:${'c'.repeat(64)}`;

describe('an engine of API 1.52 with cgroup v2 and containerd’s images', () => {
  it('reports addresses although only networks have them', async () => {
    const { runtime, ctx, docker } = await fakeShim();
    const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
    const inspect = docker.inspectContainer.bind(docker);
    docker.inspectContainer = async (inner, args) => ({
      ...(await inspect(inner, args)),
      NetworkSettings: schemas.containerInspectSchema.shape.NetworkSettings.parse({
        SandboxID: 'ab',
        Ports: {},
        Networks: { bridge: { IPAddress: '172.17.0.9', GlobalIPv6Address: '2001:db8::9', DNSNames: null } },
      }),
    });
    const { status } = await runtime.runtime.podSandboxStatus(ctx, { podSandboxId });
    expect(status.network).toEqual({ ip: '172.17.0.9', additionalIps: [{ ip: '2001:db8::9' }] });
  });

  it('finds an image by the id of its manifest, and omits unset fields', async () => {
    const { runtime, ctx, docker } = await fakeShim();
    docker.inspectImage = () =>
      Promise.resolve(
        schemas.imageInspectSchema.parse({
          Id: id,
          RepoTags: [],
          RepoDigests: [`r.io/app@${id}`],
          Descriptor: { mediaType: 'application/vnd.oci.image.index.v1+json', digest: id, size: 1 },
          Size: 5,
          Config: {},
        }),
      );
    const expected = { id, repoTags: [], repoDigests: [`r.io/app@${id}`], size: 5, pinned: false };
    for (const image of [id, `r.io/app@${id}`, `r.io/app:v1@${id}`]) {
      expect((await runtime.images.imageStatus(ctx, { image: { image } })).image).toEqual(expected);
    }
  });

  it('reads memory counters of cgroup v2 and no I/O operations', async () => {
    const { runtime, ctx, docker } = await fakeShim();
    const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
    const { containerId } = await runtime.runtime.createContainer(ctx, containerRequest(podSandboxId));
    await runtime.runtime.startContainer(ctx, { containerId });
    docker.containerStats = () =>
      Promise.resolve(
        schemas.statsSchema.parse({
          os_type: 'linux',
          read: '2026-01-01T00:00:00Z',
          pids_stats: { current: 1, limit: 18_446_744_073_709_552_000 },
          blkio_stats: {
            io_service_bytes_recursive: [{ major: 8, minor: 0, op: 'read', value: 4096 }],
            io_serviced_recursive: null,
          },
          cpu_stats: {
            cpu_usage: { total_usage: 9000, usage_in_kernelmode: 4000, usage_in_usermode: 5000 },
            online_cpus: 2,
            throttling_data: { periods: 0 },
          },
          memory_stats: {
            usage: 1000,
            stats: { anon: 300, file: 600, inactive_file: 400, pgfault: 7, pgmajfault: 1 },
            limit: 2000,
          },
        }),
      );
    const { stats }: { stats: ContainerStats } = await runtime.runtime.containerStats(ctx, { containerId });
    expect(stats.memory).toMatchObject({
      usageBytes: { value: 1000 },
      workingSetBytes: { value: 600 },
      availableBytes: { value: 1400 },
      rssBytes: { value: 300 },
      pageFaults: { value: 7 },
    });
    const { podMetrics } = await runtime.runtime.listPodSandboxMetrics(ctx, {});
    const metrics = new Map(podMetrics[0]?.containerMetrics[0]?.metrics.map(({ name, value }) => [name, value.value]));
    expect(metrics.get('container_memory_working_set_bytes')).toBe(600);
    expect(metrics.get('container_memory_cache')).toBe(600);
    expect(metrics.get('container_fs_reads_bytes_total')).toBe(4096);
    expect(metrics.get('container_fs_reads_total')).toBe(0);
  });

  it.each([
    { selinux: false, binds: ['/b:/b'], relabeledSource: ['/a'] },
    { selinux: true, binds: ['/a:/a:ro,Z', '/b:/b'], relabeledSource: [] },
  ])(
    'keeps mounts below a read-only mount writable (SELinux: $selinux)',
    async ({ selinux, binds, relabeledSource }) => {
      const { runtime, ctx, docker, log } = await fakeShim({}, undefined, (engine) => {
        Object.assign(engine, { apiVersion: '1.52' });
        if (selinux) engine.information = { ...engine.information, SecurityOptions: ['name=seccomp', 'name=selinux'] };
      });
      const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
      const mounts = [
        { hostPath: '/a', containerPath: '/a', readonly: true, selinuxRelabel: true },
        { hostPath: '/b', containerPath: '/b' },
        { hostPath: '/c:d', containerPath: '/c', readonly: true },
        { hostPath: '/e', containerPath: '/e', readonly: true, propagation: 'PROPAGATION_HOST_TO_CONTAINER' as const },
      ];
      await runtime.runtime.createContainer(ctx, containerRequest(podSandboxId, { mounts }));
      const call = docker.calls.findLast(({ operation }) => operation === 'createContainer')?.args as {
        readonly body: ContainerCreateBody;
      };
      expect(call.body.HostConfig.Binds).toEqual(binds);
      const notBelow = { ReadOnly: true, BindOptions: { ReadOnlyNonRecursive: true, CreateMountpoint: true } };
      expect(call.body.HostConfig.Mounts).toMatchObject([
        ...relabeledSource.map((Source) => ({ ...notBelow, Source })),
        { ...notBelow, Source: '/c:d' },
        { ...notBelow, Source: '/e', BindOptions: { ...notBelow.BindOptions, Propagation: 'rslave' } },
      ]);
      const relabels = log
        .after(0)
        .filter((event) => event.type === 'decision' && event.rule === 'createContainer.relabel');
      expect(relabels).toMatchObject(
        selinux ? [{ outcome: 'relabel it: this makes the mounts below /a read-only too' }] : [],
      );
    },
  );

  it('waits for a pull that unpacks layers without messages', async () => {
    const { runtime, ctx, docker, clock } = await fakeShim({ imagePullProgressDeadline: 1000 });
    docker.pullImage = (pullCtx, { onMessage, fromImage, tag }) =>
      new Promise((resolve, reject) => {
        onMessage({ id: 'l1', status: 'Download complete' });
        pullCtx.signal.addEventListener('abort', () => reject(pullCtx.signal.reason as Error));
        pullCtx.clock.schedule(5000, () => {
          docker.images.add(`${fromImage}:${tag}`);
          resolve();
        });
      });
    const pulling = runtime.images.pullImage(ctx, { image: { image: 'app:1' } });
    await clock.advance(5000);
    expect((await pulling).imageRef).toMatch(/^sha256:/);
  });
});
