/**
 * Lists the variables that a condition can name, so that the page can report a misspelled one while the user types. A
 * test in packages/node checks that the list contains the variables of every span.
 */

/** Variables that are defined at every place: {@link scopeOf} and {@link scopeOfDecision}. */
const everywhere =
  'args container error facts kind namespace now outcome phase podName podUID point reason result rule thread';

/** Variables that spans expose: the pod, its statuses, the decisions of the sync and the values it computes. */
const exposed =
  'apiStatus backOff backOffEntry backOffSeconds containerConfig containerSpec imageBackOff imageErrors imageVolumes ' +
  'mirrorPod pod podActions podIPs podStatus sandboxConfig sandboxID syncResults';

/**
 * Variables that are attributes of spans: spans of the kubelet, of CRI calls, and of calls to Docker and to CNI
 * plugins.
 */
const attributes =
  'allSourcesReady attempt besteffort body burstable causedBy cgroupParent changed changes channel cleanups ' +
  'command config connected containerId containerID containers content delete deleted dns dnsConfig environment ' +
  'event evicted evictNonDeletedPods failure finishedAt firstSeen firstSync gracePeriodOverride ' +
  'gracePeriodSeconds graceSeconds handler hasLocalFiles headers hostNetwork id image imageRef interfaceName ip ' +
  'isEnough isRestricted kept key killed known lastSyncTime log logPath message method missing mode name names ' +
  'namespaces needsSync networkMode oomScoreAdj operation output path pending plugin pods podSandboxId ' +
  'portMappings profile pullPolicy qosClass reasons reference refused removeAll request resources response ' +
  'restartAllContainers runtimeClassName runtimeHandler sandboxes source status stderr stdin title trigger type ' +
  'uid updateType user volumes workType';

/** Variables that are facts of rules, for breakpoints at a decision. */
const facts =
  'anyContainerCreated api before containersTerminal credentials current deletionGracePeriodSeconds desired ' +
  'exitCode failedInit failedInitNotRestartable hash hashOfSpec lastStart lastState lastUpdate liveness medium ' +
  'network networkError networkWanted ofContainers otherThanBackOff override pendingInit pendingSidecar ' +
  'podIsTerminal present ready readySandboxes refresh regularContainerStarted rejection resizePolicy ' +
  'restartCount restartPolicy restartPolicyRules running runtime sandbox sizeBytes startup state stopped ' +
  'stoppedRestartable succeeded terminated terminationGracePeriodSeconds toStart undelivered unknown volume ' +
  'waiting';

/** The variables by name, sorted. */
export const knownVariables: readonly string[] = [
  ...new Set([everywhere, exposed, attributes, facts].flatMap((names) => names.split(' '))),
].toSorted();
