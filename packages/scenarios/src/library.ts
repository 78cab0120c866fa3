/** Lists all scenarios in display order. */
import { admissionRefused } from './library/admission/admission-refused.ts';
import { blocked } from './library/admission/blocked.ts';
import { policyRefused } from './library/admission/policy-refused.ts';
import { debugContainer } from './library/changes/debug-container.ts';
import { envEdited } from './library/changes/env-edited.ts';
import { imageEdited } from './library/changes/image-edited.ts';
import { resize } from './library/changes/resize.ts';
import { resizeDeferred } from './library/changes/resize-deferred.ts';
import { badCommand } from './library/commands/bad-command.ts';
import { notExecutable } from './library/commands/not-executable.ts';
import { permissionDenied } from './library/commands/permission-denied.ts';
import { missingConfigMap } from './library/configuration/missing-config-map.ts';
import { missingConfigMapVolume } from './library/configuration/missing-config-map-volume.ts';
import { missingKey } from './library/configuration/missing-key.ts';
import { missingSecret } from './library/configuration/missing-secret.ts';
import { runAsNonRoot } from './library/configuration/run-as-non-root.ts';
import { backOffReset } from './library/crashes/back-off-reset.ts';
import { crashLoop } from './library/crashes/crash-loop.ts';
import { exitZeroLoop } from './library/crashes/exit-zero-loop.ts';
import { outOfMemory } from './library/crashes/out-of-memory.ts';
import { segmentationFault } from './library/crashes/segmentation-fault.ts';
import { deleteByForce } from './library/deletion/delete-by-force.ts';
import { deleteCompleted } from './library/deletion/delete-completed.ts';
import { deleteWhileCrashLooping } from './library/deletion/delete-while-crash-looping.ts';
import { deleteWhileCreating } from './library/deletion/delete-while-creating.ts';
import { deleteWhileInitializing } from './library/deletion/delete-while-initializing.ts';
import { deleteWhilePulling } from './library/deletion/delete-while-pulling.ts';
import { deleteWhileRunning } from './library/deletion/delete-while-running.ts';
import { ignoringSigterm } from './library/hooks/ignoring-sigterm.ts';
import { postStartFails } from './library/hooks/post-start-fails.ts';
import { preStopTooLong } from './library/hooks/pre-stop-too-long.ts';
import { badImageName } from './library/images/bad-image-name.ts';
import { flakyRegistry } from './library/images/flaky-registry.ts';
import { missingImage } from './library/images/missing-image.ts';
import { missingTag } from './library/images/missing-tag.ts';
import { neverPull } from './library/images/never-pull.ts';
import { privateWithoutSecret } from './library/images/private-without-secret.ts';
import { privateWrongSecret } from './library/images/private-wrong-secret.ts';
import { rateLimit } from './library/images/rate-limit.ts';
import { slowPull } from './library/images/slow-pull.ts';
import { initContainers } from './library/init/init-containers.ts';
import { initFailsAlways } from './library/init/init-fails-always.ts';
import { initFailsNever } from './library/init/init-fails-never.ts';
import { initFailsOnFailure } from './library/init/init-fails-on-failure.ts';
import { sidecar } from './library/init/sidecar.ts';
import { sidecarNeverStarts } from './library/init/sidecar-never-starts.ts';
import { containerKilled } from './library/outside/container-killed.ts';
import { containersGone } from './library/outside/containers-gone.ts';
import { exitWhileKubeletDown } from './library/outside/exit-while-kubelet-down.ts';
import { imageDeleted } from './library/outside/image-deleted.ts';
import { kubeletRestart } from './library/outside/kubelet-restart.ts';
import { nodeRestart } from './library/outside/node-restart.ts';
import { grpcProbes } from './library/probes/grpc-probes.ts';
import { livenessFlapping } from './library/probes/liveness-flapping.ts';
import { readinessNever } from './library/probes/readiness-never.ts';
import { startupTooShort } from './library/probes/startup-too-short.ts';
import { containerRestartRules } from './library/restart-rules/container-restart-rules.ts';
import { restartAllContainers } from './library/restart-rules/restart-all-containers.ts';
import { cniFails } from './library/sandbox/cni-fails.ts';
import { cniSlow } from './library/sandbox/cni-slow.ts';
import { ipExhaustion } from './library/sandbox/ip-exhaustion.ts';
import { networkNotReady } from './library/sandbox/network-not-ready.ts';
import { sandboxImageMissing } from './library/sandbox/sandbox-image-missing.ts';
import { sandboxKilled } from './library/sandbox/sandbox-killed.ts';
import { hostNetwork } from './library/start/host-network.ts';
import { jobLike } from './library/start/job-like.ts';
import { manyContainers } from './library/start/many-containers.ts';
import { oneContainer } from './library/start/one-container.ts';
import { volumes } from './library/start/volumes.ts';
import type { Scenario } from './scenario.ts';

export const scenarios: readonly Scenario[] = [
  oneContainer,
  manyContainers,
  jobLike,
  hostNetwork,
  volumes,
  missingImage,
  missingTag,
  badImageName,
  privateWithoutSecret,
  privateWrongSecret,
  rateLimit,
  neverPull,
  slowPull,
  flakyRegistry,
  missingConfigMap,
  missingConfigMapVolume,
  missingSecret,
  missingKey,
  runAsNonRoot,
  badCommand,
  permissionDenied,
  notExecutable,
  crashLoop,
  exitZeroLoop,
  outOfMemory,
  segmentationFault,
  backOffReset,
  initContainers,
  sidecar,
  initFailsAlways,
  initFailsOnFailure,
  initFailsNever,
  sidecarNeverStarts,
  startupTooShort,
  livenessFlapping,
  readinessNever,
  grpcProbes,
  postStartFails,
  preStopTooLong,
  ignoringSigterm,
  cniFails,
  cniSlow,
  sandboxImageMissing,
  sandboxKilled,
  ipExhaustion,
  networkNotReady,
  containerKilled,
  imageDeleted,
  kubeletRestart,
  exitWhileKubeletDown,
  nodeRestart,
  containersGone,
  imageEdited,
  envEdited,
  debugContainer,
  resize,
  resizeDeferred,
  deleteWhilePulling,
  deleteWhileCreating,
  deleteWhileInitializing,
  deleteWhileRunning,
  deleteWhileCrashLooping,
  deleteCompleted,
  deleteByForce,
  admissionRefused,
  blocked,
  policyRefused,
  containerRestartRules,
  restartAllContainers,
];

const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]));

/** Returns the scenario with that id, or undefined. */
export const findScenario = (id: string): Scenario | undefined => byId.get(id);
