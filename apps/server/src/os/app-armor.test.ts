import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appArmorHost } from './app-armor.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'app-armor-'));
});
afterEach(() => rm(root, { recursive: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

async function enable(): Promise<void> {
  await put('sys/module/apparmor/parameters/enabled', 'Y\n');
  await put('sys/kernel/security/apparmor/profiles', 'docker-default (enforce)\n/usr/bin/my tool (complain)\n');
  await put('sbin/apparmor_parser', '');
}

describe('appArmorHost', () => {
  it('reports AppArmor as disabled on a machine without it', async () => {
    expect((await appArmorHost(root, {})).enabled).toBe(false);
  });

  it('reports the loaded profiles of a machine with AppArmor', async () => {
    await enable();
    const host = await appArmorHost(root, {});
    expect(host.enabled).toBe(true);
    expect([...(await host.loadedProfiles())]).toEqual(['docker-default', '/usr/bin/my tool']);
  });

  it('reports AppArmor as disabled inside a container', async () => {
    await enable();
    expect((await appArmorHost(root, { container: 'docker' })).enabled).toBe(false);
  });
});
