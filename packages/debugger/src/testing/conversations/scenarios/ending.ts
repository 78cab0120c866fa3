/**
 * Defines scenarios in which a stop ends without a command (the pod is deleted, the client disconnects, the node
 * stops), and scenarios with probes during a stop.
 */
import type { Command } from '@podscope/protocol';
import { podOf, runningPod, type Scenario } from '../scenario.ts';

const stopAtCreate: Extract<Command, { command: 'setBreakpoints' }> = {
  command: 'setBreakpoints',
  breakpoints: [{ point: 'cri.CreateContainer', pod: 'web' }],
};

const probed = podOf('web', [
  { name: 'app', more: { livenessProbe: { exec: { command: ['true'] }, periodSeconds: 2 } } },
]);

/**
 * Stops a pod with probes at its next sync, and continues it after some time.
 * @param mode what happens to probes during the stop
 */
const whileStopped = (mode: 'missed' | 'held' | 'made'): Scenario => ({
  name: `probes-${mode}`,
  run: async (c) => {
    await c.send({ command: 'setDebugOptions', options: { probes: mode } });
    await c.apply(probed);
    await c.untilRunning('web');
    await c.send({ command: 'pause', thread: c.uid('web') }, () => undefined);
    await c.untilStopped('web');
    await c.pass(5);
    await c.send({ command: 'continue' }, () => undefined);
    await c.pass(3);
    const spans = c.node.log
      .after(0)
      .filter(
        (event) =>
          event.type === 'spanEnded' && event.thread.startsWith('probe ') && event.attributes?.result === 'success',
      );
    c.note(spans.length > 0 ? 'probes are made again' : 'no probe was made');
  },
});

export const endingScenarios: readonly Scenario[] = [
  {
    name: 'a-stopped-pod-is-deleted',
    run: async (c) => {
      await c.send(stopAtCreate, () => undefined);
      await c.apply(runningPod('web'));
      await c.untilStopped('web');
      await c.node.deletePod('web', undefined);
      await c.until('web is gone', () => c.node.pod('web') === undefined);
      await c.send({ command: 'debugState' }, ({ stopped }) => ({ stopped }));
    },
  },
  {
    name: 'a-pod-stopped-in-its-end-is-deleted-at-once',
    run: async (c) => {
      await c.apply(runningPod('web'));
      await c.untilRunning('web');
      await c.send(
        { command: 'setBreakpoints', breakpoints: [{ point: 'kubelet.syncTerminatingPod.killPod' }] },
        () => undefined,
      );
      await c.node.deletePod('web', 30);
      await c.untilStopped('web');
      await c.node.deletePod('web', 0);
      await c.send({ command: 'setBreakpoints', breakpoints: [] }, () => undefined);
      await c.pass(10);
      await c.send({ command: 'debugState' }, ({ stopped }) => ({ stopped: stopped.length }));
    },
  },
  {
    name: 'a-hanging-pod-is-deleted',
    run: async (c) => {
      await c.send(
        { command: 'setFaults', faults: [{ at: 'cri.StartContainer', hang: true, times: 1 }] },
        () => undefined,
      );
      await c.apply(runningPod('web'));
      await c.pass(5);
      await c.node.deletePod('web', undefined);
      await c.until('web is gone', () => c.node.pod('web') === undefined);
      await c.send({ command: 'debugState' }, ({ held }) => ({ held }));
    },
  },
  {
    name: 'the-last-client-leaves',
    run: async (c) => {
      await c.send(stopAtCreate, () => undefined);
      await c.apply(runningPod('web'));
      await c.untilStopped('web');
      await c.leave();
      await c.untilRunning('web');
      c.note('Breakpoints stay set, but stop nobody while no client is there.');
      await c.connect();
      await c.send({ command: 'debugState' }, ({ attached, breakpoints, stopped }) => ({
        attached,
        breakpoints: breakpoints.map(({ id, hits }) => ({ id, hits })),
        stopped,
      }));
    },
  },
  {
    name: 'the-last-client-leaves-and-stops-are-kept',
    options: { debug: { options: { onDisconnect: 'keep' } } },
    run: async (c) => {
      await c.send(stopAtCreate, () => undefined);
      await c.apply(runningPod('web'));
      await c.untilStopped('web');
      await c.leave();
      await c.pass(60);
      await c.connect();
      await c.send({ command: 'debugState' }, ({ stopped }) => stopped.map(({ text }) => text));
      await c.send({ command: 'continue' });
      await c.untilRunning('web');
    },
  },
  {
    name: 'the-node-stops',
    options: { debug: { options: { onDisconnect: 'keep' } } },
    run: async (c) => {
      await c.send(stopAtCreate, () => undefined);
      await c.apply(runningPod('web'));
      await c.untilStopped('web');
      await c.leave();
      c.note('The node stops with a thread that stands still, and comes to its end.');
      await c.node.stop();
    },
  },
  whileStopped('missed'),
  whileStopped('held'),
  whileStopped('made'),
];
