import type { Container, Pod, PodSpec } from '@podscope/k8s';
import { describe, expect, it } from 'vitest';
import { baselinePolicy, findPolicyViolations, formatPolicyViolations, type PodPolicyOptions } from './policy.ts';

const pod = (spec: Partial<PodSpec>, annotations?: Record<string, string>): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', uid: 'u', annotations },
  spec: { containers: [{ name: 'app', image: 'busybox:1.36' }], ...spec },
});
const container = (rest: Partial<Container>, name = 'app'): Container => ({ name, image: 'busybox:1.36', ...rest });

const cases: readonly (readonly [string, Pod, keyof PodPolicyOptions, string])[] = [
  ['host network', pod({ hostNetwork: true }), 'allowHostNamespaces', 'host namespaces (hostNetwork=true)'],
  [
    'host pid and ipc',
    pod({ hostPID: true, hostIPC: true }),
    'allowHostNamespaces',
    'host namespaces (hostPID=true, hostIPC=true)',
  ],
  [
    'privileged',
    pod({ containers: [container({ securityContext: { privileged: true } })] }),
    'allowPrivileged',
    'privileged (container "app" must not set securityContext.privileged=true)',
  ],
  [
    'privileged init container',
    pod({ initContainers: [container({ securityContext: { privileged: true } }, 'setup')] }),
    'allowPrivileged',
    'privileged (container "setup" must not set securityContext.privileged=true)',
  ],
  [
    'privileged ephemeral container',
    pod({ ephemeralContainers: [container({ securityContext: { privileged: true } }, 'debug')] }),
    'allowPrivileged',
    'privileged (container "debug" must not set securityContext.privileged=true)',
  ],
  [
    'added capabilities',
    pod({
      containers: [container({ securityContext: { capabilities: { add: ['NET_ADMIN', 'CHOWN', 'CAP_SYS_PTRACE'] } } })],
    }),
    'allowPrivileged',
    'non-default capabilities (container "app" must not include "CAP_SYS_PTRACE", "NET_ADMIN" in ' +
      'securityContext.capabilities.add)',
  ],
  [
    'host path',
    pod({ volumes: [{ name: 'root', hostPath: { path: '/' } }] }),
    'allowHostPath',
    'hostPath volumes (volume "root")',
  ],
  [
    'host port',
    pod({ containers: [container({ ports: [{ containerPort: 80, hostPort: 8080 }] })] }),
    'allowHostNamespaces',
    'hostPort (container "app" uses hostPort 8080)',
  ],
  [
    'unmasked proc',
    pod({ containers: [container({ securityContext: { procMount: 'Unmasked' } })] }),
    'allowPrivileged',
    'procMount (container "app" must not set securityContext.procMount to "Unmasked")',
  ],
  [
    'no seccomp',
    pod({
      securityContext: { seccompProfile: { type: 'Unconfined' } },
      containers: [container({ securityContext: { seccompProfile: { type: 'Unconfined' } } })],
    }),
    'allowPrivileged',
    'seccompProfile (pod and container "app" must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    'no AppArmor, the old way',
    pod({}, { 'container.apparmor.security.beta.kubernetes.io/app': 'unconfined' }),
    'allowPrivileged',
    'forbidden AppArmor profile (annotation must not set AppArmor profile type to ' +
      '"container.apparmor.security.beta.kubernetes.io/app="unconfined"")',
  ],
  [
    'no seccomp, the old way',
    pod(
      {},
      {
        'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
        'container.seccomp.security.alpha.kubernetes.io/app': 'localhost/../x',
      },
    ),
    'allowPrivileged',
    'seccompProfile (forbidden annotations ' +
      'container.seccomp.security.alpha.kubernetes.io/app="localhost/../x", ' +
      'seccomp.security.alpha.kubernetes.io/pod="unconfined")',
  ],
  [
    'no AppArmor',
    pod({
      securityContext: { appArmorProfile: { type: 'Unconfined' } },
      initContainers: [container({ securityContext: { appArmorProfile: { type: 'Unconfined' } } }, 'setup')],
    }),
    'allowPrivileged',
    'forbidden AppArmor profile (pod and container "setup" must not set AppArmor profile type to "Unconfined")',
  ],
  [
    'SELinux options',
    pod({
      containers: [container({ securityContext: { seLinuxOptions: { type: 'spc_t', user: 'root_u', role: 'r' } } })],
    }),
    'allowPrivileged',
    'seLinuxOptions (container "app" set forbidden securityContext.seLinuxOptions: type "spc_t"; user may ' +
      'not be set; role may not be set)',
  ],
  [
    'host processes of Windows',
    pod({ securityContext: { windowsOptions: { hostProcess: true } } }),
    'allowPrivileged',
    'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
  ],
  [
    'probes and hooks of other hosts',
    pod({
      containers: [
        container({
          livenessProbe: { httpGet: { port: 80, host: '169.254.169.254' } },
          lifecycle: { preStop: { tcpSocket: { port: 1, host: 'db' } } },
        }),
        container({ readinessProbe: { tcpSocket: { port: 22, host: 'db' } } }, 'b'),
      ],
    }),
    'allowHostNamespaces',
    'probe or lifecycle host (containers "app", "b" use probe or lifecycle hosts "169.254.169.254", "db")',
  ],
  [
    'sysctls',
    pod({ securityContext: { sysctls: [{ name: 'kernel/msgmax', value: '1' }] } }),
    'allowPrivileged',
    'forbidden sysctls (kernel/msgmax)',
  ],
];

describe('findPolicyViolations', () => {
  it('returns no violation for an ordinary pod', () => {
    const ordinary = pod({
      securityContext: {
        sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }],
        seccompProfile: { type: 'RuntimeDefault' },
      },
      volumes: [{ name: 'tmp', emptyDir: {} }],
      containers: [
        container({
          ports: [{ containerPort: 80 }],
          securityContext: { capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] } },
        }),
      ],
    });
    expect(findPolicyViolations(ordinary, baselinePolicy)).toEqual([]);
  });

  it.each(cases)('returns a violation for %s unless it is permitted', (_name, subject, allowedBy, expected) => {
    const violations = findPolicyViolations(subject, baselinePolicy);
    expect(violations.map(({ reason, detail }) => `${reason} (${detail})`)).toEqual([expected]);
    expect(findPolicyViolations(subject, { ...baselinePolicy, [allowedBy]: true })).toEqual([]);
  });

  it('names the options that permit each violation', () => {
    const subject = pod({ hostNetwork: true, containers: [container({ securityContext: { privileged: true } })] });
    expect(formatPolicyViolations(findPolicyViolations(subject, baselinePolicy))).toBe(
      'violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true), privileged (container ' +
        '"app" must not set securityContext.privileged=true); start the server with --allow-host-namespaces ' +
        '--allow-privileged to permit it',
    );
  });
});

describe('the restricted level', () => {
  const restricted: PodPolicyOptions = { ...baselinePolicy, podSecurity: 'restricted' };
  const reported = (subject: Pod): readonly string[] =>
    findPolicyViolations(subject, restricted).map(({ reason, detail }) => `${reason} (${detail})`);
  const confined = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } as const;

  it.each([
    ['with a user namespace', { hostUsers: false }],
    ['for Windows', { os: { name: 'windows' } }],
  ])('has the same checks for pods %s, which cannot run here', (_, spec) => {
    expect(reported(pod(spec))).toHaveLength(4);
    const root = { ...spec, containers: [container({ securityContext: { runAsUser: 0, procMount: 'Unmasked' } })] };
    expect(reported(pod(root))).toEqual(
      expect.arrayContaining([expect.stringContaining('procMount'), expect.stringContaining('runAsUser=0')]),
    );
    expect(findPolicyViolations(pod(root), baselinePolicy).map(({ reason }) => reason)).toEqual(['procMount']);
  });

  it('reports a forbidden annotation even if the field is valid', () => {
    const context = { ...confined, runAsNonRoot: true } as const;
    const subject = pod(
      {
        securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
        containers: [container({ securityContext: context })],
      },
      { 'container.seccomp.security.alpha.kubernetes.io/app': 'unconfined' },
    );
    expect(reported(subject)).toEqual([
      'seccompProfile (forbidden annotation container.seccomp.security.alpha.kubernetes.io/app="unconfined")',
    ]);
  });

  it('returns no violation for a confined pod', () => {
    const context = { runAsNonRoot: true, runAsUser: 1_000, seccompProfile: { type: 'RuntimeDefault' } } as const;
    const volumes = [{ name: 'a', emptyDir: {} }, { name: 'b', configMap: { name: 'c' } }, { name: 'implied' }];
    expect(
      reported(pod({ securityContext: context, volumes, containers: [container({ securityContext: confined })] })),
    ).toEqual([]);
    const own = {
      ...confined,
      runAsNonRoot: true,
      seccompProfile: { type: 'Localhost', localhostProfile: 'p.json' },
    } as const;
    expect(reported(pod({ containers: [container({ securityContext: own })] }))).toEqual([]);
  });

  it('reports all fields that an ordinary pod lacks', () => {
    expect(reported(pod({ initContainers: [container({}, 'setup')] }))).toEqual([
      'allowPrivilegeEscalation != false (containers "setup", "app" must set ' +
        'securityContext.allowPrivilegeEscalation=false)',
      'unrestricted capabilities (containers "setup", "app" must set securityContext.capabilities.drop=["ALL"])',
      'runAsNonRoot != true (pod or containers "setup", "app" must set securityContext.runAsNonRoot=true)',
      'seccompProfile (pod or containers "setup", "app" must set securityContext.seccompProfile.type to ' +
        '"RuntimeDefault" or "Localhost")',
    ]);
  });

  it('reports each check with invalid values once', () => {
    const subject = pod({
      hostPID: true,
      securityContext: { runAsUser: 0, runAsNonRoot: false, seccompProfile: { type: 'Unconfined' } },
      volumes: [
        { name: 'root', hostPath: { path: '/' } },
        { name: 'share', nfs: { server: 's', path: '/' } },
        { name: 'files', image: { reference: 'busybox:1.36' } },
      ],
      ephemeralContainers: [
        container(
          {
            securityContext: { ...confined, capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE', 'SYS_PTRACE'] } },
          },
          'debug',
        ),
      ],
      containers: [container({ securityContext: { ...confined, runAsUser: 0 } })],
    });
    expect(reported(subject)).toEqual([
      'host namespaces (hostPID=true)',
      'unrestricted capabilities (container "debug" must not include "SYS_PTRACE" in securityContext.capabilities.add)',
      'restricted volume types (volumes "root", "share", "files" use restricted volume types "hostPath", ' +
        '"nfs", "unknown")',
      'runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)',
      'runAsUser=0 (pod and container "app" must not set runAsUser=0)',
      'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
    ]);
    expect(formatPolicyViolations(findPolicyViolations(subject, restricted))).toMatch(
      /^violates PodSecurity "restricted:latest": .*; start the server with --pod-security baseline --allow-host-namespaces --allow-host-path --allow-privileged to permit it$/,
    );
  });

  it('differs from the privileged level, which reports nothing', () => {
    const subject = pod({ hostPID: true, containers: [container({ securityContext: { privileged: true } })] });
    expect(findPolicyViolations(subject, { ...baselinePolicy, podSecurity: 'privileged' })).toEqual([]);
  });
});
