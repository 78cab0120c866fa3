/** Lists the lessons of the library in teaching order, by level. */

/** The levels of lessons, in teaching order. In the lessons of `repair`, the learner repairs a pod. */
export const lessonLevels = ['beginner', 'intermediate', 'advanced', 'repair'] as const;
export type LessonLevel = (typeof lessonLevels)[number];

const lessonsOf: Readonly<Record<LessonLevel, readonly string[]>> = {
  beginner: ['pod-start', 'call-chain', 'sandbox-and-pause', 'init-and-sidecars', 'image-pulls', 'crash-loops'],
  intermediate: [
    'back-off-arithmetic',
    'restart-rules',
    'pleg-and-cache',
    'volumes',
    'static-pods',
    'probes',
    'termination',
    'why-killed',
    'resize',
    'ephemeral-containers',
  ],
  advanced: ['grpc-and-cri', 'dockershim-and-cri', 'why-dockershim-left', 'debugging-a-pod'],
  repair: [
    'fix-image',
    'fix-command',
    'fix-config-key',
    'fix-memory',
    'fix-restart-policy',
    'fix-probe-port',
    'fix-readiness',
    'fix-early-probe',
    'fix-init',
    'fix-sidecar',
    'fix-grace-period',
  ],
};

const order = lessonLevels.flatMap((level) => lessonsOf[level]);

/** Returns the level of a lesson. A lesson that has no place in the order counts as advanced. */
export const levelOfLesson = (id: string): LessonLevel =>
  lessonLevels.find((level) => lessonsOf[level].includes(id)) ?? 'advanced';

/** Returns the ids of lessons in teaching order. Ids that have no place in it come last, by name. */
export const inTeachingOrder = (ids: readonly string[]): readonly string[] =>
  ids.toSorted(
    (a, b) =>
      (order.indexOf(a) + 1 || order.length + 1) - (order.indexOf(b) + 1 || order.length + 1) || a.localeCompare(b),
  );
