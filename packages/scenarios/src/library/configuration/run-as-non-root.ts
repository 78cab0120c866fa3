/** Scenario: `runAsNonRoot` forbids root, but the image runs as root. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, event, line, podManifest, text } from '../authoring.ts';
import { oneMoreTry } from '../differences.ts';

export const runAsNonRoot: Scenario = {
  id: 'run-as-non-root',
  category: 'configuration',
  title: text('runAsNonRoot with an image that runs as root', 'runAsNonRoot，但镜像以 root 运行'),
  summary: text(
    'The pod forbids containers that run as root. The image sets no user, which means root.',
    'Pod 规定任何进程都不得以 root 运行；镜像没有指定用户，也就是 root。',
  ),
  notice: [
    text(
      'The kubelet checks this before it creates the container. It reads the user from the image.',
      'kubelet 在创建容器之前检查：它查询了镜像的用户。',
    ),
    text(
      'The second container sets runAsUser, so it runs with the same image.',
      '第二个容器设置了 runAsUser：它从同一个镜像运行。',
    ),
  ],
  manifest: podManifest(
    'run-as-non-root',
    `
securityContext:
  runAsNonRoot: true
containers:
  - name: app
    image: busybox:1.36
    command: [sleep, '3600']
  - name: other
    image: busybox:1.36
    command: [sh, -c, 'id -u; exec sleep 3600']
    securityContext: { runAsUser: 1000 }
`,
  ),
  duration: 30,
  profiles: bothProfiles,
  differs: oneMoreTry,
  docker: {
    phase: 'Pending',
    containers: [
      {
        name: 'app',
        reason: 'CreateContainerConfigError',
        message: 'container has runAsNonRoot and image will run as root',
      },
      { name: 'other', ready: true },
    ],
    events: [event('Failed', 'Error: container has runAsNonRoot and image will run as root', 'app')],
    logs: [line('other', '1000')],
  },
};
