/**
 * Checks the diagnosis of containers that a kubelet stopped because of a probe, without an event that reports the
 * probe.
 */
import { RunFold } from '@podscope/trace';
import { type Diagnosis, inEnglish } from '@podscope/trace/explain';
import { EventScript } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { diagnosePodOfRun } from './diagnose-run.ts';

type Fields = Readonly<Record<string, unknown>>;

const execProbe = { exec: { command: ['cat', '/tmp/ok'] }, periodSeconds: 3, failureThreshold: 2 };
const httpProbe = { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 3, failureThreshold: 2 };

interface Story {
  readonly container: Fields;
  /** Results of the liveness probe that calls show, every 3 s. Default: none. */
  readonly liveness?: readonly ('success' | 'failure')[];
  /** Whether StopContainer comes before the exit. Default: true. */
  readonly isStopped?: boolean;
  /** The hash of the spec of the second instance. The hash of the first instance's spec is `1`. */
  readonly nextHash?: string;
  /** How many seconds the first instance runs. Default: 26. */
  readonly seconds?: number;
  readonly emitEvents?: (log: EventScript) => void;
}

function create(log: EventScript, id: string, attempt: number, hash: string): void {
  const config = { metadata: { name: 'app', attempt }, annotations: { 'io.kubernetes.container.hash': hash } };
  const sandboxConfig = { metadata: { name: 'web', namespace: 'shop', uid: 'uid-1', attempt: 0 } };
  log.call('CreateContainer', 100, { podSandboxId: 'box', config, sandboxConfig }, { containerId: id });
  log.call('StartContainer', 100, { containerId: id });
}

/** Diagnoses a pod whose container has ended once with code 0 and was created again in the same sandbox. */
function diagnose({
  container,
  liveness = [],
  isStopped = true,
  nextHash = '1',
  seconds = 26,
  emitEvents,
}: Story): readonly Diagnosis[] {
  const log = new EventScript('uid-1');
  const object = {
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-1' },
    spec: {
      restartPolicy: 'Always',
      nodeName: 'node-1',
      containers: [{ name: 'app', image: 'busybox:1.36', imagePullPolicy: 'IfNotPresent', ...container }],
    },
  };
  log.emit({ type: 'podChanged', operation: 'ADDED', object });
  const config = { metadata: { name: 'web', namespace: 'shop', uid: 'uid-1', attempt: 0 } };
  log.call('RunPodSandbox', 100, { config }, { podSandboxId: 'box' });
  create(log, 'first', 0, '1');
  for (const result of liveness) {
    log.wait(3_000).open('kubelet.probe', { kind: 'probe', attributes: { type: 'liveness', container: 'app' } });
    log.close({ result });
  }
  log.at(seconds * 1_000);
  const at = (time: number): string => new Date(time).toISOString();
  const ended = { exitCode: 0, reason: 'Completed', startedAt: at(log.startedAt), finishedAt: at(log.now) };
  if (isStopped) log.call('StopContainer', 500, { containerId: 'first', timeout: 2 });
  else
    log.emit({
      type: 'podStatus',
      status: { phase: 'Running', containerStatuses: [{ name: 'app', state: { terminated: ended } }] },
    });
  emitEvents?.(log);
  create(log, 'second', 1, nextHash);
  log.wait(30_000).emit({
    type: 'podStatus',
    status: {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'app',
          restartCount: 4,
          ready: false,
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s restarting failed container=app' } },
          lastState: { terminated: ended },
        },
      ],
    },
  });
  const fold = new RunFold();
  fold.applyAll(log.events);
  const [track] = fold.pods();
  if (!track) throw new Error('no pod');
  return diagnosePodOfRun(fold, track, log.now);
}

const titleOf = (story: Story): string | undefined => diagnose(story).map(({ title }) => inEnglish(title))[0];

const byLiveness = 'app is restarted by its liveness probe';
const byStartup = 'app doesn’t pass its startup probe';
const byItself = 'app finishes and is started again and again';

describe('a container that StopContainer ended and that was created again in its sandbox', () => {
  it('is restarted by the liveness probe whose attempts failed, and the diagnosis has their number', () => {
    const [found] = diagnose({
      container: { livenessProbe: execProbe },
      liveness: ['success', 'success', 'failure', 'failure'],
    });
    expect(found && inEnglish(found.title)).toBe(byLiveness);
    expect(found?.certainty).toBeUndefined();
    expect(found?.cause.map(inEnglish).join(' ')).toBe(
      'The liveness probe (cat /tmp/ok) failed 2 times in a row. Then the kubelet stopped app with StopContainer, ' +
        'to start it again in the same sandbox; the exit code is that of this stop.',
    );
    expect(found?.facts).toContainEqual({
      path: 'status.containerStatuses[0].lastState.terminated.exitCode',
      value: '0',
    });
    expect(found?.next.map(({ command }) => command).join('\n')).not.toContain('create job');
  });

  it('is likely restarted by an HTTP liveness probe, which no call shows', () => {
    const [found] = diagnose({ container: { livenessProbe: httpProbe } });
    expect(found && inEnglish(found.title)).toBe(byLiveness);
    expect(found?.certainty).toBe('likely');
    expect(found?.cause.map(inEnglish).join(' ')).toContain('(HTTP GET :8080/healthz) fails 2 times in a row');
  });

  it.each<[name: string, story: Story, title: string]>([
    [
      'a startup probe when it ends before the liveness probe can fail',
      { container: { livenessProbe: httpProbe, startupProbe: httpProbe }, seconds: 7 },
      byStartup,
    ],
    [
      'a liveness probe when it ends after the startup probe has succeeded',
      { container: { livenessProbe: httpProbe, startupProbe: httpProbe }, seconds: 60 },
      byLiveness,
    ],
    ['itself when it has no probe', { container: {} }, byItself],
    [
      'itself when it ends without StopContainer',
      { container: { livenessProbe: httpProbe }, isStopped: false },
      byItself,
    ],
    [
      'itself when its exec probe succeeded until the end',
      { container: { livenessProbe: execProbe }, liveness: ['success', 'success'] },
      byItself,
    ],
    ['itself when its spec has changed', { container: { livenessProbe: httpProbe }, nextHash: '2' }, byItself],
    [
      'itself when a postStart hook may have failed',
      { container: { livenessProbe: httpProbe, lifecycle: { postStart: { httpGet: { port: 80 } } } } },
      byItself,
    ],
    [
      'itself when an event names another cause',
      {
        container: { livenessProbe: httpProbe },
        emitEvents: (log) =>
          log.emit({
            type: 'kubernetesEvent',
            eventType: 'Normal',
            reason: 'Killing',
            message: 'Container app definition changed, will be restarted',
            container: 'app',
            count: 1,
          }),
      },
      byItself,
    ],
  ])('is ended by %s', (_, story, title) => {
    expect(titleOf(story)).toBe(title);
  });
});
