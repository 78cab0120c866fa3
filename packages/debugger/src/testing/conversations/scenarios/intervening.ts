/**
 * Defines scenarios with interventions at a stop and with faults: failures, delays, hangs, replaced answers, changed
 * values.
 */
import { crashingPod, podOf, runningPod, type Scenario } from '../scenario.ts';

const brief = ({
  faults,
}: {
  readonly faults: readonly {
    readonly verified: boolean;
    readonly message?: string | undefined;
    readonly applied: number;
  }[];
}): unknown => faults.map(({ verified, message, applied }) => ({ verified, message, applied }));

export const interveningScenarios: readonly Scenario[] = [
  {
    name: 'fail-a-call-at-a-stop',
    run: async (c) => {
      await c.send(
        { command: 'setBreakpoints', breakpoints: [{ point: 'cri.CreateContainer', oneShot: true }] },
        () => undefined,
      );
      await c.apply(runningPod('web'));
      const thread = await c.untilStopped('web');
      await c.send({
        command: 'intervene',
        thread,
        action: { fail: { grpc: 'ResourceExhausted', message: 'no space left on device' } },
      });
      await c.happened();
      await c.untilRunning('web');
    },
  },
  {
    name: 'fail-ahead-of-time',
    run: async (c) => {
      await c.send(
        {
          command: 'setFaults',
          faults: [
            {
              name: 'the network is down',
              at: 'cri.RunPodSandbox',
              pod: 'web',
              times: 2,
              fail: { cni: 11, message: 'plugin type="bridge" failed: no addresses', details: 'try again' },
            },
          ],
        },
        brief,
      );
      await c.apply(runningPod('web'));
      await c.untilRunning('web');
      await c.send({ command: 'debugState' }, ({ faults }) => brief({ faults }));
    },
  },
  {
    name: 'fail-after-the-call',
    run: async (c) => {
      c.note('The container starts, and the kubelet is told that it did not.');
      await c.send(
        {
          command: 'setFaults',
          faults: [
            {
              at: 'cri.StartContainer',
              when: 'after',
              times: 1,
              fail: { grpc: 'DeadlineExceeded', message: 'context deadline exceeded' },
            },
          ],
        },
        brief,
      );
      await c.apply(runningPod('web'));
      await c.pass(5);
    },
  },
  {
    name: 'delay-a-call',
    run: async (c) => {
      await c.send({ command: 'setFaults', faults: [{ at: 'cri.StartContainer', delay: '7.5s', times: 1 }] }, brief);
      await c.apply(runningPod('web'));
      await c.untilRunning('web');
    },
  },
  {
    name: 'hang-until-released',
    run: async (c) => {
      await c.send(
        { command: 'setFaults', faults: [{ at: 'cri.CreateContainer', pod: 'web', hang: true, times: 1 }] },
        brief,
      );
      await c.apply(runningPod('web'));
      await c.apply(runningPod('other'));
      await c.untilRunning('other');
      await c.pass(300);
      await c.send({ command: 'debugState' }, ({ held }) => held.map(({ id, point }) => ({ id, point })));
      await c.send({ command: 'releaseFault', id: 7 });
      await c.send({ command: 'releaseFault' });
      await c.untilRunning('web');
    },
  },
  {
    name: 'drop-a-pleg-event',
    run: async (c) => {
      c.note('The container dies and the sync loop does not hear of it: only the next regular sync finds out.');
      await c.send(
        {
          command: 'setFaults',
          faults: [
            { at: 'kubelet.plegEvent', container: 'app', condition: 'event == "ContainerDied"', times: 1, drop: true },
          ],
        },
        brief,
      );
      await c.apply(podOf('web', [{ name: 'app', command: ['sh', '-c', 'sleep 20; exit 3'] }]));
      await c.untilRunning('web');
      await c.pass(120);
    },
  },
  {
    name: 'duplicate-a-pleg-event',
    run: async (c) => {
      await c.send(
        { command: 'setFaults', faults: [{ at: 'kubelet.plegEvent', container: 'app', duplicate: 3 }] },
        brief,
      );
      await c.apply(runningPod('web'));
      await c.untilRunning('web');
    },
  },
  {
    name: 'faults-in-the-wrong-place',
    run: async (c) => {
      await c.send(
        {
          command: 'setFaults',
          faults: [
            { at: 'no.such.point', hang: true },
            { at: 'cri.PullImage', drop: true },
            { at: 'kubelet.plegEvent', fail: { grpc: 'Internal', message: 'no call' } },
            { at: 'kubelet.plegEvent', when: 'after', drop: true },
            { at: 'cri.PullImage', answer: { result: 'success' } },
            { at: 'cri.PullImage', skipWait: true },
            { at: 'cri.PullImage', hang: true, condition: '(' },
          ],
        },
        brief,
      );
    },
  },
  {
    name: 'answer-a-probe',
    run: async (c) => {
      const readinessProbe = { exec: { command: ['true'] }, periodSeconds: 1, failureThreshold: 1 };
      await c.apply(podOf('web', [{ name: 'app', more: { readinessProbe } }]));
      const isReady = (): boolean => c.node.pod('web')?.status?.containerStatuses?.[0]?.ready === true;
      await c.until('web is ready', isReady);
      await c.send(
        {
          command: 'setFaults',
          faults: [
            {
              at: 'kubelet.probe',
              condition: 'args.type == "readiness"',
              times: 2,
              answer: { result: 'failure', output: 'says the debugger' },
            },
          ],
        },
        brief,
      );
      await c.until('web is not ready', () => !isReady());
      await c.until('web is ready again', isReady);
    },
  },
  {
    name: 'answer-a-hook',
    run: async (c) => {
      const lifecycle = { postStart: { exec: { command: ['true'] } } };
      await c.send(
        {
          command: 'setFaults',
          faults: [
            { at: 'lifecycle.postStart', times: 1, answer: { result: 'failure', output: 'refused by the debugger' } },
          ],
        },
        brief,
      );
      await c.apply(podOf('web', [{ name: 'app', more: { lifecycle } }]));
      await c.pass(3);
      await c.until('app runs', () => c.node.pod('web')?.status?.containerStatuses?.[0]?.state?.running !== undefined);
    },
  },
  {
    name: 'change-pod-actions',
    run: async (c) => {
      await c.send(
        {
          command: 'setBreakpoints',
          breakpoints: [{ point: 'syncPod.computePodActions', when: 'after', oneShot: true }],
        },
        () => undefined,
      );
      await c.apply(podOf('web', [{ name: 'first' }, { name: 'second' }]));
      const thread = await c.untilStopped('web');
      const { scopes } = await c.send({ command: 'scopes', thread }, () => undefined);
      const variablesReference = scopes.find(({ name }) => name === 'podActions')?.variablesReference ?? 0;
      await c.send({ command: 'setVariable', variablesReference, name: 'containersToStart', value: [5] });
      await c.send({ command: 'setVariable', variablesReference, name: 'sandboxID', value: 'other' });
      await c.send({ command: 'setVariable', variablesReference, name: 'nothing', value: 7 });
      await c.send(
        { command: 'setVariable', variablesReference, name: 'containersToStart', value: [1] },
        ({ value }) => value,
      );
      await c.send({ command: 'continue' }, () => undefined);
      await c.until(
        'second runs before first is created',
        () =>
          c.node.pod('web')?.status?.containerStatuses?.find(({ name }) => name === 'second')?.state?.running !==
          undefined,
      );
      await c.pass(5);
    },
  },
  {
    name: 'change-values-ahead-of-time',
    run: async (c) => {
      await c.send(
        {
          command: 'setFaults',
          faults: [
            { name: 'shorter', at: 'kuberuntime.doBackOff', when: 'after', set: { backOffSeconds: 2 }, times: 1 },
            { name: 'wrong', at: 'cri.RunPodSandbox', set: { 'podActions.containersToStart': 'all' }, times: 1 },
          ],
        },
        brief,
      );
      await c.apply(crashingPod('web'));
      await c.pass(20);
    },
  },
  {
    name: 'skip-a-back-off',
    run: async (c) => {
      await c.apply(crashingPod('web'));
      const isWaiting = (): boolean =>
        c.node.pod('web')?.status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CrashLoopBackOff';
      await c.until('app waits', isWaiting);
      const restarts = (): number => c.node.pod('web')?.status?.containerStatuses?.[0]?.restartCount ?? 0;
      const before = restarts();
      await c.send({ command: 'skipBackOff', namespace: 'default', name: 'web', container: 'app' });
      await c.until('app was started again', () => restarts() > before);
      await c.send({ command: 'setBackOff', namespace: 'default', name: 'web', container: 'app', seconds: 1 });
      await c.send({ command: 'skipBackOff', namespace: 'default', name: 'web', container: 'nothing' });
      await c.send({ command: 'skipBackOff', namespace: 'default', name: 'nothing', container: 'app' });
    },
  },
  {
    name: 'skip-the-wait-at-its-point',
    run: async (c) => {
      await c.send(
        { command: 'setFaults', faults: [{ at: 'kuberuntime.doBackOff', skipWait: true, times: 4 }] },
        brief,
      );
      await c.apply(crashingPod('web'));
      await c.pass(15);
    },
  },
  {
    name: 'kill-a-container',
    run: async (c) => {
      await c.apply(runningPod('web'));
      await c.untilRunning('web');
      await c.send({ command: 'killContainer', namespace: 'default', name: 'web', container: 'app' });
      await c.pass(5);
      await c.send({ command: 'killContainer', namespace: 'default', name: 'web', container: 'nothing' });
      await c.send({ command: 'killContainer', namespace: 'default', name: 'web', container: 'app' });
    },
  },
  {
    name: 'exit-a-container',
    run: async (c) => {
      await c.apply(runningPod('web'));
      await c.untilRunning('web');
      await c.pass(5);
      await c.send({ command: 'killContainer', namespace: 'default', name: 'web', container: 'app', exitCode: 42 });
      await c.until(
        'it was started again',
        () => c.node.pod('web')?.status?.containerStatuses?.[0]?.restartCount === 1,
      );
      c.note(`It exited with ${c.node.pod('web')?.status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode}.`);
    },
  },
  {
    name: 'kill-a-container-softly',
    run: async (c) => {
      c.note('SIGTERM is for the container to heed: it exits with a code of its own.');
      await c.apply(podOf('web', [{ name: 'app', command: ['sh', '-c', 'trap "exit 7" TERM; sleep 3600 & wait'] }]));
      await c.untilRunning('web');
      await c.pass(5);
      await c.send({ command: 'killContainer', namespace: 'default', name: 'web', container: 'app', signal: 'TERM' });
      await c.until(
        'it was started again',
        () => c.node.pod('web')?.status?.containerStatuses?.[0]?.restartCount === 1,
      );
      await c.send({
        command: 'killContainer',
        namespace: 'default',
        name: 'web',
        container: 'nothing',
        signal: 'TERM',
      });
      c.note(`It exited with ${c.node.pod('web')?.status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode}.`);
    },
  },
  {
    name: 'actions-in-the-wrong-place',
    run: async (c) => {
      c.note('What can do nothing at a stop is refused, and the thread stays where it is.');
      await c.send({ command: 'setBreakpoints', breakpoints: [{ point: 'cri.CreateContainer' }] }, () => undefined);
      await c.apply(runningPod('web'));
      const thread = await c.untilStopped('web');
      await c.send({ command: 'intervene', thread, action: { answer: { result: 'success' } } });
      await c.send({ command: 'intervene', thread, action: { drop: true } });
      await c.send({ command: 'intervene', thread, action: { skipWait: true } });
      await c.send({ command: 'intervene', thread, action: { set: { nothing: 1 } } });
      await c.send({ command: 'debugState' }, ({ stopped }) => stopped.map(({ text }) => text));
      await c.send({ command: 'continue', thread });
      await c.untilRunning('web');
    },
  },
  {
    name: 'fault-plans',
    run: async (c) => {
      const yaml = [
        'name: flaky-disk',
        'description: Containers cannot be created, twice.',
        'faults:',
        '  - name: disk full',
        '    at: cri.CreateContainer',
        '    times: 2',
        '    fail: {grpc: Internal, message: no space left on device}',
        '',
      ].join('\n');
      await c.send({
        command: 'setFaultPlan',
        yaml: yaml.replace('Internal', 'Infernal').replace('times: 2', 'times: often'),
      });
      await c.send({ command: 'setFaultPlan', yaml: 'name: [' });
      await c.send({
        command: 'setFaultPlan',
        yaml:
          'name: nothing-to-do\nfaults:\n  - at: cri.PullImage\n  - at: cri.PullImage\n    hang: true\n    drop: ' +
          'true\n',
      });
      await c.send({ command: 'setFaultPlan', yaml, enabled: false }, ({ plan }) => ({
        name: plan?.name,
        enabled: plan?.enabled,
        faults: plan?.faults,
      }));
      await c.send({ command: 'enableFaultPlan', name: 'flaky-disk', enabled: true }, ({ plan }) => ({
        enabled: plan.enabled,
      }));
      await c.apply(runningPod('web'));
      await c.untilRunning('web');
      await c.send({ command: 'deleteFaultPlan', name: 'flaky-disk' });
      await c.send({ command: 'deleteFaultPlan', name: 'flaky-disk' });
    },
  },
  {
    name: 'edit-the-pod-and-go-on',
    run: async (c) => {
      await c.send(
        { command: 'setBreakpoints', breakpoints: [{ point: 'cri.PullImage', when: 'error', oneShot: true }] },
        () => undefined,
      );
      const pod = (image: string): string => podOf('web', [{ name: 'app', image }]);
      await c.apply(pod('nowhere.invalid/none:1'));
      await c.untilStopped('web');
      await c.apply(pod('busybox:1.36'));
      await c.send({ command: 'continue' }, () => undefined);
      await c.untilRunning('web');
    },
  },
];
