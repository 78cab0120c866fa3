import { expect, it } from 'vitest';
import { deviceNodes } from './device-nodes.ts';

it('lists devices, without terminals, the console, links and directories', async () => {
  const nodes = await deviceNodes();
  expect(nodes).toEqual(expect.arrayContaining(['/dev/null', '/dev/random', '/dev/zero']));
  expect(nodes.filter((path) => /^\/dev\/(?:pts|shm|mqueue|fd|console|stdin)(?:\/|$)/.test(path))).toEqual([]);
});

it('rejects a directory that does not exist', async () => {
  await expect(deviceNodes('/dev/no-such-directory')).rejects.toThrow('ENOENT');
});
