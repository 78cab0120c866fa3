import { describe, expect, it } from 'vitest';
import { RunFold } from '../folds/run-fold.ts';
import { crashLoop, EventScript } from '../folds/testing/index.ts';
import { explainPod } from './explain-pod.ts';

describe('explainPod', () => {
  const story = crashLoop(4);
  const fold = new RunFold();
  fold.applyAll(story.events);
  const [track] = fold.pods();
  if (!track) throw new Error('no pod');
  const { headline, sections } = explainPod(fold, track, story.now);

  it('has a headline with the values of kubectl get pod', () => {
    expect(headline).toBe(
      'default/web-0 is CrashLoopBackOff: 1 of 2 containers ready, 3 restarts — back-off 40s restarting ' +
        'failed container=app',
    );
  });

  it('has the last line of a message with several lines in its headline', () => {
    const run = new RunFold();
    const log = new EventScript('uid');
    log.emit({ type: 'podChanged', operation: 'ADDED', object: { metadata: { name: 'web', namespace: 'shop' } } });
    log.emit({ type: 'podStatus', status: { phase: 'Failed', message: 'reading\nfull\n' } });
    run.applyAll(log.events);
    const [pod] = run.pods();
    expect(pod && explainPod(run, pod, story.now).headline).toMatch(/restarts — full$/);
  });

  it('describes the state of each container and its back-off', () => {
    const lines = sections.find(({ title }) => title === 'Containers')?.lines.join('\n');
    expect(lines).toContain('The sandbox is running with address 10.88.0.7 (attempt 0).');
    expect(lines).toMatch(/migrate exited at 09:00:0\d after running .* with exit code 0 \(Completed\)/);
    expect(lines).toMatch(/app exited at .* after running 3.5 s with exit code 1 \(Error\); it was started 4 times\./);
    expect(lines).toMatch(
      /app waits: after the last failure the kubelet starts it again only after 40 s, at .* \(24 s left\)/,
    );
  });

  it('lists the decisions of the relevant sync', () => {
    const sync = sections.find(({ title }) => title.startsWith("The kubelet's sync"));
    expect(sync?.lines).toContain('unchanged — computePodActions.sandboxChanged (sandboxes 1)');
    expect(sync?.lines.join('\n')).toContain('StartContainer app: CrashLoopBackOff — back-off 40s');
  });

  it('says of a genuine kubelet’s sync whether the shadow engine computed its decisions', () => {
    const decided = new RunFold();
    decided.applyAll(story.events.map((event) => ({ ...event, source: 'shadow' as const, inferred: true })));
    const [pod] = decided.pods();
    const titles = pod && explainPod(decided, pod, story.now).sections.map(({ title }) => title);
    expect(titles).toContainEqual(expect.stringMatching(/^The kubelet's sync .*, with the decisions of the shadow/));
  });

  it('says that the decisions are unknown for a genuine kubelet’s sync that the shadow engine did not compute', () => {
    const log = new EventScript('uid');
    log.open('kubelet.podWorkerLoop', { kind: 'worker' });
    log.open('kubelet.SyncTerminatedPod');
    log.close().close();
    const observed = new RunFold();
    observed.applyAll(log.events.map((event) => ({ ...event, source: 'otlp' as const })));
    const [pod] = observed.pods();
    expect(pod && explainPod(observed, pod, log.now).sections.at(-1)?.lines).toEqual([
      expect.stringMatching(/^SyncTerminatedPod ran in the genuine kubelet. .* its decisions are unknown\.$/),
    ]);
  });

  it('lists each warning once', () => {
    expect(sections.find(({ title }) => title === 'Warnings')?.lines).toEqual([
      expect.stringMatching(/BackOff \(3 times\): Back-off restarting failed container app/),
    ]);
  });

  it('explains a pod without any events', () => {
    const empty = new RunFold();
    empty.apply({ seq: 1, time: 0, thread: 'x', pod: 'uid', type: 'output', level: 'info', message: 'x' });
    const [unknown] = empty.pods();
    expect(unknown && explainPod(empty, unknown, 0)).toEqual({
      pod: 'default/uid',
      headline: 'default/uid is Pending: 0 of 0 containers ready, 0 restarts',
      summary: { status: 'Pending', ready: 0, total: 0, restarts: 0, message: undefined },
      diagnoses: [],
      containers: [],
      syncs: [],
      warnings: [],
      sections: [],
    });
  });
});
