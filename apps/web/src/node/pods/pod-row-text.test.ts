import { RunFold } from '@podscope/trace';
import { crashLoop, crashLoopPod } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { podRowText } from './pod-row-text.ts';

function fold(failures: number) {
  const script = crashLoop(failures);
  const run = new RunFold();
  run.applyAll(script.events);
  const pod = run.pod(script.pod);
  if (!pod) throw new Error('the story has no pod');
  return { script, run, pod };
}

describe('podRowText', () => {
  it('shows a crash loop like kubectl, with the rest of the back-off', () => {
    const { pod, script } = fold(4);
    const text = podRowText(pod, script.now);
    expect(text.description).toMatchObject({ status: 'CrashLoopBackOff', tone: 'waiting', restarts: 3 });
    expect(text.ready).toBe('1/2');
    // 40 % of a back-off of 40 s have passed.
    expect(text.countdown).toEqual({ text: '0:24', title: 'Until the next start', isDue: false });
    expect(text.label).toBe('web-0, CrashLoopBackOff, 1/2 ready, 3 restarts');
  });

  it('shows that the next sync is due when the back-off is over', () => {
    const { pod, script } = fold(3);
    expect(podRowText(pod, script.now + 60_000).countdown?.text).toBe('due');
  });

  it('counts down the grace period of a terminating pod', () => {
    const { pod, script, run } = fold(1);
    const deletionTimestamp = new Date(script.now + 30_000).toISOString();
    script.emit({
      type: 'podChanged',
      operation: 'MODIFIED',
      object: { ...crashLoopPod, metadata: { ...crashLoopPod.metadata, deletionTimestamp } },
    });
    run.applyAll(script.events);
    const text = podRowText(pod, script.now + 12_000);
    expect(text.description.status).toBe('Terminating');
    expect(text.countdown).toEqual({ text: '0:18', title: 'Grace period left', isDue: false });
  });
});
