import { describe, expect, it } from 'vitest';
import { containerPod, podData, soundPod } from '../testing/pods.ts';
import type { Container, Namespace, Secret } from '../types.ts';
import { admissionDefaults, preparePodForCreate } from './admission.ts';
import { defaultNamespace, defaultSecret } from './objects.ts';
import { defaultPod } from './pod.ts';

function containerOf(container: Record<string, unknown>, spec: Record<string, unknown> = {}): Container | undefined {
  return soundPod(containerPod(container, spec)).spec.containers[0];
}

describe('defaultPod', () => {
  it('sets all defaults of a minimal pod', () => {
    expect(soundPod(podData()).spec).toEqual({
      containers: [
        {
          name: 'app',
          image: 'nginx',
          resources: {},
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          imagePullPolicy: 'Always',
        },
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
      enableServiceLinks: true,
    });
  });

  it("is idempotent and doesn't modify its argument", () => {
    const pod = soundPod(
      podData({ volumes: [{ name: 'data' }], hostNetwork: true, initContainers: [{ name: 'init', image: 'a:1' }] }),
    );
    const copy = structuredClone(pod);
    expect(defaultPod(pod)).toEqual(pod);
    expect(pod).toEqual(copy);
  });

  it('keeps explicit values, including zero and false', () => {
    const spec = soundPod(
      podData({ terminationGracePeriodSeconds: 0, enableServiceLinks: false, restartPolicy: 'Never' }),
    ).spec;
    expect(spec).toMatchObject({ terminationGracePeriodSeconds: 0, enableServiceLinks: false, restartPolicy: 'Never' });
  });

  it.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1.27', 'IfNotPresent'],
    ['localhost:5000/a/b', 'Always'],
    ['localhost:5000/a/b:1', 'IfNotPresent'],
    [`nginx@sha256:${'0'.repeat(64)}`, 'IfNotPresent'],
    [`nginx:latest@sha256:${'0'.repeat(64)}`, 'Always'],
    ['Not/A/Reference', 'IfNotPresent'],
  ])('sets the pull policy of %s to %s', (image, policy) => {
    expect(containerOf({ image })?.imagePullPolicy).toBe(policy);
  });

  it('sets defaults of probes and hooks', () => {
    const container = containerOf({
      livenessProbe: { httpGet: { port: 80 }, periodSeconds: 5 },
      readinessProbe: { grpc: { port: 80 } },
      lifecycle: { preStop: { httpGet: { port: 'stop', path: '/stop' } } },
    });
    expect(container?.livenessProbe).toEqual({
      httpGet: { port: 80, path: '/', scheme: 'HTTP' },
      timeoutSeconds: 1,
      periodSeconds: 5,
      successThreshold: 1,
      failureThreshold: 3,
    });
    expect(container?.readinessProbe?.grpc).toEqual({ port: 80, service: '' });
    expect(container?.lifecycle?.preStop?.httpGet).toEqual({ port: 'stop', path: '/stop', scheme: 'HTTP' });
  });

  it('copies limits to missing requests and formats quantities canonically', () => {
    expect(
      containerOf({ resources: { limits: { cpu: 0.5, memory: '1024Mi' }, requests: { cpu: '0.1' } } })?.resources,
    ).toEqual({
      limits: { cpu: '500m', memory: '1Gi' },
      requests: { cpu: '100m', memory: '1Gi' },
    });
    expect(containerOf({ resources: { requests: { cpu: '1u' } } })?.resources).toEqual({ requests: { cpu: '1m' } });
  });

  it('sets the protocol of ports, and host ports on the host network', () => {
    expect(containerOf({ ports: [{ containerPort: 80 }] })?.ports).toEqual([{ containerPort: 80, protocol: 'TCP' }]);
    expect(containerOf({ ports: [{ containerPort: 80 }] }, { hostNetwork: true })?.ports).toEqual([
      { containerPort: 80, hostPort: 80, protocol: 'TCP' },
    ]);
  });

  it('sets defaults of environment references', () => {
    const env = [
      { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
    ];
    expect(containerOf({ env })?.env).toMatchObject([
      { valueFrom: { fieldRef: { apiVersion: 'v1' } } },
      { valueFrom: { resourceFieldRef: { divisor: '0' } } },
    ]);
  });

  it('sets defaults of volumes', () => {
    const volumes = [
      { name: 'a' },
      { name: 'b', emptyDir: { sizeLimit: 1024 } },
      { name: 'c', hostPath: { path: '/x' } },
      { name: 'd', configMap: { name: 'c' } },
      { name: 'e', secret: { secretName: 's', defaultMode: 256 } },
      { name: 'f', downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.name' } }] } },
      { name: 'g', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
      { name: 'h', image: { reference: 'a:1' } },
    ];
    expect(soundPod(podData({ volumes })).spec.volumes).toEqual([
      { name: 'a', emptyDir: {} },
      { name: 'b', emptyDir: { sizeLimit: '1024' } },
      { name: 'c', hostPath: { path: '/x', type: '' } },
      { name: 'd', configMap: { name: 'c', defaultMode: 420 } },
      { name: 'e', secret: { secretName: 's', defaultMode: 256 } },
      {
        name: 'f',
        downwardAPI: {
          items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.name', apiVersion: 'v1' } }],
          defaultMode: 420,
        },
      },
      {
        name: 'g',
        projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }], defaultMode: 420 },
      },
      { name: 'h', image: { reference: 'a:1', pullPolicy: 'IfNotPresent' } },
    ]);
  });

  it('sets pod-level requests from containers, then from limits', () => {
    const containers = [{ name: 'a', image: 'a', resources: { requests: { cpu: '100m' } } }];
    expect(
      soundPod(podData({ containers, resources: { limits: { cpu: '1', memory: '1Gi' } } })).spec.resources,
    ).toEqual({
      limits: { cpu: '1', memory: '1Gi' },
      requests: { cpu: '100m', memory: '1Gi' },
    });
  });
});

describe('admissionDefaults', () => {
  it('adds service account, priority and tolerations', () => {
    const { spec, metadata } = admissionDefaults(soundPod(podData()));
    expect(metadata.namespace).toBe('default');
    expect(spec).toMatchObject({
      serviceAccountName: 'default',
      serviceAccount: 'default',
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ],
    });
  });

  it('keeps existing values', () => {
    const tolerations = [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
    ];
    const { spec } = admissionDefaults(soundPod(podData({ tolerations, priorityClassName: 'system-node-critical' })));
    expect(spec.priority).toBe(2_000_001_000);
    expect(spec.tolerations?.map(({ key, tolerationSeconds }) => [key, tolerationSeconds])).toEqual([
      ['node.kubernetes.io/not-ready', 5],
      ['node.kubernetes.io/unreachable', 300],
    ]);
    const all = soundPod(podData({ tolerations: [{ operator: 'Exists' }] }));
    expect(admissionDefaults(all).spec.tolerations).toEqual([{ operator: 'Exists' }]);
  });

  it('sets the initial status', () => {
    expect(preparePodForCreate({ ...soundPod(podData()), status: { phase: 'Running' } })).toMatchObject({
      metadata: { generation: 1 },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    });
  });
});

describe('objects', () => {
  it('merges stringData of a secret into its data', () => {
    const secret: Secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', uid: '' },
      data: { a: 'MQ==', b: 'Mg==' },
      stringData: { b: 'x' },
    };
    expect(defaultSecret(secret)).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', uid: '' },
      type: 'Opaque',
      data: { a: 'MQ==', b: 'eA==' },
    });
  });

  it('labels a namespace with its name', () => {
    const namespace: Namespace = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'n', uid: '', labels: { a: 'b' } },
    };
    expect(defaultNamespace(namespace)).toMatchObject({
      metadata: { labels: { a: 'b', 'kubernetes.io/metadata.name': 'n' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
  });
});
