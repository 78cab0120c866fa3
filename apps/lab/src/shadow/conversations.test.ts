/**
 * Tests the shadow engine with conversations of pods that no recording has: our own kubelet plays scenarios of both
 * releases, and each of its syncs must be predicted.
 */
import { figuresOf, replay } from '@podscope/observer';
import { findScenario } from '@podscope/scenarios';
import { expect, it } from 'vitest';
import { simulatedConversation } from './simulated-conversation.ts';

it.each([
  ['resize', 'v1.36', 'a resize in place and one with a restart'],
  ['kubelet-restart', 'v1.36', 'a kubelet that restarts and forgets its back-offs'],
  ['kubelet-restart', 'v1.20', 'a kubelet that restarts and forgets its back-offs'],
  ['network-not-ready', 'v1.36', 'a runtime whose network is not ready'],
  ['missing-config-map-volume', 'v1.36', 'a volume that cannot be mounted'],
  ['missing-key', 'v1.36', 'a container whose configuration is invalid'],
  ['post-start-fails', 'v1.20', 'a postStart hook that fails before /pods shows the pod'],
  ['node-restart', 'v1.36', 'init containers that are removed by the sync'],
  ['init-fails-on-failure', 'v1.20', 'an init container that fails'],
  ['delete-while-creating', 'v1.36', 'a termination right after the start'],
  ['delete-while-pulling', 'v1.20', 'a kill beside a sync that pulls an image'],
  ['delete-by-force', 'v1.20', 'a kill beside an earlier kill of the same pod'],
  ['sidecar', 'v1.36', 'a sidecar'],
  ['env-edited', 'v1.36', 'a changed environment'],
  ['restart-all-containers', 'v1.36', 'containers that are removed without their log files'],
] as const)('predicts each sync of %s with %s: %s', async (id, profile, _what) => {
  const scenario = findScenario(id);
  if (!scenario) throw new Error(`no scenario ${id}`);
  const { syncs } = await replay(await simulatedConversation(scenario, profile), { tracing: 'none' });
  const { agrees, differs, unknown } = figuresOf(syncs);
  // A sync that waits for a volume makes no call.
  const hasCalls = id !== 'missing-config-map-volume';
  expect({ differs, unknown, hasCalls: agrees > 0 }).toEqual({ differs: 0, unknown: 0, hasCalls });
});
