import { describe, expect, it } from 'vitest';
import type { CriMethod } from '../../services.ts';
import { callTimeout } from './deadlines.ts';

describe('time limits of calls', () => {
  it.each([
    ['Status', {}, 120_000],
    ['RunPodSandbox', {}, 240_000],
    ['StopPodSandbox', {}, 120_000],
    ['StopContainer', { timeout: 30 }, 150_000],
    ['ExecSync', { timeout: 5 }, 125_000],
    ['ExecSync', { timeout: 0 }, undefined],
    ['PullImage', {}, undefined],
    ['GetContainerEvents', {}, undefined],
    ['CheckpointContainer', { timeout: -1 }, undefined],
    ['CheckpointContainer', { timeout: 0 }, 120_000],
    ['CheckpointContainer', { timeout: 600 }, 600_000],
  ] as const satisfies readonly (readonly [CriMethod, object, number | undefined])[])(
    'are the kubelet’s: %s %j',
    (method, request, expected) => {
      expect(callTimeout(method, request, 120_000)).toBe(expected);
    },
  );
});
