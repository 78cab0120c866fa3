/**
 * Declares the Kubernetes API objects with which the node works, as `v1` JSON. A field that Go omits when it is empty
 * is optional. Only fields that the engine, the API or a client's table reads are declared; other fields are kept
 * unchanged.
 *
 * Objects are immutable after their creation.
 */

/** A time as `metav1.Time` formats it: RFC 3339 in UTC, with whole seconds. */
export type Time = string;

/** The text of a resource quantity, for example `100m` or `64Mi`. */
export type QuantityText = string;

/** Quantities by the name of the resource (`cpu`, `memory`, …). */
export type ResourceList = Readonly<Record<string, QuantityText | number>>;

export type StringMap = Readonly<Record<string, string>>;

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly selfLink?: string;
  readonly uid: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: Time | null;
  readonly deletionTimestamp?: Time;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly unknown[];
}

/** The fields of every API object. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';
export type ContainerRestartPolicy = 'Always' | 'OnFailure' | 'Never';
export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never';
export type DNSPolicy = 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None';
export type TerminationMessagePolicy = 'File' | 'FallbackToLogsOnError';
export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
export type ConditionStatus = 'True' | 'False' | 'Unknown';
export type PodQOSClass = 'Guaranteed' | 'Burstable' | 'BestEffort';
export type ContainerProtocol = 'TCP' | 'UDP' | 'SCTP';

export interface ContainerPort {
  readonly name?: string;
  readonly hostPort?: number;
  readonly containerPort: number;
  readonly protocol?: ContainerProtocol;
  readonly hostIP?: string;
}

export interface ObjectFieldSelector {
  readonly apiVersion?: string;
  readonly fieldPath: string;
}

export interface ResourceFieldSelector {
  readonly containerName?: string;
  readonly resource: string;
  readonly divisor?: QuantityText | number;
}

export interface KeySelector {
  readonly name?: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface FileKeySelector {
  readonly volumeName: string;
  readonly path: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface EnvVarSource {
  readonly fieldRef?: ObjectFieldSelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly configMapKeyRef?: KeySelector;
  readonly secretKeyRef?: KeySelector;
  readonly fileKeyRef?: FileKeySelector;
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: EnvVarSource;
}

export interface EnvFromSource {
  readonly prefix?: string;
  readonly configMapRef?: { readonly name?: string; readonly optional?: boolean };
  readonly secretRef?: { readonly name?: string; readonly optional?: boolean };
}

export interface VolumeMount {
  readonly name: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: 'Disabled' | 'IfPossible' | 'Enabled';
  readonly mountPath: string;
  readonly subPath?: string;
  readonly mountPropagation?: 'None' | 'HostToContainer' | 'Bidirectional';
  readonly subPathExpr?: string;
}

export interface VolumeDevice {
  readonly name: string;
  readonly devicePath: string;
}

export interface ExecAction {
  readonly command?: readonly string[];
}

export interface HTTPHeader {
  readonly name: string;
  readonly value: string;
}

export interface HTTPGetAction {
  readonly path?: string;
  readonly port: number | string;
  readonly host?: string;
  readonly scheme?: 'HTTP' | 'HTTPS';
  readonly httpHeaders?: readonly HTTPHeader[];
}

export interface TCPSocketAction {
  readonly port: number | string;
  readonly host?: string;
}

export interface GRPCAction {
  readonly port: number;
  readonly service?: string;
}

export interface LifecycleHandler {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly sleep?: { readonly seconds: number };
}

export interface Lifecycle {
  readonly postStart?: LifecycleHandler;
  readonly preStop?: LifecycleHandler;
  readonly stopSignal?: string;
}

export interface Probe {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly grpc?: GRPCAction;
  readonly initialDelaySeconds?: number;
  readonly timeoutSeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly terminationGracePeriodSeconds?: number;
}

export interface ResourceRequirements {
  readonly limits?: ResourceList;
  readonly requests?: ResourceList;
  readonly claims?: readonly { readonly name: string; readonly request?: string }[];
}

export interface ContainerResizePolicy {
  readonly resourceName: string;
  readonly restartPolicy: 'NotRequired' | 'RestartContainer';
}

export interface ContainerRestartRule {
  readonly action: 'Restart' | 'RestartAllContainers';
  readonly exitCodes?: { readonly operator: 'In' | 'NotIn'; readonly values?: readonly number[] };
}

export interface Capabilities {
  readonly add?: readonly string[];
  readonly drop?: readonly string[];
}

export interface SELinuxOptions {
  readonly user?: string;
  readonly role?: string;
  readonly type?: string;
  readonly level?: string;
}

export interface SeccompProfile {
  readonly type: 'Unconfined' | 'RuntimeDefault' | 'Localhost';
  readonly localhostProfile?: string;
}

export interface AppArmorProfile {
  readonly type: 'Unconfined' | 'RuntimeDefault' | 'Localhost';
  readonly localhostProfile?: string;
}

export interface SecurityContext {
  readonly capabilities?: Capabilities;
  readonly privileged?: boolean;
  readonly seLinuxOptions?: SELinuxOptions;
  readonly windowsOptions?: Readonly<Record<string, unknown>>;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly procMount?: 'Default' | 'Unmasked';
  readonly seccompProfile?: SeccompProfile;
  readonly appArmorProfile?: AppArmorProfile;
}

export interface Sysctl {
  readonly name: string;
  readonly value: string;
}

export interface PodSecurityContext {
  readonly seLinuxOptions?: SELinuxOptions;
  readonly windowsOptions?: Readonly<Record<string, unknown>>;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly supplementalGroups?: readonly number[];
  readonly supplementalGroupsPolicy?: 'Merge' | 'Strict';
  readonly fsGroup?: number;
  readonly fsGroupChangePolicy?: 'Always' | 'OnRootMismatch';
  readonly sysctls?: readonly Sysctl[];
  readonly seccompProfile?: SeccompProfile;
  readonly appArmorProfile?: AppArmorProfile;
}

/** A regular container, an init container or, with {@link targetContainerName}, an ephemeral container. */
export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly ContainerPort[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly env?: readonly EnvVar[];
  readonly resources?: ResourceRequirements;
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  readonly restartPolicy?: ContainerRestartPolicy;
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly VolumeDevice[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: Lifecycle;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: TerminationMessagePolicy;
  readonly imagePullPolicy?: PullPolicy;
  readonly securityContext?: SecurityContext;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
}

export interface EphemeralContainer extends Container {
  readonly targetContainerName?: string;
}

export interface KeyToPath {
  readonly key: string;
  readonly path: string;
  readonly mode?: number;
}

export interface DownwardAPIVolumeFile {
  readonly path: string;
  readonly fieldRef?: ObjectFieldSelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly mode?: number;
}

export interface VolumeProjection {
  readonly secret?: { readonly name?: string; readonly items?: readonly KeyToPath[]; readonly optional?: boolean };
  readonly configMap?: { readonly name?: string; readonly items?: readonly KeyToPath[]; readonly optional?: boolean };
  readonly downwardAPI?: { readonly items?: readonly DownwardAPIVolumeFile[] };
  readonly serviceAccountToken?: {
    readonly audience?: string;
    readonly expirationSeconds?: number;
    readonly path: string;
  };
  readonly clusterTrustBundle?: {
    readonly name?: string;
    readonly signerName?: string;
    readonly optional?: boolean;
    readonly path?: string;
  };
  readonly podCertificate?: unknown;
}

/** A volume. If its kind isn't declared here, the volume is kept and fails when it has to be mounted. */
export interface Volume {
  readonly name: string;
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: QuantityText | number };
  readonly hostPath?: { readonly path: string; readonly type?: string };
  readonly configMap?: {
    readonly name?: string;
    readonly items?: readonly KeyToPath[];
    readonly defaultMode?: number;
    readonly optional?: boolean;
  };
  readonly secret?: {
    readonly secretName?: string;
    readonly items?: readonly KeyToPath[];
    readonly defaultMode?: number;
    readonly optional?: boolean;
  };
  readonly downwardAPI?: { readonly items?: readonly DownwardAPIVolumeFile[]; readonly defaultMode?: number };
  readonly projected?: { readonly sources?: readonly VolumeProjection[]; readonly defaultMode?: number };
  readonly image?: { readonly reference?: string; readonly pullPolicy?: PullPolicy };
  readonly persistentVolumeClaim?: { readonly claimName: string; readonly readOnly?: boolean };
  readonly nfs?: { readonly server: string; readonly path: string; readonly readOnly?: boolean };
  readonly [other: string]: unknown;
}

export interface PodDNSConfig {
  readonly nameservers?: readonly string[];
  readonly searches?: readonly string[];
  readonly options?: readonly { readonly name?: string; readonly value?: string }[];
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: 'Exists' | 'Equal';
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

/** The parts of affinities that restrict where a pod may run. */
export interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms: readonly {
        readonly matchExpressions?: readonly NodeSelectorRequirement[];
        readonly matchFields?: readonly NodeSelectorRequirement[];
      }[];
    };
  };
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
}

export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly topologyKey: string;
    readonly labelSelector?: {
      readonly matchLabels?: StringMap;
      readonly matchExpressions?: readonly NodeSelectorRequirement[];
    };
  }[];
}

export interface TopologySpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
}

export interface PodSpec {
  readonly volumes?: readonly Volume[];
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly ephemeralContainers?: readonly EphemeralContainer[];
  readonly restartPolicy?: RestartPolicy;
  readonly terminationGracePeriodSeconds?: number;
  readonly activeDeadlineSeconds?: number;
  readonly dnsPolicy?: DNSPolicy;
  readonly nodeSelector?: StringMap;
  readonly serviceAccountName?: string;
  readonly serviceAccount?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly hostUsers?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly securityContext?: PodSecurityContext;
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
  readonly hostname?: string;
  readonly hostnameOverride?: string;
  readonly subdomain?: string;
  readonly affinity?: Affinity;
  readonly schedulerName?: string;
  readonly tolerations?: readonly Toleration[];
  readonly hostAliases?: readonly { readonly ip: string; readonly hostnames?: readonly string[] }[];
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly dnsConfig?: PodDNSConfig;
  readonly readinessGates?: readonly { readonly conditionType: string }[];
  readonly schedulingGates?: readonly { readonly name: string }[];
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly runtimeClassName?: string;
  readonly enableServiceLinks?: boolean;
  readonly preemptionPolicy?: string;
  readonly overhead?: ResourceList;
  readonly setHostnameAsFQDN?: boolean;
  readonly os?: { readonly name: string };
  readonly resources?: ResourceRequirements;
  readonly resourceClaims?: readonly {
    readonly name?: string;
    readonly resourceClaimName?: string;
    readonly resourceClaimTemplateName?: string;
  }[];
}

export interface PodCondition {
  readonly type: string;
  readonly observedGeneration?: number;
  readonly status: ConditionStatus;
  readonly lastProbeTime?: Time | null;
  readonly lastTransitionTime?: Time | null;
  readonly reason?: string;
  readonly message?: string;
}

export interface ContainerStateWaiting {
  readonly reason?: string;
  readonly message?: string;
}

export interface ContainerStateRunning {
  readonly startedAt?: Time | null;
}

export interface ContainerStateTerminated {
  readonly exitCode: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt?: Time | null;
  readonly finishedAt?: Time | null;
  readonly containerID?: string;
}

/** The state of a container. At most one member is set. */
export interface ContainerState {
  readonly waiting?: ContainerStateWaiting;
  readonly running?: ContainerStateRunning;
  readonly terminated?: ContainerStateTerminated;
}

export interface VolumeMountStatus {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
}

/** The user and groups of a container's first process. */
interface LinuxContainerUser {
  readonly uid: number;
  readonly gid: number;
  readonly supplementalGroups?: readonly number[];
}

export interface ContainerStatus {
  readonly name: string;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
  readonly started?: boolean;
  readonly allocatedResources?: ResourceList;
  readonly resources?: ResourceRequirements;
  readonly volumeMounts?: readonly VolumeMountStatus[];
  readonly user?: { readonly linux?: LinuxContainerUser };
  readonly stopSignal?: string;
}

export interface PodStatus {
  readonly observedGeneration?: number;
  readonly phase?: PodPhase;
  readonly conditions?: readonly PodCondition[];
  readonly message?: string;
  readonly reason?: string;
  readonly nominatedNodeName?: string;
  readonly hostIP?: string;
  readonly hostIPs?: readonly { readonly ip: string }[];
  readonly podIP?: string;
  readonly podIPs?: readonly { readonly ip: string }[];
  readonly startTime?: Time;
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly qosClass?: PodQOSClass;
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  readonly resize?: string;
  readonly allocatedResources?: ResourceList;
  readonly resources?: ResourceRequirements;
  /** The claims of cpu, memory and similar resources of the node. Only the API's schema and the resize read them. */
  readonly nodeAllocatableResourceClaimStatuses?: readonly unknown[];
}

export interface Pod extends KubernetesObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly spec: PodSpec;
  readonly status?: PodStatus;
}

export interface ConfigMap extends KubernetesObject {
  readonly data?: StringMap;
  readonly binaryData?: StringMap;
  readonly immutable?: boolean;
}

/** A secret. `data` is Base64; `stringData` is merged into it on every write. */
export interface Secret extends KubernetesObject {
  readonly type?: string;
  readonly data?: StringMap;
  readonly stringData?: StringMap;
  readonly immutable?: boolean;
}

export interface ServicePort {
  readonly name?: string;
  readonly protocol?: ContainerProtocol;
  readonly port: number;
  readonly targetPort?: number | string;
  readonly nodePort?: number;
}

export interface Service extends KubernetesObject {
  readonly spec: {
    readonly ports?: readonly ServicePort[];
    readonly clusterIP?: string;
    readonly selector?: StringMap;
    readonly type?: string;
  };
}

export interface Namespace extends KubernetesObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: 'Active' | 'Terminating'; readonly conditions?: readonly NamespaceCondition[] };
}

/** The progress of a namespace's deletion. Upstream: core/v1 NamespaceCondition. */
export interface NamespaceCondition {
  readonly type: string;
  readonly status: 'False' | 'True' | 'Unknown';
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The identity of pods. Upstream: core/v1 ServiceAccount. */
export interface ServiceAccount extends KubernetesObject {
  readonly secrets?: readonly ObjectReference[];
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
  readonly automountServiceAccountToken?: boolean;
}

/** A name for a handler of the container runtime. Upstream: node.k8s.io/v1 RuntimeClass. */
export interface RuntimeClass extends KubernetesObject {
  readonly handler: string;
  readonly overhead?: { readonly podFixed?: ResourceList };
  readonly scheduling?: {
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly Toleration[];
  };
}

/** The heartbeat of a node. Upstream: coordination.k8s.io/v1 Lease. */
export interface Lease extends KubernetesObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    /** The time with microseconds. Upstream: metav1.MicroTime. */
    readonly acquireTime?: string;
    /** The time with microseconds. Upstream: metav1.MicroTime. */
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

export interface NodeAddress {
  readonly type: string;
  readonly address: string;
}

export interface Node extends KubernetesObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: {
    readonly capacity?: ResourceList;
    readonly allocatable?: ResourceList;
    readonly conditions?: readonly Readonly<Record<string, unknown>>[];
    readonly addresses?: readonly NodeAddress[];
    readonly nodeInfo?: Readonly<Record<string, string>>;
    readonly declaredFeatures?: readonly string[];
    readonly features?: { readonly supplementalGroupsPolicy?: boolean };
    readonly images?: readonly { readonly names: readonly string[]; readonly sizeBytes?: number }[];
  };
}

export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

/** An event about an object. Upstream: core/v1 Event. */
export interface Event extends KubernetesObject {
  readonly involvedObject: ObjectReference;
  readonly reason?: string;
  readonly message?: string;
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly firstTimestamp?: Time | null;
  readonly lastTimestamp?: Time | null;
  readonly count?: number;
  readonly type?: 'Normal' | 'Warning';
  readonly eventTime?: string | null;
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
}

/** The API's response to a failed request. Upstream: metav1.Status. */
export interface Status {
  readonly apiVersion: 'v1';
  readonly kind: 'Status';
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
    readonly retryAfterSeconds?: number;
  };
  readonly code?: number;
}
