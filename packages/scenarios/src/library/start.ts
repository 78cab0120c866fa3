/** Pods that start as they should. */
import type { Scenario } from '../scenario.ts';

export const start: readonly Scenario[] = [
  {
    id: 'one-container',
    category: 'start',
    title: { en: 'One container', zh: '一个容器' },
    summary: {
      en: 'The shortest way: a sandbox, an image that is already there, one container that runs.',
      zh: '最短的路径：一个沙箱、一个已存在的镜像、一个运行的容器。',
    },
    notice: [
      { en: 'The sandbox is made before anything else: it holds the pod’s network.', zh: '最先创建的是沙箱：它持有 Pod 的网络。' },
      {
        en: 'Of the nine steps of SyncPod most have nothing to do; the second sync finds that all is as it should be.',
        zh: 'SyncPod 的九个步骤大多无事可做；第二次同步发现一切正常。',
      },
    ],
    manifest: `apiVersion: v1
kind: Pod
metadata:
  name: one-container
spec:
  containers:
    - name: app
      image: busybox:1.36
      command: [sh, -c, 'echo hello; exec sleep 3600']
`,
    duration: 20,
    profiles: ['v1.36', 'v1.20'],
    differs: {
      en: 'v1.36 reports the sandbox ready before it pulls images; v1.20 has no such step, and no condition PodReadyToStartContainers.',
      zh: 'v1.36 在拉取镜像之前报告沙箱就绪；v1.20 没有这一步，也没有 PodReadyToStartContainers 条件。',
    },
    docker: { phase: 'Running' },
  },
];
