/** Defines the pods that `record-pods.ts` records, and the times at which it records each. */

interface Look {
  /** Seconds since the pod was applied. */
  readonly after: number;
  /** A kubectl command to run before the pod is recorded. */
  readonly first?: readonly string[];
  /** The form to record: the pod as YAML or JSON, or the pod with its events. Undefined to run only `first`. */
  readonly as?: 'pod' | 'json' | 'events';
}

export interface RecordedPod {
  readonly name: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly looks: readonly Look[];
}

const image = 'busybox:1.36';
const container = (command: readonly string[], more: Readonly<Record<string, unknown>> = {}, name = 'app') => ({
  name,
  image,
  command,
  ...more,
});
const shell = (script: string, more: Readonly<Record<string, unknown>> = {}, name = 'app') =>
  container(['sh', '-c', script], more, name);
const sleeper = (more: Readonly<Record<string, unknown>> = {}, name = 'app') =>
  container(['sleep', '3600'], more, name);
/** A script that exits only when its grace period is over. */
const stubborn = "trap '' TERM; while :; do sleep 1; done";

export const recordedPods: readonly RecordedPod[] = [
  {
    name: 'happy',
    metadata: { labels: { app: 'happy' } },
    spec: {
      containers: [
        sleeper({
          env: [
            { name: 'LEVEL', valueFrom: { configMapKeyRef: { name: 'settings', key: 'level' } } },
            { name: 'API_TOKEN', value: 's3cr3t-value' },
          ],
        }),
      ],
    },
    looks: [{ after: 30, as: 'pod' }],
  },
  {
    name: 'crash-loop',
    spec: { containers: [shell('sleep 2; exit 1')] },
    looks: [
      { after: 12, as: 'events' },
      { after: 50, as: 'pod' },
      { after: 130, as: 'json' },
    ],
  },
  { name: 'exit-zero-loop', spec: { containers: [shell('sleep 1')] }, looks: [{ after: 75, as: 'pod' }] },
  {
    name: 'bad-command',
    spec: { containers: [container(['/no/such/program'])] },
    looks: [{ after: 70, as: 'events' }],
  },
  {
    name: 'oom',
    spec: {
      containers: [shell('sleep 2; x=a; while true; do x=$x$x; done', { resources: { limits: { memory: '16Mi' } } })],
    },
    looks: [{ after: 80, as: 'pod' }],
  },
  {
    name: 'runs-a-while',
    spec: { containers: [shell('sleep 25; exit 3')] },
    looks: [
      { after: 40, as: 'events' },
      { after: 140, as: 'pod' },
    ],
  },
  {
    name: 'two-containers',
    spec: { containers: [sleeper(), shell('sleep 5; exit 2', {}, 'helper')] },
    looks: [{ after: 60, as: 'pod' }],
  },
  {
    name: 'sidecar',
    spec: {
      initContainers: [sleeper({ restartPolicy: 'Always' }, 'proxy'), container(['true'], {}, 'setup')],
      containers: [sleeper(), shell('sleep 5; exit 2', {}, 'helper')],
    },
    looks: [{ after: 60, as: 'events' }],
  },
  {
    name: 'sidecar-crashes',
    spec: { initContainers: [shell('sleep 3; exit 1', { restartPolicy: 'Always' }, 'proxy')], containers: [sleeper()] },
    looks: [{ after: 70, as: 'pod' }],
  },
  {
    name: 'init-fails',
    spec: { initContainers: [shell('sleep 1; exit 4', {}, 'migrate')], containers: [sleeper()] },
    looks: [{ after: 75, as: 'pod' }],
  },
  {
    name: 'init-fails-never',
    spec: { restartPolicy: 'Never', initContainers: [shell('exit 4', {}, 'migrate')], containers: [sleeper()] },
    looks: [{ after: 30, as: 'pod' }],
  },
  {
    name: 'init-runs',
    spec: { initContainers: [shell('sleep 40', {}, 'migrate')], containers: [sleeper()] },
    looks: [{ after: 20, as: 'events' }],
  },
  {
    name: 'job-done',
    spec: { restartPolicy: 'OnFailure', containers: [shell('sleep 3', {}, 'work')] },
    looks: [{ after: 30, as: 'pod' }],
  },
  {
    name: 'job-failed',
    spec: { restartPolicy: 'Never', containers: [shell('sleep 1; exit 7', {}, 'work')] },
    looks: [{ after: 30, as: 'pod' }],
  },
  {
    name: 'job-retries',
    spec: {
      restartPolicy: 'OnFailure',
      containers: [shell('sleep 2; exit 7', {}, 'work'), container(['true'], {}, 'done')],
    },
    looks: [{ after: 60, as: 'pod' }],
  },
  {
    name: 'liveness-fails',
    spec: {
      terminationGracePeriodSeconds: 2,
      containers: [
        sleeper({
          livenessProbe: { exec: { command: ['cat', '/tmp/alive'] }, periodSeconds: 10, failureThreshold: 3 },
        }),
      ],
    },
    looks: [
      { after: 25, as: 'events' },
      { after: 150, as: 'events' },
    ],
  },
  {
    name: 'startup-too-short',
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [sleeper({ startupProbe: { tcpSocket: { port: 8080 }, periodSeconds: 5, failureThreshold: 3 } })],
    },
    looks: [{ after: 50, as: 'events' }],
  },
  {
    name: 'not-ready',
    spec: { containers: [sleeper({ readinessProbe: { exec: { command: ['cat', '/tmp/ready'] }, periodSeconds: 5 } })] },
    looks: [{ after: 40, as: 'events' }],
  },
  {
    name: 'missing-image',
    spec: { containers: [{ name: 'app', image: '127.0.0.1:1/nothing/here:v1' }] },
    looks: [
      { after: 45, as: 'events' },
      { after: 120, as: 'pod' },
    ],
  },
  {
    name: 'never-pull',
    spec: { containers: [{ name: 'app', image: 'busybox:never', imagePullPolicy: 'Never' }] },
    looks: [{ after: 40, as: 'pod' }],
  },
  {
    name: 'bad-image-name',
    spec: { containers: [{ name: 'app', image: 'UPPER/Case:x' }] },
    looks: [{ after: 40, as: 'pod' }],
  },
  {
    name: 'missing-config-map',
    spec: { containers: [sleeper({ envFrom: [{ configMapRef: { name: 'not-there' } }] })] },
    looks: [{ after: 40, as: 'pod' }],
  },
  {
    name: 'missing-key',
    spec: {
      containers: [
        sleeper({ env: [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'settings', key: 'nope' } } }] }),
      ],
    },
    looks: [{ after: 40, as: 'events' }],
  },
  {
    name: 'run-as-root-refused',
    spec: { containers: [sleeper({ securityContext: { runAsNonRoot: true } })] },
    looks: [{ after: 40, as: 'pod' }],
  },
  {
    name: 'volumes',
    spec: {
      containers: [
        sleeper({
          volumeMounts: [
            { name: 'scratch', mountPath: '/scratch' },
            { name: 'conf', mountPath: '/conf' },
            { name: 'info', mountPath: '/info' },
          ],
        }),
      ],
      volumes: [
        { name: 'scratch', emptyDir: {} },
        { name: 'conf', configMap: { name: 'settings' } },
        { name: 'info', downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
      ],
    },
    looks: [{ after: 30, as: 'pod' }],
  },
  {
    name: 'terminating',
    spec: { terminationGracePeriodSeconds: 40, containers: [shell(stubborn)] },
    looks: [
      { after: 20, first: ['delete', 'pod', 'terminating', '--wait=false'] },
      { after: 35, as: 'events' },
    ],
  },
  {
    name: 'stuck-deleting',
    metadata: { finalizers: ['example.com/keep'] },
    spec: { terminationGracePeriodSeconds: 1, containers: [sleeper()] },
    looks: [
      { after: 15, first: ['delete', 'pod', 'stuck-deleting', '--wait=false'] },
      { after: 45, as: 'events' },
      {
        after: 380,
        first: ['patch', 'pod', 'stuck-deleting', '--type=merge', '-p', '{"metadata":{"finalizers":null}}'],
      },
    ],
  },
  {
    name: 'edited',
    spec: { terminationGracePeriodSeconds: 30, containers: [shell(stubborn)] },
    looks: [
      { after: 20, first: ['set', 'image', 'pod/edited', 'app=busybox:edited'] },
      { after: 32, as: 'events' },
      { after: 75, as: 'pod' },
    ],
  },
];
