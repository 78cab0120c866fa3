/** Defines the manifests that the kubectl steps apply. */
import { shellPod } from '../kubectl.ts';

const longRunning = 'trap "exit 0" TERM; echo hello; echo again; while true; do sleep 0.1; done';

const two = `apiVersion: v1
kind: Pod
metadata:
  name: two
  labels: { app: two }
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - { name: first, image: 'busybox:1.36', imagePullPolicy: IfNotPresent,
        command: [sh, -c, 'echo from first; sleep 3600'] }
    - { name: second, image: 'busybox:1.36', imagePullPolicy: IfNotPresent,
        command: [sh, -c, 'echo from second; sleep 3600'] }
`;

const limited = shellPod('limited', 'sleep 3600').replace(
  '      command:',
  '      resources: { requests: { cpu: 100m, memory: 32Mi }, limits: { cpu: 200m, memory: 64Mi } }\n      command:',
);

const sheep = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, labels: { flock: sheep } }\n`;

/** The files by name. */
export const manifests: Readonly<Record<string, string>> = {
  'web.yaml': shellPod('web', longRunning),
  'web-labelled.yaml': shellPod('web', longRunning).replace('app: web', 'app: web, tier: front'),
  'web-other-image.yaml': shellPod('web', longRunning).replace('busybox:1.36', 'busybox:other'),
  'web-other-command.yaml': shellPod('web', 'true'),
  'two.yaml': two,
  'limited.yaml': limited,
  'crash.yaml': shellPod('crash', 'echo about to fail; exit 3'),
  'settings.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\ndata: { colour: red }\n',
  'settings-blue.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\ndata: { colour: blue }\n',
  'flock.yaml': `${sheep('black')}---\n${sheep('white')}`,
  'flock-black.yaml': sheep('black'),
  'generated.yaml': shellPod('x', 'sleep 3600')
    .replace('name: x\n', 'generateName: generated-\n')
    .replace('app: x', 'app: generated'),
  'unknown-field.yaml': shellPod('unknown', 'true', '  colour: red\n'),
  'no-image.yaml': shellPod('imageless', 'true').replace('image: busybox:1.36', 'image: ""'),
  'host.yaml': shellPod('host', 'true', '  hostNetwork: true\n'),
};
