import { describe, expect, it } from 'vitest';
import { containerPod, messagesOf, podData } from '../../testing/pods.ts';

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and " +
  "end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

type Case = readonly [title: string, data: Record<string, unknown>, messages: readonly string[]];

const c = 'spec.containers[0]';
const init = (container: Record<string, unknown>): Record<string, unknown> =>
  podData({ initContainers: [{ name: 'init', image: 'busybox', ...container }] });
const debug = (container: Record<string, unknown>): Record<string, unknown> =>
  podData({
    ephemeralContainers: [{ name: 'debug', image: 'busybox', ...container }],
    volumes: [{ name: 'data', emptyDir: {} }],
  });

describe('containers', () => {
  const cases: readonly Case[] = [
    ['none', podData({ containers: [] }), ['spec.containers: Required value']],
    ['no spec', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } }, ['spec.containers: Required value']],
    ['no image', podData({ containers: [{ name: 'app' }] }), [`${c}.image: Required value`]],
    ['no name', podData({ containers: [{ image: 'nginx' }] }), [`${c}.name: Required value`]],
    ['null container', podData({ containers: [null] }), [`${c}.name: Required value`, `${c}.image: Required value`]],
    ['upper case name', containerPod({ name: 'App' }), [`${c}.name: Invalid value: "App": ${label}`]],
    ['dotted name', containerPod({ name: 'a.b' }), [`${c}.name: Invalid value: "a.b": must not contain dots`]],
    [
      'long name',
      containerPod({ name: 'a'.repeat(64) }),
      [`${c}.name: Invalid value: "${'a'.repeat(64)}": must be no more than 63 bytes`],
    ],
    [
      'spaces around the image',
      containerPod({ image: ' nginx' }),
      [`${c}.image: Invalid value: " nginx": must not have leading or trailing whitespace`],
    ],
    [
      'duplicate name',
      podData({
        containers: [
          { name: 'app', image: 'a' },
          { name: 'app', image: 'b' },
        ],
      }),
      ['spec.containers[1].name: Duplicate value: "app"'],
    ],
    [
      'same name as an init container',
      podData({ initContainers: [{ name: 'app', image: 'a' }] }),
      ['spec.initContainers[0].name: Duplicate value: "app"'],
    ],
    [
      'pull policy',
      containerPod({ imagePullPolicy: 'Sometimes' }),
      [`${c}.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`],
    ],
    [
      'termination message policy',
      containerPod({ terminationMessagePolicy: 'Mail' }),
      [`${c}.terminationMessagePolicy: Unsupported value: "Mail": supported values: "File", "FallbackToLogsOnError"`],
    ],
    ['port zero', containerPod({ ports: [{ containerPort: 0 }] }), [`${c}.ports[0].containerPort: Required value`]],
    ['port missing', containerPod({ ports: [{ name: 'http' }] }), [`${c}.ports[0].containerPort: Required value`]],
    [
      'port too large',
      containerPod({ ports: [{ containerPort: 65_536 }] }),
      [`${c}.ports[0].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive`],
    ],
    [
      'negative host port',
      containerPod({ ports: [{ containerPort: 80, hostPort: -1 }] }),
      [`${c}.ports[0].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive`],
    ],
    [
      'protocol',
      containerPod({ ports: [{ containerPort: 80, protocol: 'tcp' }] }),
      [`${c}.ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"`],
    ],
    [
      'long port name',
      containerPod({ ports: [{ containerPort: 80, name: 'a-very-long-name' }] }),
      [`${c}.ports[0].name: Invalid value: "a-very-long-name": must be no more than 15 bytes`],
    ],
    [
      'port name without letter',
      containerPod({ ports: [{ containerPort: 80, name: '80' }] }),
      [`${c}.ports[0].name: Invalid value: "80": must contain at least one letter (a-z)`],
    ],
    [
      'upper case port name',
      containerPod({ ports: [{ containerPort: 80, name: 'Http' }] }),
      [
        `${c}.ports[0].name: Invalid value: "Http": must contain only alpha-numeric characters (a-z, 0-9), ` +
          'and hyphens (-)',
      ],
    ],
    [
      'port name hyphens',
      containerPod({ ports: [{ containerPort: 80, name: '-a--b' }] }),
      [
        `${c}.ports[0].name: Invalid value: "-a--b": must not contain consecutive hyphens`,
        `${c}.ports[0].name: Invalid value: "-a--b": must not begin or end with a hyphen`,
      ],
    ],
    [
      'duplicate port name',
      containerPod({
        ports: [
          { containerPort: 80, name: 'http' },
          { containerPort: 81, name: 'http' },
        ],
      }),
      [`${c}.ports[1].name: Duplicate value: "http"`],
    ],
    [
      'duplicate host port',
      podData({
        containers: [
          { name: 'a', image: 'a', ports: [{ containerPort: 80, hostPort: 80 }] },
          { name: 'b', image: 'b', ports: [{ containerPort: 81, hostPort: 80 }] },
        ],
      }),
      ['spec.containers[1].ports[0].hostPort: Duplicate value: "TCP//80"'],
    ],
    [
      'host port differs with host network',
      containerPod({ ports: [{ containerPort: 80, hostPort: 81 }] }, { hostNetwork: true }),
      [`${c}.ports[0].hostPort: Invalid value: 81: must match \`containerPort\` when \`hostNetwork\` is true`],
    ],
    [
      'host address',
      containerPod({ ports: [{ containerPort: 80, hostIP: '999.1.1.1' }] }),
      [
        `${c}.ports[0].hostIP: Invalid value: "999.1.1.1": must be a valid IP address, (e.g. 10.9.8.7 or ` +
          '2001:db8::ffff)',
      ],
    ],
    [
      'restart policy of a container',
      containerPod({ restartPolicy: 'Sometimes' }),
      [`${c}.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"`],
    ],
    [
      'rules without policy',
      containerPod({ restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }] }),
      [`${c}.restartPolicy: Required value: must specify restartPolicy when restart rules are used`],
    ],
    [
      'rule action',
      containerPod({
        restartPolicy: 'Never',
        restartPolicyRules: [{ action: 'DoNotRestart', exitCodes: { operator: 'In', values: [3] } }],
      }),
      [
        `${c}.restartPolicyRules[0].action: Unsupported value: "DoNotRestart": supported values: "Restart", ` +
          '"RestartAllContainers"',
      ],
    ],
    [
      'rule operator',
      containerPod({
        restartPolicy: 'Never',
        restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'Equals', values: [3] } }],
      }),
      [`${c}.restartPolicyRules[0].exitCodes.operator: Unsupported value: "Equals": supported values: "In", "NotIn"`],
    ],
    [
      'missing rule operator',
      containerPod({ restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart', exitCodes: { values: [3] } }] }),
      [`${c}.restartPolicyRules[0].exitCodes.operator: Unsupported value: "": supported values: "In", "NotIn"`],
    ],
    [
      'rule without exit codes',
      containerPod({ restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart' }] }),
      [`${c}.restartPolicyRules[0].exitCodes: Required value: must be specified`],
    ],
    [
      'too many rules',
      containerPod({
        restartPolicy: 'Never',
        restartPolicyRules: Array.from({ length: 21 }, () => ({
          action: 'Restart',
          exitCodes: { operator: 'In', values: [1] },
        })),
      }),
      [`${c}.restartPolicyRules: Too many: 21: must have at most 20 items`],
    ],
    [
      'too many exit codes',
      containerPod({
        restartPolicy: 'Never',
        restartPolicyRules: [
          {
            action: 'Restart',
            exitCodes: { operator: 'In', values: Array.from({ length: 256 }, (_, index) => index) },
          },
        ],
      }),
      [`${c}.restartPolicyRules[0].exitCodes.values: Too many: 256: must have at most 255 items`],
    ],
    [
      'resize policy',
      containerPod({
        resizePolicy: [
          { resourceName: 'disk', restartPolicy: 'Maybe' },
          { resourceName: 'cpu', restartPolicy: 'NotRequired' },
          { resourceName: 'cpu', restartPolicy: 'NotRequired' },
        ],
      }),
      [
        `${c}.resizePolicy[0].resourceName: Unsupported value: "disk": supported values: "cpu", "memory"`,
        `${c}.resizePolicy[0].restartPolicy: Unsupported value: "Maybe": supported values: "NotRequired", ` +
          '"RestartContainer"',
        `${c}.resizePolicy[2]: Duplicate value: "cpu"`,
      ],
    ],
    [
      'resize policy of a pod that never restarts',
      containerPod(
        { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
        { restartPolicy: 'Never' },
      ),
      [
        `${c}.resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must be 'NotRequired' when ` +
          `\`restartPolicy\` is 'Never'`,
      ],
    ],
  ];

  it.each(cases)('returns the expected messages for: %s', (_, data, messages) => {
    expect(messagesOf(data)).toEqual(messages);
  });
});

describe('init containers', () => {
  const exec = { exec: { command: ['true'] } };
  const refused = 'Forbidden: may not be set for init containers without restartPolicy=Always';

  it.each<Case>([
    ['liveness probe', init({ livenessProbe: exec }), [`spec.initContainers[0].livenessProbe: ${refused}`]],
    ['readiness probe', init({ readinessProbe: exec }), [`spec.initContainers[0].readinessProbe: ${refused}`]],
    ['startup probe', init({ startupProbe: exec }), [`spec.initContainers[0].startupProbe: ${refused}`]],
    ['lifecycle', init({ lifecycle: { postStart: exec } }), [`spec.initContainers[0].lifecycle: ${refused}`]],
    [
      'resize policy',
      init({
        resizePolicy: [
          { resourceName: 'cpu', restartPolicy: 'NotRequired' },
          { resourceName: 'memory', restartPolicy: 'RestartContainer' },
        ],
      }),
      [
        'spec.initContainers[0].resizePolicy[1].restartPolicy: Invalid value: "RestartContainer": ' +
          "must not be set to 'RestartContainer' for non-sidecar initContainers",
      ],
    ],
    [
      'sidecar with probes and hooks',
      init({ restartPolicy: 'Always', startupProbe: exec, lifecycle: { preStop: exec } }),
      [],
    ],
    [
      'duplicate name',
      podData({
        initContainers: [
          { name: 'a', image: 'a' },
          { name: 'a', image: 'b' },
        ],
      }),
      ['spec.initContainers[1].name: Duplicate value: "a"'],
    ],
  ])('returns the expected messages for: %s', (_, data, messages) => {
    expect(messagesOf(data)).toEqual(messages);
  });
});

describe('ephemeral containers', () => {
  const at = 'spec.ephemeralContainers[0]';
  const refused = 'Forbidden: cannot be set for an Ephemeral Container';

  it('are rejected on create', () => {
    expect(messagesOf(debug({}))).toEqual(['spec.ephemeralContainers: Forbidden: cannot be set on create']);
  });

  it.each<Case>([
    ['sound', debug({ targetContainerName: 'app', stdin: true, tty: true }), []],
    ['unknown target', debug({ targetContainerName: 'other' }), [`${at}.targetContainerName: Not found: "other"`]],
    ['name of another container', debug({ name: 'app' }), [`${at}.name: Duplicate value: "app"`]],
    ['ports', debug({ ports: [{ containerPort: 80 }] }), [`${at}.ports: ${refused}`]],
    ['resources', debug({ resources: { limits: { cpu: 1 } } }), [`${at}.resources: ${refused}`]],
    ['lifecycle', debug({ lifecycle: { preStop: { exec: { command: ['true'] } } } }), [`${at}.lifecycle: ${refused}`]],
    [
      'sub-path',
      debug({ volumeMounts: [{ name: 'data', mountPath: '/data', subPath: 'x' }] }),
      [`${at}.volumeMounts[0].subPath: ${refused}`],
    ],
  ])('returns the expected messages for: %s', (_, data, messages) => {
    expect(messagesOf(data, 'existing')).toEqual(messages);
  });
});
