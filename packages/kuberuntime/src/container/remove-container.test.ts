/** Tests the removal of a dead container. */
import { expect, it, vi } from 'vitest';
import { profileV120 } from '../profiles/v1-20/profile.ts';
import { profileV136 } from '../profiles/v1-36/profile.ts';
import { testStage } from '../testing/test-stage.ts';
import { removeContainer } from './remove-container.ts';

it.each([
  ['v1.36', profileV136, 1],
  ['v1.20', profileV120, 2],
])('removes all logs with the link, and requests the status as the recorded cases of %s', async (_, profile, calls) => {
  const { ctx, dependencies, os } = testStage({ dependencies: { profile, legacyLogDir: '/var/log/containers' } });
  const labels = {
    'io.kubernetes.pod.name': 'web',
    'io.kubernetes.pod.namespace': 'default',
    'io.kubernetes.container.name': 'app',
  };
  const link = '/var/log/containers/web_default_app-c1.log';
  await os.mkdirAll('/logs', 0o750);
  await os.mkdirAll('/var/log/containers', 0o750);
  for (const name of ['0.log', '0.log.1.gz', '1.log']) await os.writeFile(`/logs/${name}`, '', 0o640);
  await os.symlink('/logs/0.log', link);
  const status = { id: 'c1', labels, logPath: '/logs/0.log' };
  const asked = vi.spyOn(dependencies.runtime, 'containerStatus').mockResolvedValue({ status } as never);
  const removed = vi.spyOn(dependencies.runtime, 'removeContainer').mockResolvedValue({});
  await removeContainer(ctx, dependencies, 'c1');
  expect(asked).toHaveBeenCalledTimes(calls);
  expect(removed).toHaveBeenCalledExactlyOnceWith(ctx, { containerId: 'c1' });
  expect([await os.readDir('/logs'), await os.readDir('/var/log/containers')]).toEqual([['1.log'], []]);
});
