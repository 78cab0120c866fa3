/** Tests pods of other clusters with gRPC probes. Their services must answer as they did before the snapshot. */
import { describe, expect, it } from 'vitest';
import { describeEntry, forecast } from './forecast.ts';
import { readSnapshots } from './read-snapshots.ts';

/** Returns the forecast's entries for two minutes after the snapshot. */
async function outlook(ready: boolean, message?: string): Promise<string> {
  const event = `---
apiVersion: v1
kind: Event
metadata: {name: web.1, namespace: default}
involvedObject: {kind: Pod, name: web, namespace: default, uid: "1", fieldPath: "spec.containers{app}"}
type: Warning
reason: Unhealthy
message: 'Readiness probe failed: ${message}'
firstTimestamp: "2026-03-01T10:00:10Z"
lastTimestamp: "2026-03-01T10:05:00Z"
count: 30
`;
  const { snapshots, errors } = readSnapshots(`apiVersion: v1
kind: Pod
metadata: {name: web, namespace: default, uid: "1", creationTimestamp: "2026-03-01T10:00:00Z"}
spec:
  nodeName: node-1
  containers:
    - name: app
      image: registry.example.com/shop:1
      readinessProbe:
        grpc: {port: 9000, service: shop}
        periodSeconds: 10
        timeoutSeconds: 1
        successThreshold: 1
        failureThreshold: 3
status:
  phase: Running
  startTime: "2026-03-01T10:00:00Z"
  podIP: 10.0.0.7
  containerStatuses:
    - name: app
      image: registry.example.com/shop:1
      imageID: sha256:1
      containerID: containerd://1
      ready: ${ready}
      started: true
      restartCount: 0
      state: {running: {startedAt: "2026-03-01T10:00:02Z"}}
${message === undefined ? '' : event}`);
  expect(errors).toEqual([]);
  const [snapshot] = snapshots;
  if (!snapshot) throw new Error('the pod was not read');
  const { entries } = await forecast(snapshot, { limit: 6, horizon: 120_000 });
  return entries.map((entry) => describeEntry(entry)).join('\n');
}

describe('forecast of a pod with a gRPC readiness probe', () => {
  it('stays ready if it was ready', async () => {
    expect(await outlook(true)).not.toMatch(/Unhealthy|probe/);
  });

  it.each([
    'service unhealthy (responded with "NOT_SERVING")',
    // The message contains the address that the pod has in the simulator.
    'timeout: failed to connect service "10.0.0.7:9000" within 1s: context deadline exceeded',
  ])('keeps failing with “%s” if it failed so before', async (message) => {
    expect(await outlook(false, message)).toContain(
      `Unhealthy: Readiness probe failed: ${message.replace('10.0.0.7', '10.244.0.2')}`,
    );
  });
});
