/** Defines the profile of Kubernetes v1.36. */
import { goQuote } from '@podscope/k8s';
import { computePodActionsV136 } from '../../compute-pod-actions/compute-pod-actions.ts';
import { hashContainerV136 } from '../../container/container-hash.ts';
import { backOffKeyV136 } from '../../container/do-back-off.ts';
import { linuxContainerResourcesV136 } from '../../container/linux-resources.ts';
import { removeContainerLogV136 } from '../../container/remove-container.ts';
import { containerSecurityContextV136 } from '../../container/security-context.ts';
import { helperProfileV136 } from '../../helper/helper-profile.ts';
import { ensureImageExistsV136 } from '../../images/ensure-image.ts';
import { gracePeriodV136, timeToStopV136 } from '../../kill/grace-period.ts';
import { hookFailureV136 } from '../../lifecycle/hooks.ts';
import { hookHTTPV136 } from '../../lifecycle/http-hook.ts';
import { formatPod } from '../../runtime.ts';
import type { Profile } from '../../runtime-dependencies.ts';
import { namespacesForPodV136 } from '../../sandbox/namespaces.ts';
import { linuxSandboxV136 } from '../../sandbox/sandbox-config.ts';
import { getPodStatusByUIDV136, getPodStatusV136 } from '../../status/get-pod-status.ts';
import { syncStepsV136 } from '../../sync/step-lists.ts';
import { runtimeGatesV136 } from '../gates.ts';

export const profileV136: Profile = {
  name: 'v1.36',
  gates: runtimeGatesV136,
  helper: helperProfileV136,
  texts: {
    created: () => 'Container created',
    started: () => 'Container started',
    backOff: (container, pod) => `Back-off restarting failed container ${container} in pod ${formatPod(pod)}`,
    sandboxConfigFailed: (pod) => `Failed to generate sandbox config for pod ${pod}`,
    sandboxLogDirectoryFailed: (pod) => `Failed to create log directory for pod ${pod}`,
    sandboxFailed: (pod) => `Failed to create sandbox for pod ${pod}`,
    unknownContainerToKill: (container, id, pod, why) =>
      `failed to get containerSpec ${container} (id=${id}) in pod ${pod} when killing container for reason ${why}`,
    postStartFailed: () => 'PostStartHook failed',
    preStopFailed: () => 'PreStopHook failed',
    postStartError: () => 'PostStartHookError',
    podLogsUnreadable: (directory, cause) => `failed to read podLogsDirectory ${goQuote(directory)}: ${cause}`,
  },
  steps: syncStepsV136,
  computePodActions: computePodActionsV136,
  hashContainer: hashContainerV136,
  backOffKey: backOffKeyV136,
  linuxSandbox: linuxSandboxV136,
  reportsSandboxOfTerminatingPod: false,
  namespaces: namespacesForPodV136,
  securityContext: containerSecurityContextV136,
  linuxResources: linuxContainerResourcesV136,
  userSpecifiedImage: true,
  restartCountFromLogs: true,
  callsPreCreateContainer: true,
  removeContainerLog: removeContainerLogV136,
  ensureImage: ensureImageExistsV136,
  gracePeriod: gracePeriodV136,
  timeToStop: timeToStopV136,
  notFoundIsStopped: true,
  ordersTermination: true,
  listAllSandboxes: { filter: {} },
  hookFailure: hookFailureV136,
  hookHTTP: hookHTTPV136,
  getPodStatusByUID: getPodStatusByUIDV136,
  getPodStatus: getPodStatusV136,
};
