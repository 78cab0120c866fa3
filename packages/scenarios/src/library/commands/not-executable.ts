/** Scenario: a script from a config map is mounted without execute permission. */
import type { Scenario } from '../../scenario.ts';
import { bothProfiles, documents, event, line, podManifest, text } from '../authoring.ts';
import { moreSyncs } from '../differences.ts';

export const notExecutable: Scenario = {
  id: 'not-executable',
  category: 'commands',
  title: text('Script that is not executable', '不可执行的脚本'),
  summary: text(
    'The command is a script from a config map. Its files are mounted with mode 0644, so no user may ' +
      'execute them.',
    '命令是 ConfigMap 中的一个脚本。它的文件以 0644 模式挂载：谁都不能执行。',
  ),
  notice: [
    text(
      '“permission denied”, not “not found”: the path is right, but the x bit is missing.',
      '“permission denied” 而不是 “not found”：路径正确，但缺少 x 位。',
    ),
    text(
      'The second container mounts the same script with defaultMode 0755 and runs.',
      '第二个容器以 defaultMode 0755 挂载同一个脚本，可以运行。',
    ),
  ],
  manifest: documents(
    `apiVersion: v1
kind: ConfigMap
metadata:
  name: scripts
data:
  run.sh: |
    #!/bin/sh
    echo running
    exec sleep 3600
`,
    podManifest(
      'not-executable',
      `
volumes:
  - name: plain
    configMap: { name: scripts }
  - name: executable
    configMap: { name: scripts, defaultMode: 0755 }
containers:
  - name: app
    image: busybox:1.36
    command: [/scripts/run.sh]
    volumeMounts:
      - { name: plain, mountPath: /scripts }
  - name: other
    image: busybox:1.36
    command: [/scripts/run.sh]
    volumeMounts:
      - { name: executable, mountPath: /scripts }
`,
    ),
  ),
  duration: 40,
  profiles: bothProfiles,
  differs: moreSyncs,
  docker: {
    phase: 'Running',
    containers: [
      { name: 'app', reason: 'CrashLoopBackOff', restarts: 1, exitCode: 126 },
      { name: 'other', ready: true },
    ],
    events: [event('Failed', '"/scripts/run.sh": permission denied', 'app'), event('Started', '', 'other')],
    logs: [line('other', 'running')],
  },
};
