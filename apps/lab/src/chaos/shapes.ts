/** Defines pods of many shapes with the state that each must reach after all faults have ended. */
import type { ContainerStatus, Pod } from '@podscope/k8s';

interface Shape {
  /** The `spec` of the pod as YAML, indented by two. */
  readonly spec: string;
  /** Returns a description of the pod's problem; undefined if no problem is found. */
  readonly problem: (pod: Pod) => string | undefined;
}

const busybox = 'image: busybox:1.36';
const sleeps = `command: [sleep, '1000000']`;

const phaseIn =
  (...phases: readonly string[]) =>
  ({ status }: Pod): string | undefined =>
    phases.includes(status?.phase ?? '')
      ? undefined
      : `it is ${status?.phase ?? 'without a phase'}, not ${phases.join(' or ')}`;

const statusesOf = ({ status }: Pod): readonly ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
];

function ready(pod: Pod): string | undefined {
  const condition = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  return (
    phaseIn('Running')(pod) ??
    (condition?.status === 'True'
      ? undefined
      : `it is not ready: ${condition?.reason ?? ''} ${condition?.message ?? ''}`)
  );
}

const isUnlocated = (pod: Pod): boolean =>
  statusesOf(pod).some(({ state }) => state?.terminated?.reason === 'ContainerStatusUnknown');

/** Returns a problem unless a container waits for one of these reasons. */
const waitsFor =
  (...reasons: readonly string[]) =>
  (pod: Pod): string | undefined => {
    const shown = statusesOf(pod).flatMap(({ state }) =>
      state?.waiting?.reason === undefined ? [] : [state.waiting.reason],
    );
    return shown.some((reason) => reasons.includes(reason))
      ? undefined
      : `it waits for ${shown.join(', ') || 'nothing'}, not ${reasons.join(' or ')}`;
  };

/**
 * Returns a problem unless the pod is in a crash loop: its container runs, has just exited, or waits for the next
 * attempt.
 */
function crashes(pod: Pod): string | undefined {
  const found = statusesOf(pod).some(
    ({ restartCount, lastState, state }) =>
      (restartCount > 0 || lastState?.terminated) && (state?.waiting || state?.running || state?.terminated),
  );
  return found ? undefined : 'no container of it has crashed yet';
}

const shapes = {
  server: { spec: `containers: [{name: app, ${busybox}, ${sleeps}}]`, problem: ready },
  pair: {
    spec:
      `containers: [{name: app, ${busybox}, ${sleeps}}, {name: other, ${busybox}, command: [sh, -c, 'sleep ` +
      `1000000']}]`,
    problem: ready,
  },
  'init then server': {
    spec: `initContainers: [{name: one, ${busybox}, command: [sleep, '2']},
    {name: two, ${busybox}, command: [sleep, '1']}]
  containers: [{name: app, ${busybox}, ${sleeps}}]`,
    problem: ready,
  },
  sidecar: {
    spec: `initContainers: [{name: proxy, ${busybox}, ${sleeps}, restartPolicy: Always},
    {name: one, ${busybox}, command: [sleep, '1']}]
  containers: [{name: app, ${busybox}, ${sleeps}}]`,
    problem: ready,
  },
  probed: {
    spec:
      `containers: [{name: app, ${busybox}, ${sleeps}, livenessProbe: {exec: {command: ['true']}, periodSeconds: ` +
      `5}, readinessProbe: {exec: {command: ['true']}, periodSeconds: 3}}]`,
    problem: ready,
  },
  hooked: {
    spec: `terminationGracePeriodSeconds: 8
  containers: [{name: app, ${busybox}, ${sleeps}, lifecycle:
    {postStart: {exec: {command: ['true']}}, preStop: {exec: {command: [sleep, '2']}}}}]`,
    problem: ready,
  },
  // The kubelet treats a container that disappears before its exit status was read as failed. This isn't a violation.
  job: {
    spec: `restartPolicy: OnFailure\n  containers: [{name: app, ${busybox}, command: [sleep, '5']}]`,
    problem: (pod) => (isUnlocated(pod) ? undefined : phaseIn('Succeeded')(pod)),
  },
  // The pod may also fail if its container is killed from outside, because it has only one attempt.
  'one attempt': {
    spec: `restartPolicy: Never\n  containers: [{name: app, ${busybox}, command: [sleep, '5']}]`,
    problem: phaseIn('Succeeded', 'Failed'),
  },
  'fails once': {
    spec: `restartPolicy: Never\n  containers: [{name: app, ${busybox}, command: [sh, -c, 'exit 3']}]`,
    problem: phaseIn('Failed', 'Succeeded'),
  },
  'init fails for good': {
    spec:
      `restartPolicy: Never\n  initContainers: [{name: one, ${busybox}, command: [sh, -c, 'exit 2']}]\n  ` +
      `containers: [{name: app, ${busybox}, ${sleeps}}]`,
    problem: (pod) => phaseIn('Failed', 'Running')(pod),
  },
  'crash loop': {
    spec: `containers: [{name: app, ${busybox}, command: [sh, -c, 'sleep 1; exit 1']}]`,
    problem: crashes,
  },
  'init crash loop': {
    spec:
      `initContainers: [{name: one, ${busybox}, command: [sh, -c, 'exit 1']}]\n  containers: [{name: app, ` +
      `${busybox}, ${sleeps}}]`,
    problem: crashes,
  },
  'fails its probe': {
    spec:
      `terminationGracePeriodSeconds: 2\n  containers: [{name: app, ${busybox}, ${sleeps}, livenessProbe: {exec: ` +
      `{command: ['false']}, periodSeconds: 3, failureThreshold: 2}}]`,
    problem: crashes,
  },
  'no such image': {
    spec: `containers: [{name: app, image: 'registry.invalid/none:1', ${sleeps}}]`,
    problem: waitsFor('ErrImagePull', 'ImagePullBackOff'),
  },
  'no such config map': {
    spec: `containers: [{name: app, ${busybox}, ${sleeps}, envFrom: [{configMapRef: {name: none}}]}]`,
    problem: waitsFor('CreateContainerConfigError', 'ContainerCreating'),
  },
  deadline: {
    spec: `activeDeadlineSeconds: 20\n  containers: [{name: app, ${busybox}, ${sleeps}}]`,
    problem: phaseIn('Failed'),
  },
} as const satisfies Readonly<Record<string, Shape>>;

export type ShapeName = keyof typeof shapes;
export const shapeNames = Object.keys(shapes) as readonly ShapeName[];

/** Returns the manifest of a pod of that shape. */
export const manifestOf = (name: string, shape: ShapeName): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, labels: {shape: ` +
  `${JSON.stringify(shape.replaceAll(' ', '-'))}}}\nspec:\n  ${shapes[shape].spec}\n`;

/**
 * Returns whether a pod that must not restart lost its sandbox between the creation and the start of its first
 * container. The kubelet creates no new sandbox, because a container exists, and starts no container in the old
 * sandbox. Upstream: computePodActions, shouldRestartOnFailure.
 */
function isStranded(pod: Pod): boolean {
  const hasNoSandbox = pod.status?.conditions?.some(
    ({ type, status }) => type === 'PodReadyToStartContainers' && status === 'False',
  );
  const statuses = statusesOf(pod);
  return (
    pod.spec.restartPolicy === 'Never' &&
    hasNoSandbox === true &&
    statuses.every(({ state }) => !state?.running) &&
    statuses.some(
      ({ containerID, state, restartCount }) =>
        containerID !== undefined && state?.waiting !== undefined && restartCount === 0,
    )
  );
}

/** Returns a description of the problem of a pod of that shape; undefined if no problem is found. */
export const problemOf = (shape: ShapeName, pod: Pod): string | undefined =>
  isStranded(pod) ? undefined : shapes[shape].problem(pod);
