/** Defines the profile of Kubernetes v1.20, the dockershim era. */
import { computePodActionsV120 } from '../../compute-pod-actions/v1-20/compute-pod-actions.ts';
import { backOffKeyV120 } from '../../container/do-back-off.ts';
import { linuxContainerResourcesV120 } from '../../container/linux-resources.ts';
import { removeContainerLogV120 } from '../../container/remove-container.ts';
import { containerSecurityContextV120 } from '../../container/security-context.ts';
import { hashContainerV120 } from '../../container/container-hash.ts';
import { runtimeGatesV120 } from '../gates.ts';
import { helperProfileV120 } from '../../helper/helper-profile.ts';
import { ensureImageExistsV120 } from '../../images/ensure-image.ts';
import { gracePeriodV120, timeToStopV120 } from '../../kill/grace-period.ts';
import { hookFailureV120 } from '../../lifecycle/hooks.ts';
import { hookHTTPV120 } from '../../lifecycle/http-hook.ts';
import { namespacesForPodV120 } from '../../sandbox/namespaces.ts';
import { linuxSandboxV120 } from '../../sandbox/sandbox-config.ts';
import { getPodStatusByUIDV120, getPodStatusV120 } from '../../status/get-pod-status.ts';
import { syncStepsV120 } from '../../sync/step-lists.ts';
import type { Profile } from '../profile.ts';

export const profileV120: Profile = {
  name: 'v1.20',
  gates: runtimeGatesV120,
  helper: helperProfileV120,
  texts: {
    created: (container) => `Created container ${container}`,
    started: (container) => `Started container ${container}`,
    backOff: () => 'Back-off restarting failed container',
    sandboxConfigFailed: (pod) => `GeneratePodSandboxConfig for pod ${pod} failed`,
    sandboxLogDirectoryFailed: (pod) => `Create pod log directory for pod ${pod} failed`,
    sandboxFailed: (pod) => `CreatePodSandbox for pod ${pod} failed`,
    unknownContainerToKill: (container, id, pod, why) =>
      `failed to get containerSpec ${container}(id=${id}) in pod ${pod} when killing container for reason ${why}`,
    postStartFailed: (message) => message,
    preStopFailed: (message) => message,
    postStartError: (cause) => `PostStartHookError: ${cause}`,
  },
  steps: syncStepsV120,
  computePodActions: computePodActionsV120,
  hashContainer: hashContainerV120,
  backOffKey: backOffKeyV120,
  linuxSandbox: linuxSandboxV120,
  ignoresSandboxOfTerminatingPod: false,
  namespaces: namespacesForPodV120,
  securityContext: containerSecurityContextV120,
  linuxResources: linuxContainerResourcesV120,
  userSpecifiedImage: false,
  restartCountFromLogs: false,
  removeContainerLog: removeContainerLogV120,
  ensureImage: ensureImageExistsV120,
  gracePeriod: gracePeriodV120,
  timeToStop: timeToStopV120,
  notFoundIsStopped: false,
  ordersTermination: false,
  hookFailure: hookFailureV120,
  hookHTTP: hookHTTPV120,
  getPodStatusByUID: getPodStatusByUIDV120,
  getPodStatus: getPodStatusV120,
};
