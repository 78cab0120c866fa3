/**
 * Tests reading and continuing pods that kubectl printed. The texts have the form of real output of
 * `kubectl get pod -o yaml`.
 */
import { describe, expect, it } from 'vitest';
import { describeEntry, forecast } from './forecast.ts';
import { formatSnapshotText } from './notices.ts';
import { readSnapshots } from './read-snapshots.ts';

const crashing = `apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
  uid: 7b0c1b5e-0000-4000-8000-000000000001
  creationTimestamp: "2026-03-01T10:00:00Z"
  managedFields: [{manager: kubelet}]
spec:
  nodeName: worker-3
  containers:
    - name: app
      image: registry.example.com/shop/web:1.4.2
      env:
        - {name: DB_PASSWORD, value: hunter2}
        - {name: LEVEL, valueFrom: {configMapKeyRef: {name: settings, key: level}}}
      volumeMounts: [{name: data, mountPath: /data}, {name: kube-api-access-x, mountPath: /var/run/secrets/kubernetes.io/serviceaccount, readOnly: true}]
  volumes:
    - name: data
      persistentVolumeClaim: {claimName: web-data}
    - name: kube-api-access-x
      projected:
        sources:
          - serviceAccountToken: {expirationSeconds: 3607, path: token}
          - configMap: {name: kube-root-ca.crt, items: [{key: ca.crt, path: ca.crt}]}
status:
  phase: Running
  startTime: "2026-03-01T10:00:00Z"
  podIP: 10.1.2.3
  qosClass: BestEffort
  conditions:
    - {type: PodReadyToStartContainers, status: "True", lastTransitionTime: "2026-03-01T10:00:02Z"}
    - {type: Ready, status: "False", reason: ContainersNotReady, lastTransitionTime: "2026-03-01T10:05:00Z"}
  containerStatuses:
    - name: app
      ready: false
      started: false
      restartCount: 5
      image: registry.example.com/shop/web:1.4.2
      imageID: registry.example.com/shop/web@sha256:1111111111111111111111111111111111111111111111111111111111111111
      containerID: containerd://abc
      state:
        waiting:
          reason: CrashLoopBackOff
          message: back-off 2m40s restarting failed container=app pod=web_shop(7b0c1b5e-0000-4000-8000-000000000001)
      lastState:
        terminated:
          exitCode: 3
          reason: Error
          startedAt: "2026-03-01T10:04:50Z"
          finishedAt: "2026-03-01T10:05:00Z"
`;

describe('a pod in a crash loop', () => {
  it('restarts when its back-off is over and doubles the next one', async () => {
    const { snapshots, errors } = readSnapshots(crashing);
    expect(errors).toEqual([]);
    const [snapshot] = snapshots;
    if (!snapshot) throw new Error('no pod');
    const { waits, entries, explanation, notices } = await forecast(snapshot, { limit: 4 });
    expect(waits).toEqual([
      { container: 'app', kind: 'container', seconds: 160, until: Date.parse('2026-03-01T10:07:40Z') },
    ]);
    const reported = entries.map(
      (entry) => `${new Date(entry.at).toISOString().slice(11, 19)} ${describeEntry(entry)}`,
    );
    expect(reported).toEqual([
      '10:05:00 app waits 160 s before its next start',
      expect.stringMatching(/^10:07:[45]\d app starts \(restart 6\)$/),
      expect.stringMatching(/^10:0[78]:\d\d app exits with code 3 \(Error\), if it behaves as before$/),
      expect.stringMatching(/app waits 300 s before its next start$/),
    ]);
    expect(explanation?.headline).toContain('CrashLoopBackOff');
    expect(notices.map(formatSnapshotText).join('\n')).toContain(
      'Volume "data" (persistentVolumeClaim) is replaced by an empty directory.',
    );
  });
});

/** A running pod whose containers have to restart when their resources change. */
const running = `apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
  uid: 7b0c1b5e-0000-4000-8000-000000000002
  creationTimestamp: "2026-03-01T10:00:00Z"
spec:
  nodeName: worker-3
  containers:
    - name: app
      image: registry.example.com/shop/web:1.4.2
      resources: {requests: {cpu: 500m, memory: 64Mi}, limits: {cpu: 500m, memory: 64Mi}}
      resizePolicy: [{resourceName: cpu, restartPolicy: RestartContainer}]
status:
  phase: Running
  startTime: "2026-03-01T10:00:00Z"
  podIP: 10.1.2.3
  qosClass: Guaranteed
  conditions:
    - {type: PodReadyToStartContainers, status: "True", lastTransitionTime: "2026-03-01T10:00:02Z"}
    - {type: Ready, status: "True", lastTransitionTime: "2026-03-01T10:00:05Z"}
  containerStatuses:
    - name: app
      ready: true
      started: true
      restartCount: 0
      image: registry.example.com/shop/web:1.4.2
      imageID: registry.example.com/shop/web@sha256:1111111111111111111111111111111111111111111111111111111111111111
      containerID: containerd://abc
      allocatedResources: {cpu: 500m, memory: 64Mi}
      resources: {requests: {cpu: 500m, memory: 64Mi}, limits: {cpu: 500m, memory: 64Mi}}
      state: {running: {startedAt: "2026-03-01T10:00:04Z"}}
`;

describe('a pod that runs with resources', () => {
  it('keeps running, because its actuated resources are restored', async () => {
    const [snapshot] = readSnapshots(running).snapshots;
    if (!snapshot) throw new Error('no pod');
    const { entries } = await forecast(snapshot, { limit: 4 });
    expect(entries.map(describeEntry)).toEqual([]);
  });
});
