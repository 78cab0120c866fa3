import { syncPodPoints, syncPodPointsV120 } from '@podscope/flow';
import { expect, it } from 'vitest';
import type { translate } from '../../base/i18n/i18n.ts';
import { pointTexts } from './messages.zh-CN.ts';
import { pointDescription, pointTitle } from './step-text.ts';

const inChinese = (({ id }: { readonly id: string }) => pointTexts[id]) as typeof translate;

it('has a Chinese title and description for every step of SyncPod in both releases', () => {
  for (const { id, title, description = '' } of [syncPodPoints, syncPodPointsV120].flatMap((points) =>
    Object.values(points),
  )) {
    expect(pointTitle(inChinese, id, title)).toMatch(/\p{Script=Han}/u);
    expect(pointDescription(inChinese, id, description)).toMatch(/\p{Script=Han}/u);
  }
});

it('keeps the names of calls in Chinese', () => {
  expect(pointTitle(inChinese, 'cri.RunPodSandbox', 'RunPodSandbox')).toBe('RunPodSandbox');
});

it('returns the recorded title of a point that the catalogue lacks', () => {
  expect(pointTitle(inChinese, 'syncPod.ofTheFuture', 'A later step')).toBe('A later step');
});
