import { describe, expect, it } from 'vitest';
import { containerPod, messagesOf, podData } from '../testing/pods.ts';

type Case = readonly [title: string, data: Record<string, unknown>, messages: readonly string[]];

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must " +
  "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const qualified =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must " +
  "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for " +
  "validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const address = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

const context = (securityContext: Record<string, unknown>): Record<string, unknown> =>
  containerPod({ securityContext });
const podContext = (
  securityContext: Record<string, unknown>,
  spec: Record<string, unknown> = {},
): Record<string, unknown> => podData({ securityContext, ...spec });
const type = (field: string, found: string, wanted: string): string =>
  `${field}: Invalid value: "${found}": ${field} in body must be of type ${wanted}: "${found}"`;

describe('metadata', () => {
  it.each<Case>([
    ['no name', podData({}, { name: undefined }), ['metadata.name: Required value: name or generateName is required']],
    ['upper case', podData({}, { name: 'Web' }), [`metadata.name: Invalid value: "Web": ${subdomain}`]],
    ['underscore', podData({}, { name: 'my_web' }), [`metadata.name: Invalid value: "my_web": ${subdomain}`]],
    [
      'long',
      podData({}, { name: 'a'.repeat(254) }),
      [`metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 bytes`],
    ],
    ['generated name', podData({}, { name: undefined, generateName: 'web-' }), []],
    [
      'namespace',
      podData({}, { namespace: 'a.b' }),
      ['metadata.namespace: Invalid value: "a.b": must not contain dots'],
    ],
    ['label key', podData({}, { labels: { 'a b': 'x' } }), [`metadata.labels: Invalid value: "a b": ${qualified}`]],
    ['label value', podData({}, { labels: { a: 'x y' } }), [`metadata.labels: Invalid value: "x y": ${labelValue}`]],
    [
      'label prefix',
      podData({}, { labels: { '/a': 'x' } }),
      ['metadata.labels: Invalid value: "/a": prefix part must be non-empty'],
    ],
    [
      'long label',
      podData({}, { labels: { a: 'x'.repeat(64) } }),
      [`metadata.labels: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`],
    ],
    [
      'annotation key',
      podData({}, { annotations: { 'a/': 'x' } }),
      [
        'metadata.annotations: Invalid value: "a/": name part must be non-empty',
        `metadata.annotations: Invalid value: "a/": ${qualified}`,
      ],
    ],
    [
      'annotations too long',
      podData({}, { annotations: { a: 'x'.repeat(262_144) } }),
      ['metadata.annotations: Too long: may not be more than 262144 bytes'],
    ],
    [
      'finalizer',
      podData({}, { finalizers: ['mine'] }),
      [
        'metadata.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it ' +
          'fully qualified',
      ],
    ],
    [
      'mirror pod without node',
      podData({}, { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
      [
        'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if ' +
          'mirror pod annotation is specified',
      ],
    ],
    [
      'label of the wrong type',
      podData({}, { labels: { a: 1 } }),
      ['metadata.labels[a]: Invalid value: "integer": metadata.labels[a] in body must be of type string: "integer"'],
    ],
  ])('returns the expected messages for: %s', (_, data, messages) => {
    expect(messagesOf(data)).toEqual(messages);
  });
});

describe('pod spec', () => {
  it.each<Case>([
    [
      'restart policy',
      podData({ restartPolicy: 'always' }),
      ['spec.restartPolicy: Unsupported value: "always": supported values: "Always", "OnFailure", "Never"'],
    ],
    [
      'DNS policy',
      podData({ dnsPolicy: 'Cluster' }),
      [
        'spec.dnsPolicy: Unsupported value: "Cluster": supported values: "ClusterFirstWithHostNet", ' +
          '"ClusterFirst", "Default", "None"',
      ],
    ],
    [
      'DNS none without servers',
      podData({ dnsPolicy: 'None' }),
      ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
    ],
    [
      'DNS none with empty servers',
      podData({ dnsPolicy: 'None', dnsConfig: { searches: ['a'] } }),
      ['spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None'],
    ],
    [
      'DNS servers',
      podData({ dnsConfig: { nameservers: ['1.1.1.1', '2.2.2.2', '3.3.3.3', 'x'] } }),
      [
        'spec.dnsConfig.nameservers: Invalid value: ["1.1.1.1","2.2.2.2","3.3.3.3","x"]: must not have more ' +
          'than 3 nameservers',
        `spec.dnsConfig.nameservers[3]: Invalid value: "x": ${address}`,
      ],
    ],
    [
      'DNS search',
      podData({ dnsConfig: { searches: ['A.b'] } }),
      [`spec.dnsConfig.searches[0]: Invalid value: "A.b": ${subdomain}`],
    ],
    [
      'DNS option',
      podData({ dnsConfig: { options: [{ value: '5' }] } }),
      ['spec.dnsConfig.options[0]: Required value: must not be empty'],
    ],
    [
      'deadline',
      podData({ activeDeadlineSeconds: 0 }),
      ['spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive'],
    ],
    ['host name', podData({ hostname: 'a.b' }), ['spec.hostname: Invalid value: "a.b": must not contain dots']],
    ['subdomain', podData({ subdomain: 'a.b' }), ['spec.subdomain: Invalid value: "a.b": must not contain dots']],
    [
      'host alias',
      podData({ hostAliases: [{ ip: '300.1.1.1', hostnames: ['ok', 'Not'] }] }),
      [
        `spec.hostAliases[0].ip: Invalid value: "300.1.1.1": ${address}`,
        `spec.hostAliases[0].hostnames[1]: Invalid value: "Not": ${subdomain}`,
      ],
    ],
    ['host alias of IPv6', podData({ hostAliases: [{ ip: '2001:db8::1', hostnames: ['six'] }] }), []],
    ['node name', podData({ nodeName: 'Node_1' }), [`spec.nodeName: Invalid value: "Node_1": ${subdomain}`]],
    [
      'service account',
      podData({ serviceAccountName: 'A' }),
      [`spec.serviceAccountName: Invalid value: "A": ${subdomain}`],
    ],
    [
      'node selector',
      podData({ nodeSelector: { disk: 'a b' } }),
      [`spec.nodeSelector: Invalid value: "a b": ${labelValue}`],
    ],
    [
      'preemption',
      podData({ preemptionPolicy: 'Often' }),
      ['spec.preemptionPolicy: Unsupported value: "Often": supported values: "PreemptLowerPriority", "Never"'],
    ],
    [
      'os',
      podData({ os: { name: 'plan9' } }),
      ['spec.os: Unsupported value: "plan9": supported values: "linux", "windows"'],
    ],
    ['os without name', podData({ os: {} }), ['spec.os.name: Required value: cannot be empty']],
    [
      'windows options on linux',
      podData({ os: { name: 'linux' }, securityContext: { windowsOptions: { hostProcess: true } } }),
      ['spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod'],
    ],
    [
      'user namespace with host network',
      podData({ hostUsers: false, hostNetwork: true }),
      ['spec.hostNetwork: Forbidden: when `pod.Spec.HostUsers` is false'],
    ],
    [
      'readiness gate',
      podData({ readinessGates: [{}] }),
      [
        'spec.readinessGates[0].conditionType: Invalid value: "": name part must be non-empty',
        `spec.readinessGates[0].conditionType: Invalid value: "": ${qualified}`,
      ],
    ],
    [
      'toleration without key',
      podData({ tolerations: [{ operator: 'Equal' }] }),
      [
        'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, ' +
          'which means "match all values and all keys"',
      ],
    ],
    [
      'toleration operator',
      podData({ tolerations: [{ key: 'a', operator: 'Is' }] }),
      ['spec.tolerations[0].operator: Unsupported value: "Is": supported values: "Equal", "Exists"'],
    ],
    [
      'toleration seconds',
      podData({ tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 5 }] }),
      [
        'spec.tolerations[0].effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when ' +
          '`tolerationSeconds` is set',
      ],
    ],
    [
      'toleration effect',
      podData({ tolerations: [{ key: 'a', operator: 'Exists', effect: 'Never' }] }),
      [
        'spec.tolerations[0].effect: Unsupported value: "Never": supported values: "NoSchedule", ' +
          '"PreferNoSchedule", "NoExecute"',
      ],
    ],
    [
      'shared process namespace with the host',
      podData({ hostPID: true, shareProcessNamespace: true }),
      ['spec.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled'],
    ],
  ])('returns the expected messages for: %s', (_, data, messages) => {
    expect(messagesOf(data)).toEqual(messages);
  });
});

describe('security contexts', () => {
  const s = 'spec.containers[0].securityContext';
  const range = 'must be between 0 and 2147483647, inclusive';

  it.each<Case>([
    ['user', context({ runAsUser: -1 }), [`${s}.runAsUser: Invalid value: -1: ${range}`]],
    ['group', context({ runAsGroup: 2_147_483_648 }), [`${s}.runAsGroup: Invalid value: 2147483648: ${range}`]],
    [
      'proc mount',
      context({ procMount: 'All' }),
      [`${s}.procMount: Unsupported value: "All": supported values: "Default", "Unmasked"`],
    ],
    [
      'unmasked proc',
      context({ procMount: 'Unmasked' }),
      [`${s}.procMount: Invalid value: "Unmasked": \`hostUsers\` must be false to use \`Unmasked\``],
    ],
    [
      'privileged without escalation',
      context({ privileged: true, allowPrivilegeEscalation: false }),
      [
        `${s}: Invalid value: {"privileged":true,"allowPrivilegeEscalation":false}: cannot set ` +
          `\`allowPrivilegeEscalation\` to false and \`privileged\` to true`,
      ],
    ],
    [
      'seccomp type',
      context({ seccompProfile: {} }),
      [`${s}.seccompProfile.type: Required value: type is required when seccompProfile is set`],
    ],
    [
      'seccomp unknown',
      context({ seccompProfile: { type: 'Strict' } }),
      [
        `${s}.seccompProfile.type: Unsupported value: "Strict": supported values: "Localhost", ` +
          '"RuntimeDefault", "Unconfined"',
      ],
    ],
    [
      'seccomp local',
      context({ seccompProfile: { type: 'Localhost' } }),
      [`${s}.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost`],
    ],
    [
      'apparmor with an unused profile',
      context({ appArmorProfile: { type: 'Unconfined', localhostProfile: 'x' } }),
      [`${s}.appArmorProfile.localhostProfile: Invalid value: "x": can only be set when AppArmor type is Localhost`],
    ],
    ['pod user', podContext({ runAsUser: -5 }), [`spec.securityContext.runAsUser: Invalid value: -5: ${range}`]],
    ['fsGroup', podContext({ fsGroup: -1 }), [`spec.securityContext.fsGroup: Invalid value: -1: ${range}`]],
    [
      'supplemental group',
      podContext({ supplementalGroups: [1, -1] }),
      [`spec.securityContext.supplementalGroups[1]: Invalid value: -1: ${range}`],
    ],
    [
      'fsGroup policy',
      podContext({ fsGroupChangePolicy: 'Never' }),
      [
        'spec.securityContext.fsGroupChangePolicy: Unsupported value: "Never": supported values: "Always", ' +
          '"OnRootMismatch"',
      ],
    ],
    [
      'sysctl without name',
      podContext({ sysctls: [{ value: '1' }] }),
      ['spec.securityContext.sysctls[0].name: Required value'],
    ],
    [
      'sysctl name',
      podContext({ sysctls: [{ name: 'Kernel.x', value: '1' }] }),
      [
        'spec.securityContext.sysctls[0].name: Invalid value: "Kernel.x": must have at most 253 characters ' +
          'and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
      ],
    ],
    [
      'duplicate sysctl',
      podContext({
        sysctls: [
          { name: 'kernel.shm_rmid_forced', value: '1' },
          { name: 'kernel.shm_rmid_forced', value: '0' },
        ],
      }),
      ['spec.securityContext.sysctls[1].name: Duplicate value: "kernel.shm_rmid_forced"'],
    ],
    [
      'sysctl of the host network',
      podContext({ sysctls: [{ name: 'net.core.somaxconn', value: '1' }] }, { hostNetwork: true }),
      [
        'spec.securityContext.sysctls[0].name: Invalid value: "net.core.somaxconn": may not be specified ' +
          "when 'hostNetwork' is true",
      ],
    ],
  ])('returns the expected messages for: %s', (_, data, messages) => {
    expect(messagesOf(data)).toEqual(messages);
  });
});

describe('structure', () => {
  it.each<Case>([
    ['unknown field', containerPod({ imagee: 'x' }), ['unknown field "spec.containers[0].imagee"']],
    ['unknown top-level field', { ...podData(), specs: {} }, ['unknown field "specs"']],
    ['containers as text', podData({ containers: 'app' }), [type('spec.containers', 'string', 'array')]],
    ['containers as a map', podData({ containers: { name: 'app' } }), [type('spec.containers', 'object', 'array')]],
    ['container as text', podData({ containers: ['app'] }), [type('spec.containers[0]', 'string', 'object')]],
    ['spec as list', { ...podData(), spec: [] }, [type('spec', 'array', 'object')]],
    [
      'number as environment value',
      containerPod({ env: [{ name: 'A', value: 1 }] }),
      [type('spec.containers[0].env[0].value', 'integer', 'string')],
    ],
    [
      'text as port',
      containerPod({ ports: [{ containerPort: '80' }] }),
      [type('spec.containers[0].ports[0].containerPort', 'string', 'integer')],
    ],
    [
      'fraction as seconds',
      podData({ terminationGracePeriodSeconds: 1.5 }),
      [type('spec.terminationGracePeriodSeconds', 'number', 'integer')],
    ],
    ['text as boolean', podData({ hostNetwork: 'yes' }), [type('spec.hostNetwork', 'string', 'boolean')]],
    ['command as text', containerPod({ command: 'sleep 1' }), [type('spec.containers[0].command', 'string', 'array')]],
    [
      'number in arguments',
      containerPod({ args: ['a', 1] }),
      [type('spec.containers[0].args[1]', 'integer', 'string')],
    ],
    [
      'probe port',
      containerPod({ livenessProbe: { tcpSocket: { port: true } } }),
      [type('spec.containers[0].livenessProbe.tcpSocket.port', 'boolean', 'integer or string')],
    ],
    [
      'port beyond 32 bits',
      containerPod({ ports: [{ containerPort: 2 ** 31 }] }),
      ['spec.containers[0].ports[0].containerPort: Invalid value: 2147483648: must fit into 32 bits'],
    ],
    [
      'time',
      podData({}, { creationTimestamp: 'yesterday' }),
      [
        'metadata.creationTimestamp: Invalid value: "yesterday": must be a time in RFC 3339 form, such as ' +
          '"2026-01-02T15:04:05Z"',
      ],
    ],
    ['null is absent', podData({ hostname: null, securityContext: null }, { creationTimestamp: null }), []],
  ])('returns the expected messages for: %s', (_, data, messages) => {
    expect(messagesOf(data)).toEqual(messages);
  });
});
