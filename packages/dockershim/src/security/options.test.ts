import { describe, expect, it } from 'vitest';
import { requireAppArmor } from './options.ts';

const engine = { hasAppArmor: true, isLocal: true };
const loaded = (): Promise<string> => Promise.resolve('docker-default (enforce)\nstrict (complain)\n');
const hidden = (): Promise<string> => Promise.reject(new Error('EACCES'));
const local = (localhostRef: string) => ({ apparmor: { profileType: 'Localhost' as const, localhostRef } });

describe('an AppArmor profile by name', () => {
  it('must be loaded in the kernel', async () => {
    await expect(requireAppArmor(local('strict'), engine, loaded)).resolves.toBeUndefined();
    await expect(requireAppArmor(local('missing'), engine, loaded)).rejects.toThrow('is not loaded');
  });

  it("is checked by the engine if the kernel's list isn't readable", async () => {
    await expect(requireAppArmor(local('strict'), engine, hidden)).resolves.toBeUndefined();
  });

  it.each(['unconfined', 'localhost/unconfined', ' unconfined', ':root:unconfined', ''])(
    'rejects a profile name that means no profile: %j',
    async (name) => {
      await expect(requireAppArmor(local(name), engine, hidden)).rejects.toThrow('is not the name of a profile');
      await expect(requireAppArmor({ apparmorProfile: `localhost/${name}` }, engine, hidden)).rejects.toThrow(
        'is not the name of a profile',
      );
    },
  );
});
