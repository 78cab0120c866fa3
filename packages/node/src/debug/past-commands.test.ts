import { ApiError } from '@podscope/apiserver';
import { catalogOfRecording, RecordedGate, recordedStops } from '@podscope/debugger/past';
import { crashingPod, podOf } from '@podscope/debugger/testing';
import type { BreakpointSpec, ExceptionFilterSpec, PastPlace } from '@podscope/protocol';
import type { TraceEvent, TraceEventOf } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import type { CommandOf } from '../commands/command-table.ts';
import type { RunLibrary } from '../runs/run-library.ts';
import { systemClock } from '../system-clock.ts';
import { startTestNode, type TestNode } from '../testing/test-node.ts';
import { pastCommandHandlers } from './past-commands.ts';

const signal = new AbortController().signal;
const go = async (
  { nodeHost }: TestNode,
  command: CommandOf<'stepBack'> | CommandOf<'reverseContinue'>,
): Promise<PastPlace> => (await nodeHost.commandTable.run(command, { signal })) as PastPlace;

const sourceOf = ({ nodeHost }: TestNode, id: string): BreakpointSpec => ({
  source: nodeHost.debugger.catalog.list().points.find((point) => point.id === id)?.source ?? { path: '', line: 1 },
});

/**
 * Runs two pods with these breakpoints from the start. Stopped threads continue at once.
 * @returns the stops that the node reported
 */
async function played(
  node: TestNode,
  breakpoints: readonly BreakpointSpec[],
  filters: readonly ExceptionFilterSpec[],
): Promise<readonly TraceEventOf<'stopped'>[]> {
  const { debugger: debug, log } = node.nodeHost;
  debug.attach();
  debug.setBreakpoints('', breakpoints);
  debug.setFilters(filters);
  await node.apply(crashingPod('crash'));
  await node.apply(
    podOf('web', [{ name: 'app' }, { name: 'log' }], {}, [{ name: 'first', command: ['sh', '-c', 'exit 0'] }]),
  );
  for (let round = 0; round < 400; round++) {
    for (const stop of debug.threads.stops()) debug.resume(stop, { how: 'continue' });
    await node.clock.advance(debug.threads.stoppedCount > 0 ? 0 : 500);
  }
  return log.after(0).filter((event) => event.type === 'stopped');
}

const place = ({
  thread,
  span,
  phase,
  point,
  breakpoints = [],
}: Pick<TraceEventOf<'stopped'>, 'thread' | 'span' | 'phase' | 'point' | 'breakpoints'>): string =>
  `${thread} ${phase} ${point} ${span} by ${breakpoints.join(',')}`;

describe('the gate over a recording', () => {
  it('finds the stops that the node reported, with the same breakpoints', async () => {
    const node = await startTestNode();
    const breakpoints: readonly BreakpointSpec[] = [
      { point: 'cri.CreateContainer', container: 'app' },
      { point: 'cri.Start*', when: 'after', pod: 'web', hitCondition: '% 2' },
      { kind: 'syncStep', pod: 'crash', hitCondition: '== 7' },
      { kind: 'cri', containerType: 'init' },
      { point: 'kuberuntime.*', when: 'error', condition: 'reason == "CrashLoopBackOff" && container == "app"' },
      {
        ...sourceOf(node, 'syncPod.createPodSandbox'),
        when: 'after',
        condition: 'podName.startsWith("w") && pod.spec.containers.size() == 2',
      },
      { point: 'cri.CreateContainer', condition: 'request.config.metadata.attempt > 1' },
      { decision: 'computePodActions.*', pod: 'crash', hitCondition: '>= 9' },
      { point: 'cri.*', enabled: false },
      { point: 'cri.*', logMessage: '{container}' },
    ];
    const filters: readonly ExceptionFilterSpec[] = [
      { filter: 'firstBackOff' },
      { filter: 'phaseChanged', pod: 'web' },
      { filter: 'anyError', container: 'app' },
    ];
    const reported = await played(node, breakpoints, filters);
    expect(new Set(reported.flatMap(({ breakpoints: ids = [] }) => ids))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8]));
    const events = node.nodeHost.log.after(0);
    const debug = node.nodeHost.debugger.state();
    const gate = new RecordedGate({ catalog: catalogOfRecording(events, 'v1.36'), ...debug });
    const points = new Map(
      events.flatMap((event): [number, TraceEventOf<'spanStarted'>][] =>
        event.type === 'spanStarted' ? [[event.span, event]] : [],
      ),
    );
    const found = [...recordedStops(events, gate)].map(([seq, { breakpoints: ids }]) => {
      const event = events.find((each) => each.seq === seq);
      const span = event?.span ?? 0;
      return place({
        thread: event?.thread ?? '',
        span,
        phase: event?.type === 'spanStarted' ? 'before' : 'after',
        point: points.get(span)?.point ?? '',
        breakpoints: [...ids],
      });
    });
    expect(found.toSorted()).toEqual(reported.map(place).toSorted());
    expect(gate.unjudged()).toEqual([]);
    await node.nodeHost.stop();
  });
});

describe('stepBack and reverseContinue', () => {
  it('return earlier places of the current run, starting at the stop of a thread', async () => {
    const node = await startTestNode();
    const { debugger: debug } = node.nodeHost;
    debug.attach();
    debug.setBreakpoints('', [{ point: 'cri.StartContainer' }]);
    await node.apply(crashingPod('web'));
    const thread = node.pod('web')?.metadata.uid ?? '';
    await node.until(() => debug.threads.get(thread)?.stop !== undefined);
    const hook = await go(node, { command: 'stepBack', thread });
    expect(hook).toMatchObject({ phase: 'before', point: 'lifecycle.preStartContainer' });
    const back = await go(node, { command: 'stepBack', thread, at: hook.seq });
    expect(back).toMatchObject({
      phase: 'before',
      point: 'cri.CreateContainer',
      pod: { name: 'web' },
      run: node.nodeHost.nodeInfo().run,
    });
    expect(back.arguments).toMatchObject({ request: { config: { metadata: { name: 'app' } } } });
    expect(back.frames.map(({ point }) => point).slice(0, 2)).toEqual([
      'cri.CreateContainer',
      'kuberuntime.startContainer',
    ]);
    expect(await go(node, { command: 'stepBack', thread, at: back.seq, granularity: 'out' })).toMatchObject({
      point: 'kuberuntime.startContainer',
    });
    expect(await go(node, { command: 'stepBack', thread, granularity: 'into' })).toMatchObject({
      phase: 'after',
      point: 'lifecycle.preStartContainer',
      outcome: 'ok',
    });

    // The recording begins before this stop and has no earlier breakpoint.
    const first = await go(node, { command: 'reverseContinue', thread });
    expect(first).toMatchObject({ hit: false });
    await expect(go(node, { command: 'reverseContinue', thread, at: first.seq })).rejects.toMatchObject({
      code: 404,
      reason: 'NotFound',
    });
    debug.resume(debug.stopOf(thread), { how: 'continue' });
    await node.until(() => debug.threads.get(thread)?.stop !== undefined);
    expect(await go(node, { command: 'reverseContinue', thread })).toMatchObject({
      hit: true,
      point: 'cri.StartContainer',
      breakpoints: [1],
    });
    await node.nodeHost.stop();
  });

  it('start at the stop of the thread even if memory no longer contains its event', async () => {
    const node = await startTestNode();
    const { debugger: debug, log } = node.nodeHost;
    debug.attach();
    debug.setBreakpoints('', [{ point: 'cri.StartContainer' }]);
    await node.apply(crashingPod('web'));
    const thread = node.pod('web')?.metadata.uid ?? '';
    await node.until(() => debug.threads.get(thread)?.stop !== undefined);
    const here = await go(node, { command: 'stepBack', thread });
    debug.resume(debug.stopOf(thread), { how: 'continue' });
    await node.until(() => debug.threads.get(thread)?.stop !== undefined);
    const there = await go(node, { command: 'stepBack', thread });
    expect(there.seq).toBeGreaterThan(here.seq);

    // Memory contains only the events after the stop; the library contains all events.
    const all = log.after(0);
    const kept = { page: () => ({ events: all, next: undefined }) } as unknown as RunLibrary;
    const { stepBack } = pastCommandHandlers({
      run: () => ({
        id: 'run',
        catalog: debug.catalog,
        events: [],
        debug: debug.state(),
        standsAt: (name) => debug.threads.get(name)?.stop?.at,
      }),
      library: () => kept,
      pacing: systemClock(),
    });
    const at = debug.threads.get(thread)?.stop?.at ?? 0;
    expect(all[at - 1]).toMatchObject({ type: 'spanStarted', point: 'cri.StartContainer', thread });
    expect(await stepBack?.({ command: 'stepBack', thread }, { signal })).toMatchObject({ ...there, run: 'run' });
    await node.nodeHost.stop();
  });

  it('use the given breakpoints, and name those whose conditions can’t be evaluated', async () => {
    const node = await startTestNode();
    await node.apply(crashingPod('web'));
    await node.clock.advance(60_000);
    const found = await go(node, {
      command: 'reverseContinue',
      breakpoints: [
        { point: 'cri.StartContainer', when: 'after' },
        { point: 'syncPod.computePodActions', when: 'after', condition: 'podActions.createSandbox' },
      ],
      filters: [{ filter: 'firstBackOff' }],
    });
    expect(found).toMatchObject({
      hit: true,
      phase: 'after',
      point: 'cri.StartContainer',
      breakpoints: [1],
      outcome: 'ok',
      unjudged: [{ breakpoint: 2 }],
    });
    expect(await go(node, { command: 'reverseContinue', filters: [{ filter: 'firstBackOff' }] })).toMatchObject({
      hit: true,
      filter: 'firstBackOff',
    });
    await expect(
      go(node, { command: 'reverseContinue', filters: [{ filter: 'anyError', condition: '(' }] }),
    ).rejects.toBeInstanceOf(ApiError);
    await expect(go(node, { command: 'stepBack', run: 'another', thread: 'syncLoop' })).rejects.toMatchObject({
      code: 404,
    });
    await node.nodeHost.stop();
  });

  it('reach the beginning through all stops, each earlier than the one before', async () => {
    const node = await startTestNode();
    await node.apply(crashingPod('web'));
    const thread = node.pod('web')?.metadata.uid ?? '';
    await node.clock.advance(20_000);
    const own = node.nodeHost.log
      .after(0)
      .filter(
        (event: TraceEvent) => event.thread === thread && (event.type === 'spanStarted' || event.type === 'spanEnded'),
      );
    const visited: number[] = [];
    for (let at: number | undefined; at !== own[0]?.seq; ) {
      const { seq } = await go(node, { command: 'stepBack', thread, at, granularity: 'into' });
      visited.push(seq);
      at = seq;
    }
    expect(visited).toEqual(own.map(({ seq }) => seq).toReversed());
    await node.nodeHost.stop();
  });
});
