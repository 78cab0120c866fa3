/**
 * Defines scenarios with breakpoints: before and after a point and on an error; with conditions, hit counts, log
 * messages and single use; by pod, container and type; and at rules, lines and loops.
 */
import type { Command } from '@podscope/protocol';
import { crashingPod, podOf, runningPod, type Scenario } from '../scenario.ts';

const noMore: Extract<Command, { command: 'setBreakpoints' }> = { command: 'setBreakpoints', breakpoints: [] };
const brief = ({
  breakpoints,
}: {
  readonly breakpoints: readonly {
    readonly id: number;
    readonly verified: boolean;
    readonly message?: string | undefined;
    readonly hits: number;
  }[];
}): unknown => breakpoints.map(({ id, verified, message, hits }) => ({ id, verified, message, hits }));

export const stoppingScenarios: readonly Scenario[] = [
  {
    name: 'stop-before-a-step',
    run: async (c) => {
      await c.send({ command: 'setBreakpoints', breakpoints: [{ point: 'syncPod.createPodSandbox', pod: 'web' }] });
      await c.apply(runningPod('web'));
      const thread = await c.untilStopped('web');
      await c.send({ command: 'stackTrace', thread }, ({ frames }) =>
        frames.map(({ name, point, source }) => `${name} (${point}) ${source?.path ?? ''}`),
      );
      await c.send({ command: 'continue', thread });
      await c.untilRunning('web');
    },
  },
  {
    name: 'stop-after-a-call',
    run: async (c) => {
      await c.send({ command: 'setBreakpoints', breakpoints: [{ point: 'cri.RunPodSandbox', when: 'after' }] }, brief);
      await c.apply(runningPod('web'));
      const thread = await c.untilStopped('web');
      await c.send({
        command: 'evaluate',
        thread,
        expression: 'outcome == "ok" && response.podSandboxId.size() == 64',
      });
      await c.send({ command: 'scopes', thread }, ({ scopes }) => scopes.map(({ name }) => name));
      await c.send({ command: 'continue' });
      await c.untilRunning('web');
    },
  },
  {
    name: 'stop-on-error-only',
    run: async (c) => {
      await c.send({ command: 'setBreakpoints', breakpoints: [{ point: 'cri.PullImage', when: 'error' }] }, brief);
      await c.apply(podOf('web', [{ name: 'app', image: 'nowhere.invalid/none:1' }]));
      const thread = await c.untilStopped('web');
      await c.send(
        { command: 'watch', thread, expressions: ['reason', 'error', 'container', 'request.image.image'] },
        ({ values }) => values,
      );
      await c.send({ command: 'continue' });
      await c.happened();
    },
  },
  {
    name: 'stop-at-every-step-by-kind',
    run: async (c) => {
      await c.send({ command: 'setBreakpoints', breakpoints: [{ kind: 'syncStep' }] }, brief);
      await c.apply(podOf('web', [{ name: 'app' }], {}, [{ name: 'setup', command: ['true'] }]));
      for (let stop = 0; stop < 6; stop++) {
        await c.untilStopped('web');
        await c.send({ command: 'continue' }, () => undefined);
      }
      await c.send(noMore);
      await c.send({ command: 'continue' }, () => undefined);
      await c.untilRunning('web');
    },
  },
  {
    name: 'stop-by-wildcard',
    run: async (c) => {
      await c.send({ command: 'setBreakpoints', breakpoints: [{ point: 'cri.*Container', container: 'app' }] }, brief);
      await c.apply(runningPod('web'));
      for (let stop = 0; stop < 2; stop++) {
        await c.untilStopped('web');
        await c.send({ command: 'continue' }, () => undefined);
      }
      await c.untilRunning('web');
    },
  },
  {
    name: 'conditions-in-cel',
    run: async (c) => {
      await c.send(
        {
          command: 'setBreakpoints',
          breakpoints: [
            { point: 'cri.CreateContainer', condition: 'request.config.metadata.attempt > 1 && podName == "web"' },
            { point: 'cri.CreateContainer', condition: 'request.config.metadata.attempt +' },
            { point: 'cri.CreateContainer', condition: 'nonsense == 1' },
            { point: 'cri.CreateContainer', condition: 'runtimeHandler == "kata"' },
            { point: 'cri.CreateContainer', condition: 'request.config.metadata.name.matches("(?=app)")' },
          ],
        },
        brief,
      );
      await c.apply(crashingPod('web'));
      const thread = await c.untilStopped('web');
      await c.send({ command: 'evaluate', thread, expression: 'request.config.metadata.attempt' });
      await c.send({ command: 'debugState' }, ({ breakpoints }) => brief({ breakpoints }));
    },
  },
  {
    name: 'hit-conditions',
    run: async (c) => {
      await c.send(
        {
          command: 'setBreakpoints',
          breakpoints: [
            { point: 'cri.StartContainer', hitCondition: '% 2' },
            { point: 'cri.StartContainer', hitCondition: '>= 4' },
            { point: 'cri.StartContainer', hitCondition: '3' },
          ],
        },
        brief,
      );
      await c.apply(
        podOf(
          'web',
          ['a', 'b', 'c', 'd'].map((name) => ({ name })),
        ),
      );
      for (let stop = 0; stop < 3; stop++) {
        const thread = await c.untilStopped('web');
        await c.send({ command: 'evaluate', thread, expression: 'container' }, ({ value }) => value);
        await c.send({ command: 'continue' }, () => undefined);
      }
      await c.untilRunning('web');
      await c.send({ command: 'debugState' }, ({ breakpoints }) => brief({ breakpoints }));
    },
  },
  {
    name: 'logpoints',
    run: async (c) => {
      await c.send(
        {
          command: 'setBreakpoints',
          breakpoints: [
            {
              point: 'kuberuntime.startContainer',
              logMessage: 'start {container} of {podName} from {image}, {{no expression}}, {missing}',
            },
            { point: 'cri.RunPodSandbox', logMessage: 'broken {' },
          ],
        },
        brief,
      );
      await c.apply(podOf('web', [{ name: 'app' }, { name: 'log' }]));
      await c.untilRunning('web');
    },
  },
  {
    name: 'the-way-to-the-worker',
    run: async (c) => {
      await c.apply(runningPod('other'));
      await c.untilRunning('other');
      await c.send(
        {
          command: 'setBreakpoints',
          breakpoints: [
            { point: 'kubelet.syncLoopIteration', condition: 'channel == "config" && operation == "ADD"' },
            { point: 'kubelet.UpdatePod', pod: 'web', oneShot: true },
            { point: 'kubelet.UpdatePod', pod: 'web', when: 'after', oneShot: true },
            { point: 'kubelet.getNewerThan', pod: 'web', oneShot: true },
            { point: 'kubelet.podWorkerLoop', pod: 'web', when: 'after', oneShot: true },
          ],
        },
        brief,
      );
      await c.apply(runningPod('web'));
      for (let stop = 0; stop < 3; stop++) {
        await c.until('the loop stands still', () =>
          c.node.debugger.state().stopped.some(({ thread }) => thread === 'syncLoop'),
        );
        await c.send({ command: 'stackTrace', thread: 'syncLoop' }, ({ frames }) => frames.map(({ point }) => point));
        await c.send({ command: 'continue', thread: 'syncLoop' }, () => undefined);
      }
      for (let stop = 0; stop < 2; stop++) {
        await c.untilStopped('web');
        await c.send({ command: 'continue' }, () => undefined);
      }
      await c.untilRunning('web');
    },
  },
  {
    name: 'run-to-here',
    run: async (c) => {
      await c.send(
        { command: 'setBreakpoints', breakpoints: [{ point: 'kubelet.podWorkerLoop', pod: 'web', oneShot: true }] },
        brief,
      );
      await c.apply(runningPod('web'));
      const thread = await c.untilStopped('web');
      await c.send(
        { command: 'runTo', thread, point: 'cri.StartContainer', when: 'after' },
        ({ breakpoint: { id, group, spec } }) => ({ id, group, spec }),
      );
      await c.untilStopped('web');
      await c.send({ command: 'debugState' }, ({ breakpoints, stopped }) => ({
        breakpoints,
        stopped: stopped.map(({ reason, text }) => ({ reason, text })),
      }));
      await c.send({ command: 'continue' });
      await c.untilRunning('web');
    },
  },
  {
    name: 'one-pod-stops-another-runs',
    run: async (c) => {
      await c.send(
        { command: 'setBreakpoints', breakpoints: [{ kind: 'syncStep', pod: 'we*', namespace: 'default' }] },
        brief,
      );
      await c.apply(runningPod('web'));
      await c.untilStopped('web');
      await c.apply(runningPod('other'));
      await c.untilRunning('other');
      await c.send({ command: 'threads' }, ({ threads }) =>
        threads.map(({ name, kind, state }) => `${kind} ${name}: ${state}`),
      );
      await c.send(noMore);
      await c.send({ command: 'continue' }, () => undefined);
      await c.untilRunning('web');
    },
  },
  {
    name: 'init-containers-only',
    run: async (c) => {
      await c.send(
        {
          command: 'setBreakpoints',
          breakpoints: [
            { point: 'cri.CreateContainer', containerType: 'init' },
            { point: 'cri.CreateContainer', containerType: 'sidecar' },
          ],
        },
        brief,
      );
      const init = [
        { name: 'setup', command: ['true'] },
        { name: 'helper', more: { restartPolicy: 'Always' } },
      ];
      await c.apply(podOf('web', [{ name: 'app' }], {}, init));
      for (let stop = 0; stop < 2; stop++) {
        const thread = await c.untilStopped('web');
        await c.send({ command: 'evaluate', thread, expression: 'container' }, ({ value }) => value);
        await c.send({ command: 'continue' }, () => undefined);
      }
      await c.untilRunning('web');
    },
  },
  {
    name: 'set-by-diff',
    run: async (c) => {
      const first = { point: 'syncPod.createPodSandbox' };
      const second = { point: 'cri.StartContainer' };
      await c.send({ command: 'setBreakpoints', breakpoints: [first, second] }, brief);
      await c.apply(runningPod('web'));
      await c.untilStopped('web');
      await c.send(
        { command: 'setBreakpoints', breakpoints: [second, { point: 'cri.CreateContainer' }, first] },
        brief,
      );
      await c.send(
        {
          command: 'setBreakpoints',
          group: 'another',
          breakpoints: [{ point: 'no.such.point' }, { kind: 'nonsense' }],
        },
        brief,
      );
      await c.send({ command: 'setBreakpoints', breakpoints: [] });
      await c.send({ command: 'debugState' }, ({ breakpoints }) => breakpoints.map(({ id, group }) => ({ id, group })));
    },
  },
  {
    name: 'a-disabled-breakpoint',
    run: async (c) => {
      await c.send({ command: 'setBreakpoints', breakpoints: [{ point: 'cri.*', enabled: false }] }, brief);
      await c.apply(runningPod('web'));
      await c.untilRunning('web');
    },
  },
  {
    name: 'a-decision',
    run: async (c) => {
      await c.send(
        {
          command: 'setBreakpoints',
          breakpoints: [{ decision: 'podSandboxChanged.noSandbox' }, { decision: 'no.such.rule' }],
        },
        brief,
      );
      await c.apply(runningPod('web'));
      const thread = await c.untilStopped('web');
      await c.send({ command: 'evaluate', thread, expression: 'rule + ": " + outcome' });
      await c.send({ command: 'continue' });
      await c.untilRunning('web');
    },
  },
  {
    name: 'a-line-of-the-source',
    run: async (c) => {
      const { points } = await c.send({ command: 'points' }, () => undefined);
      const source = points.find(({ id }) => id === 'syncPod.startContainers')?.source ?? { path: '', line: 1 };
      await c.send(
        {
          command: 'setBreakpoints',
          breakpoints: [
            { source: { ...source, path: `/home/someone/podscope/${source.path}` } },
            { source: { path: 'README.md', line: 1 } },
          ],
        },
        brief,
      );
      await c.apply(runningPod('web'));
      await c.untilStopped('web');
      await c.send({ command: 'continue' });
      await c.untilRunning('web');
    },
  },
  {
    name: 'the-sync-loop',
    run: async (c) => {
      c.note('A loop is stopped for everybody: what it serves waits, what has a thread of its own does not.');
      await c.apply(runningPod('web'));
      await c.untilRunning('web');
      await c.send({ command: 'setBreakpoints', breakpoints: [{ point: 'kubelet.HandlePodAdditions' }] }, brief);
      await c.apply(runningPod('late'));
      await c.until('the loop stands still', () =>
        c.node.debugger.state().stopped.some(({ thread }) => thread === 'syncLoop'),
      );
      await c.pass(30);
      await c.send({ command: 'continue', thread: 'syncLoop' });
      await c.untilRunning('late');
    },
  },
  {
    name: 'a-call-on-a-loop',
    run: async (c) => {
      c.note('PLEG makes CRI calls for pods too: they are stopped at only when that is asked for.');
      await c.send({ command: 'setBreakpoints', breakpoints: [{ point: 'cri.PodSandboxStatus', pod: 'web' }] }, brief);
      await c.apply(runningPod('web'));
      const thread = await c.untilStopped('web');
      await c.send({ command: 'stackTrace', thread, levels: 2 }, ({ frames }) => frames.map(({ name }) => name));
      await c.send({ command: 'continue' }, () => undefined);
      await c.untilRunning('web');
      await c.send(
        { command: 'setBreakpoints', breakpoints: [{ point: 'cri.PodSandboxStatus', pod: 'late', threads: 'loops' }] },
        brief,
      );
      await c.apply(runningPod('late'));
      await c.until('PLEG stands still', () => c.node.debugger.state().stopped.some((stop) => stop.thread === 'pleg'));
      await c.send(noMore, () => undefined);
      await c.send({ command: 'continue' }, ({ threads }) => threads);
      await c.untilRunning('late');
    },
  },
  {
    name: 'a-pleg-event',
    run: async (c) => {
      c.note(
        'An event of PLEG is stopped at before the sync loop has it, looked at, and dropped: the next regular ' +
          'sync finds out.',
      );
      const condition = 'event == "ContainerDied"';
      await c.send(
        {
          command: 'setBreakpoints',
          breakpoints: [{ point: 'kubelet.plegEvent', pod: 'web', container: 'app', condition }],
        },
        brief,
      );
      await c.apply(podOf('web', [{ name: 'app', command: ['sh', '-c', 'sleep 20; exit 3'] }]));
      const stands = (): boolean => c.node.debugger.state().stopped.some(({ thread }) => thread === 'pleg');
      await c.until('PLEG stands still', stands);
      await c.send({ command: 'stackTrace', thread: 'pleg' }, ({ frames }) => frames.map(({ name }) => name));
      await c.send(
        { command: 'watch', thread: 'pleg', expressions: ['event', 'container', 'podName'] },
        ({ values }) => values,
      );
      await c.send({
        command: 'intervene',
        thread: 'pleg',
        action: { fail: { grpc: 'Internal', message: 'no call' } },
      });
      await c.send({ command: 'intervene', thread: 'pleg', action: { drop: true } });
      await c.pass(90);
    },
  },
  {
    name: 'any-error',
    run: async (c) => {
      await c.send({
        command: 'setExceptionBreakpoints',
        filters: [{ filter: 'anyError', condition: 'reason != "CrashLoopBackOff"' }],
      });
      c.node.failNext('CreateContainer', 'no space left on device');
      await c.apply(runningPod('web'));
      const thread = await c.untilStopped('web');
      await c.send({ command: 'stackTrace', thread, levels: 2 }, ({ frames, totalFrames }) => ({
        frames: frames.map(({ name }) => name),
        totalFrames,
      }));
      await c.send({ command: 'continue' });
      await c.untilRunning('web');
    },
  },
  {
    name: 'first-back-off',
    run: async (c) => {
      await c.send({ command: 'setExceptionBreakpoints', filters: [{ filter: 'firstBackOff' }] });
      await c.apply(crashingPod('web'));
      const thread = await c.untilStopped('web');
      await c.send({ command: 'evaluate', thread, expression: 'backOffSeconds' });
      await c.send({ command: 'continue' });
      await c.pass(60);
      await c.send({ command: 'debugState' }, ({ stopped }) => ({ stopped }));
    },
  },
  {
    name: 'sandbox-change',
    run: async (c) => {
      await c.send({ command: 'setExceptionBreakpoints', filters: [{ filter: 'sandboxChanged' }] });
      await c.apply(runningPod('web'));
      await c.untilRunning('web');
      await c.node.stopSandbox();
      const thread = await c.untilStopped('web');
      await c.send({ command: 'evaluate', thread, expression: 'facts.state + " attempt " + string(facts.attempt)' });
      await c.send({ command: 'continue' });
      await c.happened();
    },
  },
  {
    name: 'phase-change',
    run: async (c) => {
      await c.send({ command: 'setExceptionBreakpoints', filters: [{ filter: 'phaseChanged', pod: 'web' }] });
      await c.apply(podOf('web', [{ name: 'app', command: ['sh', '-c', 'sleep 5'] }], { restartPolicy: 'Never' }));
      await c.untilStopped('web');
      await c.send({ command: 'continue' });
      await c.untilStopped('web');
      await c.send({ command: 'continue' });
      await c.happened();
    },
  },
];
