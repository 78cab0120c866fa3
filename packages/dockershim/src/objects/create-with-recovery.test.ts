import { expect, it } from 'vitest';
import { fakeShim } from '../testing/fake-shim.ts';
import { sandboxConfig } from '../testing/requests.ts';
import { labelKeys } from './labels.ts';
import { makeSandboxName } from './names.ts';

it.each([
  ['test', 'exited', 'by a stopped container, which was removed: the next attempt succeeds'],
  ['test', 'running', 'by a container that could not be removed: give up'],
  ['other', 'exited', 'by a container of another owner: give up'],
] as const)('handles a name conflict with a container of instance %s that is %s', async (instance, status, outcome) => {
  const { runtime, ctx, docker, log } = await fakeShim();
  const config = sandboxConfig();
  docker.plant(makeSandboxName(config.metadata), { Labels: { [labelKeys.instance]: instance } }, status);
  await expect(runtime.runtime.runPodSandbox(ctx, { config })).rejects.toThrow('is already in use');
  expect(log.after(0)).toContainEqual(
    expect.objectContaining({ type: 'decision', rule: 'createWithRecovery.conflict', outcome }),
  );
});

it('decides whether resolv.conf is rewritten', async () => {
  const { runtime, ctx, log } = await fakeShim();
  await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
  expect(log.after(0)).toContainEqual(
    expect.objectContaining({
      type: 'decision',
      rule: 'startSandbox.resolvConf',
      outcome: 'no: the pod has no DNS configuration of its own',
    }),
  );
});
