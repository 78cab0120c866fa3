/** Lists the lessons of the library in teaching order. */

const order = [
  'pod-start',
  'call-chain',
  'sandbox-and-pause',
  'init-and-sidecars',
  'image-pulls',
  'crash-loops',
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
  'grpc-and-cri',
  'dockershim-and-cri',
  'why-dockershim-left',
  'debugging-a-pod',
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
];

/** Returns the ids of lessons in teaching order. Ids that have no place in it come last, by name. */
export const inTeachingOrder = (ids: readonly string[]): readonly string[] =>
  ids.toSorted(
    (a, b) =>
      (order.indexOf(a) + 1 || order.length + 1) - (order.indexOf(b) + 1 || order.length + 1) || a.localeCompare(b),
  );
