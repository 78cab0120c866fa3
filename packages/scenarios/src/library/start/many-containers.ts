/** Scenario: the containers of a pod start one after the other. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, line, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const manyContainers: Scenario = {
  id: 'many-containers',
  category: 'start',
  title: text('Three containers', '三个容器'),
  summary: text(
    'One sandbox and three containers. They are started in the order of the manifest and share address and ports.',
    '一个沙箱，三个容器：按照清单中的顺序启动，共享地址和端口。',
  ),
  notice: [
    text(
      'One sync starts all three, one after another, each with CreateContainer and StartContainer.',
      '一次同步依次启动三个容器：每个都有一次 CreateContainer 和一次 StartContainer。',
    ),
    text(
      'A container doesn’t wait until the previous one is ready, only until it has started and its ' +
        'postStart hook has finished.',
      '后一个容器不等待前一个就绪，只等待它启动（以及它的 postStart 钩子，如果有的话）。',
    ),
    text(
      'All containers share the sandbox’s address, so the third container reaches the first at localhost.',
      '只有一个地址，即沙箱的地址：第三个容器通过 localhost 访问第一个。',
    ),
  ],
  manifest: podManifest(
    'many-containers',
    `
containers:
  - name: web
    image: busybox:1.36
    command: [sh, -c, 'mkdir -p /www; echo hello > /www/index.html; exec httpd -f -p 8080 -h /www']
  - name: clock
    image: busybox:1.36
    command: [sh, -c, 'while true; do date; sleep 5; done']
  - name: client
    image: busybox:1.36
    command: [sh, -c, 'while true; do wget -q -O - http://localhost:8080/; sleep 5; done']
`,
  ),
  duration: 20,
  profiles: bothProfiles,
  differs: onlyLater,
  docker: {
    phase: 'Running',
    containers: [
      { name: 'web', ready: true },
      { name: 'clock', ready: true },
      { name: 'client', ready: true },
    ],
    logs: [line('client', 'hello'), line('clock', 'UTC')],
  },
};
