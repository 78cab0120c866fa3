import type { Container, Pod, PodSpec } from '@podscope/k8s';
import { describe, expect, it } from 'vitest';
import { baselinePolicy, findPolicyViolations, formatPolicyViolations, type PodPolicyOptions } from './pod-policy.ts';

const pod = (spec: Partial<PodSpec>, annotations?: Record<string, string>): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', uid: 'u', annotations },
  spec: { containers: [{ name: 'app', image: 'busybox:1.36' }], ...spec },
});
const container = (rest: Partial<Container>, name = 'app'): Container => ({ name, image: 'busybox:1.36', ...rest });

const cases: readonly (readonly [string, Pod, keyof PodPolicyOptions, string])[] = [
  ['host network', pod({ hostNetwork: true }), 'allowHostNamespaces', 'host namespaces (hostNetwork=true)'],
  ['host pid and ipc', pod({ hostPID: true, hostIPC: true }), 'allowHostNamespaces', 'host namespaces (hostPID=true, hostIPC=true)'],
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
    pod({ containers: [container({ securityContext: { capabilities: { add: ['NET_ADMIN', 'CHOWN', 'CAP_SYS_PTRACE'] } } })] }),
    'allowPrivileged',
    'non-default capabilities (container "app" must not include "CAP_SYS_PTRACE", "NET_ADMIN" in securityContext.capabilities.add)',
  ],
  ['host path', pod({ volumes: [{ name: 'root', hostPath: { path: '/' } }] }), 'allowHostPath', 'hostPath volumes (volume "root")'],
  [
    'host port',
    pod({ containers: [container({ ports: [{ containerPort: 80, hostPort: 8080 }] })] }),
    'allowHostNamespaces',
    'hostPort (container "app" must not use hostPort 8080)',
  ],
  [
    'unmasked proc',
    pod({ containers: [container({ securityContext: { procMount: 'Unmasked' } })] }),
    'allowPrivileged',
    'procMount (container "app" must not set securityContext.procMount="Unmasked")',
  ],
  [
    'no seccomp',
    pod({
      securityContext: { seccompProfile: { type: 'Unconfined' } },
      containers: [container({ securityContext: { seccompProfile: { type: 'Unconfined' } } })],
    }),
    'allowPrivileged',
    'seccompProfile (pod and container "app" must not set securityContext.seccompProfile.type="Unconfined")',
  ],
  [
    'no AppArmor, the old way',
    pod({}, { 'container.apparmor.security.beta.kubernetes.io/app': 'unconfined' }),
    'allowPrivileged',
    'forbidden AppArmor profile (container.apparmor.security.beta.kubernetes.io/app="unconfined")',
  ],
  ['sysctls', pod({ securityContext: { sysctls: [{ name: 'kernel/msgmax', value: '1' }] } }), 'allowPrivileged', 'forbidden sysctls (kernel.msgmax)'],
];

describe('findPolicyViolations', () => {
  it('lets an ordinary pod pass', () => {
    const ordinary = pod({
      securityContext: { sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }], seccompProfile: { type: 'RuntimeDefault' } },
      volumes: [{ name: 'tmp', emptyDir: {} }],
      containers: [container({ ports: [{ containerPort: 80 }], securityContext: { capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] } } })],
    });
    expect(findPolicyViolations(ordinary, baselinePolicy)).toEqual([]);
  });

  it.each(cases)('refuses %s unless permitted', (_name, subject, allowedBy, expected) => {
    const violations = findPolicyViolations(subject, baselinePolicy);
    expect(violations.map(({ reason, detail }) => `${reason} (${detail})`)).toEqual([expected]);
    expect(findPolicyViolations(subject, { ...baselinePolicy, [allowedBy]: true })).toEqual([]);
  });

  it('is told with the options that permit it', () => {
    const subject = pod({ hostNetwork: true, containers: [container({ securityContext: { privileged: true } })] });
    expect(formatPolicyViolations(findPolicyViolations(subject, baselinePolicy))).toBe(
      'violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true), privileged (container "app" must not set securityContext.privileged=true); start the server with --allow-host-namespaces --allow-privileged to permit it',
    );
  });
});
