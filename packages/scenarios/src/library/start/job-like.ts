/** Scenario: a pod that runs to completion fails once, then succeeds. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, line, podManifest, text } from '../authoring.ts';
import { completion } from '../differences.ts';

export const jobLike: Scenario = {
  id: 'job-like',
  category: 'start',
  title: text('Pod that completes', '会结束的任务'),
  summary: text(
    'A pod like those of a Job, with restartPolicy OnFailure. The first attempt fails, the second ' +
      'succeeds, and the pod is complete.',
    '像 Job 创建的 Pod 一样：restartPolicy 为 OnFailure。第一次尝试失败，第二次成功，Pod 就完成了。',
  ),
  notice: [
    text(
      'After exit code 1 the container is restarted, after exit code 0 it isn’t. The phase becomes Succeeded.',
      '退出码 1 会重试，退出码 0 不会：phase 变为 Succeeded。',
    ),
    text(
      'After completion the kubelet stops the sandbox, because a finished pod needs no network.',
      '结束后 kubelet 停止沙箱：完成的 Pod 不需要网络。',
    ),
    text(
      'The emptyDir outlives the container, so the second attempt can see that it isn’t the first.',
      'emptyDir 比容器活得更久：第二次尝试由此得知第一次。',
    ),
  ],
  manifest: podManifest(
    'job-like',
    `
restartPolicy: OnFailure
volumes:
  - name: work
    emptyDir: {}
containers:
  - name: worker
    image: busybox:1.36
    command: [sh, -c, 'echo working; sleep 2; test -f /work/tried && exit 0; touch /work/tried; echo failed; exit 1']
    volumeMounts:
      - { name: work, mountPath: /work }
`,
  ),
  duration: 20,
  profiles: bothProfiles,
  differs: completion,
  docker: {
    phase: 'Succeeded',
    containers: [{ name: 'worker', reason: 'Completed', restarts: 1, exitCode: 0 }],
    logs: [line('worker', 'working')],
    noEvents: [event('Killing')],
    inV120: {},
  },
};
