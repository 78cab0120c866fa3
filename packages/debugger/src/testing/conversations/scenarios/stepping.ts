/** Defines scenarios that pause, step and restart. */
import { podOf, runningPod, type Scenario } from '../scenario.ts';

export const steppingScenarios: readonly Scenario[] = [
  {
    name: 'step-over',
    run: async (c) => {
      await c.send(
        { command: 'setBreakpoints', breakpoints: [{ point: 'syncPod.computePodActions', oneShot: true }] },
        () => undefined,
      );
      await c.apply(runningPod('web'));
      const thread = await c.untilStopped('web');
      for (let step = 0; step < 6; step++) {
        await c.send({ command: 'next', thread });
        await c.untilStopped('web');
      }
      await c.send({ command: 'continue' }, () => undefined);
      await c.untilRunning('web');
    },
  },
  {
    name: 'step-into-and-out',
    run: async (c) => {
      await c.send(
        { command: 'setBreakpoints', breakpoints: [{ point: 'syncPod.startContainers', oneShot: true }] },
        () => undefined,
      );
      await c.apply(runningPod('web'));
      const thread = await c.untilStopped('web');
      for (let step = 0; step < 3; step++) {
        await c.send({ command: 'stepIn', thread });
        await c.untilStopped('web');
      }
      await c.send({ command: 'stepOut', thread });
      await c.untilStopped('web');
      await c.send({ command: 'stepOut', thread });
      await c.untilStopped('web');
      await c.send({ command: 'continue' }, () => undefined);
      await c.untilRunning('web');
    },
  },
  {
    name: 'a-breakpoint-during-a-step',
    run: async (c) => {
      await c.send(
        {
          command: 'setBreakpoints',
          breakpoints: [{ point: 'syncPod.startContainers' }, { point: 'cri.StartContainer' }],
        },
        () => undefined,
      );
      await c.apply(runningPod('web'));
      const thread = await c.untilStopped('web');
      await c.send({ command: 'next', thread });
      await c.untilStopped('web');
      await c.send({ command: 'continue' }, () => undefined);
      await c.untilRunning('web');
    },
  },
  {
    name: 'pause-and-continue',
    run: async (c) => {
      await c.apply(runningPod('web'));
      await c.untilRunning('web');
      const thread = c.uid('web');
      await c.send({ command: 'pause', thread });
      await c.untilStopped('web');
      await c.send({ command: 'pause', thread });
      await c.send({ command: 'continue', thread });
      await c.send({ command: 'continue', thread });
      await c.send({ command: 'next', thread: 'no-such-thread' });
    },
  },
  {
    name: 'cancel-a-pause',
    run: async (c) => {
      await c.apply(runningPod('web'));
      await c.untilRunning('web');
      const thread = c.uid('web');
      const pausing = ({ pausing: threads }: { readonly pausing: readonly string[] }): object => ({ pausing: threads });
      await c.send({ command: 'pause', thread });
      await c.send({ command: 'debugState' }, pausing);
      await c.send({ command: 'continue', thread });
      await c.send({ command: 'debugState' }, pausing);
      await c.send({ command: 'continue', thread });
    },
  },
  {
    name: 'pause-everything',
    run: async (c) => {
      await c.apply(runningPod('one'));
      await c.apply(runningPod('two'));
      await c.untilRunning('one');
      await c.untilRunning('two');
      await c.send({ command: 'pause' }, ({ threads }) => ({ threads: threads.length }));
      await c.untilStopped('one');
      await c.untilStopped('two');
      await c.send({ command: 'continue' }, ({ threads }) => ({ threads: threads.length }));
    },
  },
  {
    name: 'restart-the-sync',
    run: async (c) => {
      await c.send(
        { command: 'setBreakpoints', breakpoints: [{ point: 'cri.CreateContainer', oneShot: true }] },
        () => undefined,
      );
      await c.apply(podOf('web', [{ name: 'app' }, { name: 'log' }]));
      const thread = await c.untilStopped('web');
      await c.send({ command: 'restartSync', thread });
      await c.untilStopped('web');
      await c.send({ command: 'stackTrace', thread }, ({ frames }) => frames.map(({ name }) => name));
      await c.send({ command: 'continue' }, () => undefined);
      await c.untilRunning('web');
    },
  },
  {
    name: 'restart-at-a-pull',
    run: async (c) => {
      c.note('A pull that was cut off on demand has not failed: it is made again at once, without a back-off.');
      await c.send(
        { command: 'setBreakpoints', breakpoints: [{ point: 'cri.PullImage', oneShot: true }] },
        () => undefined,
      );
      await c.apply(runningPod('web', 'nginx:1.27'));
      const thread = await c.untilStopped('web');
      await c.send({ command: 'restartSync', thread });
      await c.untilStopped('web');
      await c.send({ command: 'continue' }, () => undefined);
      await c.untilRunning('web');
    },
  },
  {
    name: 'a-thread-stops-as-a-whole',
    run: async (c) => {
      c.note(
        'Containers of a pod are stopped at the same time, on one thread: one branch stops, and the ' +
          'gate evaluates the other when the thread continues.',
      );
      await c.apply(podOf('web', [{ name: 'a' }, { name: 'b' }]));
      await c.untilRunning('web');
      await c.send(
        { command: 'setBreakpoints', breakpoints: [{ point: 'kuberuntime.killContainer', pod: 'web' }] },
        () => undefined,
      );
      await c.node.deletePod('web', undefined);
      const thread = await c.untilStopped('web');
      await c.send({ command: 'debugState' }, ({ stopped }) => ({ stopped: stopped.length }));
      await c.send({ command: 'evaluate', thread, expression: 'container' }, ({ value }) => value);
      await c.send({ command: 'continue' }, () => undefined);
      await c.untilStopped('web');
      await c.send({ command: 'evaluate', thread, expression: 'container' }, ({ value }) => value);
      await c.send({ command: 'continue' }, () => undefined);
      await c.until('web is gone', () => c.node.pod('web') === undefined);
    },
  },
  {
    name: 'a-stopped-pull-holds-no-other-pull',
    run: async (c) => {
      await c.send(
        { command: 'setBreakpoints', breakpoints: [{ point: 'cri.PullImage', pod: 'web' }] },
        () => undefined,
      );
      const always = { imagePullPolicy: 'Always' };
      await c.apply(podOf('web', [{ name: 'app', more: always }]));
      await c.untilStopped('web');
      await c.apply(podOf('other', [{ name: 'app', more: always }]));
      await c.untilRunning('other');
      await c.send({ command: 'continue' }, () => undefined);
      await c.untilRunning('web');
    },
  },
];
