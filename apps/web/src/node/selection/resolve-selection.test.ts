import { RunLanes } from '@podscope/timeline';
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

  it('resolves spans, instances and events', () => {
    expect(resolve('span:1')).toMatchObject({ kind: 'span', span: { id: 1 } });
    expect(resolve('attempt:app-1')).toMatchObject({
      kind: 'attempt',
      attempt: { id: 'app-1', attempt: 1 },
      track: { name: 'app' },
    });
    expect(resolve(`event:${pod.events[0]?.seq}`)).toMatchObject({ kind: 'event', event: pod.events[0] });
  });

  it('finds the record of every item and marker in the lane of a container', () => {
    const lane = new RunLanes().model(run, [pod.uid]).lanes.find(({ id }) => id === `${pod.uid}/app`);
    const kinds = new Set([...(lane?.items ?? []), ...(lane?.markers ?? [])].map(({ id }) => resolve(id).kind));
    expect(kinds).toEqual(new Set(['container', 'span', 'attempt', 'backOff']));
    const bar = lane?.items.find(({ state }) => state === 'backoff');
    expect(resolve(bar?.id)).toMatchObject({ kind: 'backOff', backOff: { since: bar?.start }, track: { name: 'app' } });
  });

  it('returns the pod for unknown ids', () => {
    for (const id of [undefined, '', 'backoff:app:container:1', 'span:99999', 'attempt:none', 'nonsense'])
      expect(resolve(id)).toEqual({ kind: 'pod' });
  });
});
