/** Defines the profile of Kubernetes v1.20, a release with dockershim. */
import { goQuote } from '@podscope/k8s';
import { computePodActionsV120 } from '../../compute-pod-actions/v1-20/compute-pod-actions.ts';
import { backOffKeyV120 } from '../../container/v1-20/back-off-key.ts';
import { hashContainerV120 } from '../../container/v1-20/container-hash.ts';
import { linuxContainerResourcesV120 } from '../../container/v1-20/linux-resources.ts';
import { removeContainerLogV120 } from '../../container/v1-20/remove-container-log.ts';
import { containerSecurityContextV120 } from '../../container/v1-20/security-context.ts';
import { helperProfileV120 } from '../../helper/v1-20/helper-profile.ts';
import { ensureImageExistsV120 } from '../../images/v1-20/ensure-image.ts';
import { podGracePeriod } from '../../kill/grace-period.ts';
import { timeToStopV120 } from '../../kill/v1-20/time-to-stop.ts';
import { hookFailureV120, hookHTTPV120 } from '../../lifecycle/v1-20/hooks.ts';
import type { Profile } from '../../runtime-dependencies.ts';
import { sharedNamespaces } from '../../sandbox/namespaces.ts';
import { linuxSandboxV120 } from '../../sandbox/v1-20/sandbox-config.ts';
import { getPodStatusByUIDV120, getPodStatusV120 } from '../../status/v1-20/get-pod-status.ts';
import { syncStepsV120 } from '../../sync/v1-20/steps.ts';
import { runtimeGatesV120 } from './gates.ts';

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
    podLogsUnreadable: (directory, cause) => `failed to read podLogsRootDirectory ${goQuote(directory)}: ${cause}`,
  },
  steps: syncStepsV120,
  computePodActions: computePodActionsV120,
  hashContainer: hashContainerV120,
  backOffKey: backOffKeyV120,
  linuxSandbox: linuxSandboxV120,
  reportsSandboxOfTerminatingPod: true,
  namespaces: sharedNamespaces,
  securityContext: containerSecurityContextV120,
  linuxResources: linuxContainerResourcesV120,
  userSpecifiedImage: false,
  restartCountFromLogs: false,
  callsPreCreateContainer: false,
  removeContainerLog: removeContainerLogV120,
  ensureImage: ensureImageExistsV120,
  gracePeriod: podGracePeriod,
  timeToStop: timeToStopV120,
  notFoundIsStopped: false,
  ordersTermination: false,
  listAllSandboxes: {},
  hookFailure: hookFailureV120,
  hookHTTP: hookHTTPV120,
  getPodStatusByUID: getPodStatusByUIDV120,
  getPodStatus: getPodStatusV120,
};
