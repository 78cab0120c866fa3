import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeShim } from '../../testing/fake-shim.ts';
import { containerRequest, sandboxConfig } from '../../testing/requests.ts';
import { cgroupSettings, cgroupSettingsLabel, cgroupSettingsOf, writeSettings } from './cgroup-settings.ts';

describe('cgroup settings without a Docker field', () => {
  it('are written into the cgroup files; huge page limits are skipped without the hugetlb controller', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'cgroup-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    await writeFile(join(directory, 'memory.oom.group'), '0');
    await writeFile(join(directory, 'hugetlb.2MB.max'), 'max');
    const resources = {
      unified: { 'memory.oom.group': '1' },
      hugepageLimits: [
        { pageSize: '2MB', limit: 4_194_304 },
        { pageSize: '1GB', limit: 0 },
      ],
    };
    await writeSettings([join(directory, 'none'), directory], cgroupSettings(resources));
    const read = (name: string): Promise<string> => readFile(join(directory, name), 'utf8');
    expect(await read('memory.oom.group')).toBe('1');
    expect(await read('hugetlb.2MB.max')).toBe('4194304');
    const missing = writeSettings(
      [directory],
      cgroupSettings({ unified: { 'memory.high': '1', 'memory.oom.group': '0' } }),
    );
    await expect(missing).rejects.toThrow("this machine's control groups have no memory.high");
    expect(await read('memory.oom.group')).toBe('0');
  });

  it('are stored in a label until the start', () => {
    const settings = cgroupSettings({ unified: { 'memory.swap.max': '0' } });
    expect(cgroupSettingsOf(cgroupSettingsLabel(settings))).toEqual(settings);
    expect(cgroupSettingsLabel(cgroupSettings())).toEqual({});
    expect(cgroupSettingsOf({ 'io.podscope.container.cgroup-settings': '[{"file":"../../x","value":"1"}]' })).toEqual(
      [],
    );
  });

  it.each(['../memory.max', 'memory', 'memory.max/x', ''])(
    'must be named like a file of a cgroup: %j is rejected',
    async (name) => {
      const { runtime, ctx, docker } = await fakeShim();
      const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
      docker.takeCalls();
      const request = containerRequest(podSandboxId, { linux: { resources: { unified: { [name]: '1' } } } });
      await expect(runtime.runtime.createContainer(ctx, request)).rejects.toMatchObject({ code: 'InvalidArgument' });
      expect(docker.takeCalls()).not.toContain('createContainer');
    },
  );
});
