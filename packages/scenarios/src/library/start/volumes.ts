/** Scenario: config map, secret, downward API and emptyDir are mounted before the sandbox is created. */
import type { Scenario } from '../../scenario.ts';
import { appRuns, bothProfiles, documents, line, podManifest, text } from '../authoring.ts';
import { onlyLater } from '../differences.ts';

export const volumes: Scenario = {
  id: 'volumes',
  category: 'start',
  title: text('Volumes', '卷'),
  summary: text(
    'A config map, a secret, the pod’s own labels and an empty directory, all mounted into one container.',
    '一个 ConfigMap、一个 Secret、Pod 自己的标签和一个空目录，都挂载到同一个容器中。',
  ),
  notice: [
    text(
      'Volumes are mounted before the runtime manager’s SyncPod begins, so the sandbox waits for them.',
      '卷在运行时的 SyncPod 开始之前挂载：沙箱要等待它们。',
    ),
    text(
      'To the runtime they are all the same: a directory of the node that is mounted at a path.',
      '对运行时来说它们都一样：节点上的一个目录，绑定到一个路径。',
    ),
    text(
      'The emptyDir lives as long as the pod, not as the container.',
      'emptyDir 与 Pod 同寿命，而不是与容器同寿命。',
    ),
  ],
  manifest: documents(
    `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  greeting: hello
`,
    `apiVersion: v1
kind: Secret
metadata:
  name: login
stringData:
  password: not-told
`,
    podManifest(
      'volumes',
      `
volumes:
  - name: settings
    configMap: { name: settings }
  - name: login
    secret: { secretName: login }
  - name: about
    downwardAPI:
      items:
        - { path: name, fieldRef: { fieldPath: metadata.name } }
  - name: scratch
    emptyDir: {}
containers:
  - name: app
    image: busybox:1.36
    command: [sh, -c, 'cat /settings/greeting /about/name; test -s /login/password && echo secret-read > /scratch/done; cat /scratch/done; exec sleep 3600']
    volumeMounts:
      - { name: settings, mountPath: /settings }
      - { name: login, mountPath: /login }
      - { name: about, mountPath: /about }
      - { name: scratch, mountPath: /scratch }
`,
    ),
  ),
  duration: 20,
  profiles: bothProfiles,
  differs: onlyLater,
  docker: { ...appRuns, logs: [line('app', 'hellovolumessecret-read')] },
};
