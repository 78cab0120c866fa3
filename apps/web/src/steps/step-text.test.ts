import { syncPodSteps, syncPodStepsV120 } from '@podscope/kuberuntime';
import { expect, it } from 'vitest';
import type { translate } from '../i18n/i18n.ts';
import { sayStep } from './step-text.ts';

const marked = (({ message }: { readonly message: string }) => `«${message}»`) as typeof translate;

it('knows all that the engine says of the steps of both releases', () => {
  const points = [...syncPodSteps('v1.36'), ...syncPodSteps('v1.20'), ...Object.values(syncPodStepsV120)];
  for (const { title, description = '' } of points) for (const english of [title, description]) expect(sayStep(marked, english)).toBe(`«${english}»`);
});

it('leaves names of calls as they are', () => {
  expect(sayStep(marked, 'RunPodSandbox')).toBe('RunPodSandbox');
});
