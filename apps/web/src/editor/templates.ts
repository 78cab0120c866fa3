/** Pods to begin with: each shows one thing. They use busybox only, so that they run offline too. */

export interface Template {
  readonly id: string;
  readonly title: string;
  /** What there is to see. */
  readonly description: string;
  readonly manifest: string;
}

interface Parts {
  readonly name: string;
  readonly spec: string;
}

const pod = ({ name, spec }: Parts): string => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
${spec.replace(/^\n/, '').replace(/\s+$/, '')}
`;

export const templates: readonly Template[] = [
  {
    id: 'happy',
    title: 'A pod that runs',
    description: 'Sandbox, pull, create, start: the straight way.',
    manifest: pod({
      name: 'hello',
      spec: `
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "while true; do echo hello from $HOSTNAME; sleep 2; done"]
`,
    }),
  },
  {
    id: 'init',
    title: 'Init container, then app',
    description: 'The app starts when the init container has succeeded.',
    manifest: pod({
      name: 'with-init',
      spec: `
  initContainers:
    - name: prepare
      image: busybox:1.36
      command: ["sh", "-c", "echo preparing; sleep 4; echo ready > /work/ready"]
      volumeMounts:
        - { name: work, mountPath: /work }
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "cat /work/ready; sleep 3600"]
      volumeMounts:
        - { name: work, mountPath: /work }
  volumes:
    - name: work
      emptyDir: {}
`,
    }),
  },
  {
    id: 'crash-loop',
    title: 'Crash loop',
    description: 'Exits with 1 after three seconds; the back-off doubles from 10 s to 5 min.',
    manifest: pod({
      name: 'crash',
      spec: `
  restartPolicy: Always
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "echo starting; sleep 3; echo giving up >&2; exit 1"]
`,
    }),
  },
  {
    id: 'missing-image',
    title: 'Missing image',
    description: 'ErrImagePull, then ImagePullBackOff.',
    manifest: pod({
      name: 'missing-image',
      spec: `
  containers:
    - name: app
      image: podscope.invalid/no-such-image:1.0
`,
    }),
  },
  {
    id: 'oom',
    title: 'Out of memory',
    description: 'Takes more memory than its limit: OOMKilled, exit 137.',
    manifest: pod({
      name: 'oom',
      spec: `
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "echo eating memory; sleep 2; tail /dev/zero"]
      resources:
        limits:
          memory: 32Mi
`,
    }),
  },
  {
    id: 'post-start',
    title: 'postStart that fails',
    description: 'FailedPostStartHook: the container is killed and started again.',
    manifest: pod({
      name: 'post-start',
      spec: `
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "sleep 3600"]
      lifecycle:
        postStart:
          exec:
            command: ["sh", "-c", "echo cannot register >&2; exit 1"]
`,
    }),
  },
  {
    id: 'pre-stop',
    title: 'preStop and a grace period',
    description: 'Delete it: the preStop hook runs first, then SIGTERM, then SIGKILL.',
    manifest: pod({
      name: 'pre-stop',
      spec: `
  terminationGracePeriodSeconds: 20
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "trap 'echo got SIGTERM; sleep 3; exit 0' TERM; while true; do sleep 1; done"]
      lifecycle:
        preStop:
          exec:
            command: ["sh", "-c", "echo draining; sleep 5"]
`,
    }),
  },
];
