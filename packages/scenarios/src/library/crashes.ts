/** Containers that end when they should not. */
import type { Scenario } from '../scenario.ts';

export const crashes: readonly Scenario[] = [
  {
    id: 'crash-loop',
    category: 'crashes',
    title: { en: 'Crash loop', zh: '崩溃循环' },
    summary: {
      en: 'The process ends with code 1 a few seconds after each start. The kubelet starts it again, and waits longer each time.',
      zh: '进程每次启动几秒后都以退出码 1 结束。kubelet 会重新启动它，并且每次等待的时间更长。',
    },
    notice: [
      {
        en: 'The first restart comes at once; from then on the waits are 10, 20, 40 … seconds, up to 300.',
        zh: '第一次重启立即发生；之后的等待依次为 10、20、40……秒，最长 300 秒。',
      },
      {
        en: 'The wait is counted from the moment the container ended, not from the moment somebody noticed.',
        zh: '等待时间从容器结束的那一刻算起，而不是从被发现的那一刻算起。',
      },
      {
        en: 'A sync in the middle of a wait has one SyncResult: StartContainer, CrashLoopBackOff.',
        zh: '在等待期间进行的同步只有一个 SyncResult：StartContainer，CrashLoopBackOff。',
      },
    ],
    manifest: `apiVersion: v1
kind: Pod
metadata:
  name: crash-loop
spec:
  containers:
    - name: app
      image: busybox:1.36
      command: [sh, -c, 'echo starting; sleep 2; echo "cannot reach the database" >&2; exit 1']
`,
    duration: 180,
    profiles: ['v1.36', 'v1.20'],
    docker: { phase: 'Running', container: { name: 'app', reason: 'CrashLoopBackOff', restarts: 1 } },
  },
];
