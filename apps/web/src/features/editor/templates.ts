/**
 * Lists the manifest templates. Each shows one behavior of the kubelet. All use the busybox image, so they run offline.
 */

/** Keys of the templates' texts. */
export type TemplateId = 'healthy' | 'init' | 'crash-loop' | 'missing-image' | 'oom' | 'post-start' | 'pre-stop';

export interface Template {
  readonly id: TemplateId;
  readonly manifest: string;
}

interface PodText {
  readonly name: string;
  readonly spec: string;
}

const pod = ({ name, spec }: PodText): string => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
${spec.replace(/^\n/, '').replace(/\s+$/, '')}
`;

export const templates: readonly Template[] = [
  {
    id: 'healthy',
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
