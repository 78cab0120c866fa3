import { RunFold } from '@podscope/trace';
import { crashLoop } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { resolveSelection } from './resolve-selection.ts';

describe('resolveSelection', () => {
  const story = crashLoop(3);
  const run = new RunFold();
  run.applyAll(story.events);
  const pod = run.pod(story.pod);
  if (!pod) throw new Error('the story has no pod');
  const resolve = (id: string | undefined) => resolveSelection(id, pod, (span) => run.span(span));

  it('finds spans, instances and events', () => {
    expect(resolve('span:1')).toMatchObject({ kind: 'span', span: { id: 1 } });
    expect(resolve('attempt:app-1')).toMatchObject({ kind: 'attempt', attempt: { id: 'app-1', attempt: 1 }, track: { name: 'app' } });
    expect(resolve(`event:${pod.events[0]?.seq}`)).toMatchObject({ kind: 'event', event: pod.events[0] });
  });

  it('finds a back-off by what the timeline calls it', () => {
    const backOff = pod.containers.find(({ name }) => name === 'app')?.backOffs.at(-1);
    expect(resolve(`backoff:app:container:${backOff?.since}`)).toMatchObject({ kind: 'backOff', backOff, track: { name: 'app' } });
  });

  it('falls back to the pod for what is not known', () => {
    for (const id of [undefined, '', 'span:99999', 'attempt:none', 'nonsense']) expect(resolve(id)).toEqual({ kind: 'pod' });
  });
});
