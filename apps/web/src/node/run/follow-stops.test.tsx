import type { StoppedThread } from '@podscope/protocol';
import { beforeEach, expect, it } from 'vitest';
import { initialView } from '../address/view-address.ts';
import { useView } from '../address/view-store.ts';
import { followStops } from './follow-stops.ts';

const stopped = (stop: number, name: string | undefined): StoppedThread => ({
  thread: name ?? 'pleg',
  ...(name === undefined ? {} : { pod: { uid: `uid-of-${name}`, namespace: 'default', name } }),
  reason: 'breakpoint',
  text: 'Breakpoint 1: before CreateContainer',
  point: 'cri.CreateContainer',
  title: 'CreateContainer',
  phase: 'before',
  span: 7,
  breakpoints: [1],
  since: 0,
  stop,
});

/** Returns a debugger that reports these stops, and a run that counts how often the page returns to the present. */
function fake() {
  const listeners = new Set<() => void>();
  const state: { stopped: readonly StoppedThread[] } = { stopped: [] };
  const node = {
    returns: 0,
    stops: (...stops: readonly StoppedThread[]) => {
      state.stopped = stops;
      for (const listener of listeners) listener();
    },
  };
  const session = {
    run: { travel: () => void node.returns++ },
    debug: {
      state,
      subscribe: (listener: () => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  } as unknown as Parameters<typeof followStops>[0];
  return { node, session };
}

beforeEach(() => useView.setState(initialView));

it('shows the pod of a new stop at the present, and keeps what the user selects afterwards', () => {
  const { node, session } = fake();
  const end = followStops(session);
  useView.setState({ at: 12, follow: false, selected: 'span:3' });
  node.stops(stopped(1, 'web'));
  expect(useView.getState()).toMatchObject({
    uid: 'uid-of-web',
    pod: 'default/web',
    at: undefined,
    follow: true,
    selected: undefined,
  });
  expect(node.returns).toBe(1);

  useView.setState({ uid: 'uid-of-other', pod: 'default/other' });
  node.stops(stopped(1, 'web'), stopped(2, undefined));
  expect(useView.getState().pod).toBe('default/other');
  node.stops(stopped(3, 'db'), stopped(1, 'web'));
  expect(useView.getState().pod).toBe('default/db');

  end();
  node.stops(stopped(4, 'web'));
  expect(useView.getState().pod).toBe('default/db');
});

it('shows a pod that is stopped already', () => {
  const { node, session } = fake();
  node.stops(stopped(5, 'web'));
  followStops(session);
  expect(useView.getState().pod).toBe('default/web');
});
