/**
 * Tests the steps of Kubelet.syncPod in both releases. Each row cites a step in section 6.1 (v1.36) or 6.2 (v1.20) of
 * the kubelet specification.
 */
import type { Pod } from '@podscope/k8s';
import { afterEach, describe, expect, it } from 'vitest';
import { KubeletHarness, type KubeletHarnessOptions, newPod } from '../testing/kubelet-harness.ts';

let harness: KubeletHarness | undefined;

afterEach(async () => {
  await harness?.stop();
  harness = undefined;
});

interface Row {
  /** The cited step of the kubelet specification. */
  readonly spec: string;
  readonly name: string;
  readonly pod?: Pod;
  readonly options?: KubeletHarnessOptions;
  readonly prepare?: (harness: KubeletHarness) => void;
  /**
   * When `act` runs, in seconds. A row that deletes the pod uses a time after the relist that finds the containers.
   * Default: 0.4.
   */
  readonly actAt?: number;
  /** Changes the running pod. The test checks the sync that follows. */
  readonly act?: (harness: KubeletHarness) => void;
  /** The steps of the checked sync. */
  readonly steps: readonly string[];
  /** The error of the checked sync. */
  readonly error?: string;
  /** The expected message of each event by its reason; undefined when the event must be absent. */
  readonly events?: Readonly<Record<string, string | undefined>>;
  readonly phase?: string;
}

const beginning = ['recordLatency', 'generateAPIPodStatus'];
const status136 = [...beginning, 'setPodStatus'];
const status120 = [...beginning, 'canRunPod', 'setPodStatus', 'killPod'];
const toRuntime = ['runtimeSyncPod', 'updateReasonCache'];
const preparation = ['makePodDataDirs', 'waitForVolumes', 'getPullSecrets'];
const whole136 = [...status136, 'checkNetwork', 'ensurePodCgroup', ...preparation, 'addPodProbes', ...toRuntime];
const whole120 = [...status120, 'checkNetwork', 'ensurePodCgroup', ...preparation, ...toRuntime];
/** Returns the steps of `whole` up to and including `last`. */
const upTo = (whole: readonly string[], last: string): readonly string[] => whole.slice(0, whole.indexOf(last) + 1);

const networkMessage = 'network is not ready: ';

function withoutNetwork({ runtime }: KubeletHarness): void {
  runtime.conditions = runtime.conditions.map((condition) => ({
    ...condition,
    status: condition.type !== 'NetworkReady',
  }));
}

function withoutDataDirs({ os }: KubeletHarness): void {
  const mkdirAll = os.mkdirAll.bind(os);
  os.mkdirAll = (path, mode) =>
    path.includes('/pods/uid-') ? Promise.reject(new Error('disk full')) : mkdirAll(path, mode);
}

const exits =
  (exitCode: number) =>
  ({ runtime }: KubeletHarness): void => {
    runtime.scripts.set('app', { exitAfterMs: 500, exitCode });
  };

const failsToStart =
  (error: string) =>
  ({ runtime }: KubeletHarness): void => {
    runtime.scripts.set('app', { startError: { error, message: 'details' } });
  };

const container = { name: 'app', image: 'busybox:1.36' };
const once = newPod('web', { restartPolicy: 'Never' });
const unmountable = newPod('web', {
  volumes: [{ name: 'h', persistentVolumeClaim: { claimName: 'h' } }],
  containers: [{ ...container, volumeMounts: [{ name: 'h', mountPath: '/h' }] }],
});
const withSecret = newPod('web', { imagePullSecrets: [{ name: 'registry' }] });
const annotated = (profile: string): Pod =>
  newPod('web', {}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/app': profile } });
const failedMount = (lists: string) =>
  `Unable to attach or mount volumes: unmounted volumes=[h], ${lists}: volume "h" is of a kind this node can't mount`;
const secretMessage =
  'Unable to retrieve some image pull secrets (registry); attempting to pull the image may not succeed.';

const rows: Readonly<Record<'v1.36' | 'v1.20', readonly Row[]>> = {
  'v1.36': [
    { spec: '6.1 rows 1-19', name: 'runs every step for a new pod', steps: whole136, phase: 'Running' },
    {
      spec: '6.1 row 4',
      name: 'returns after the status of a pod whose containers have all succeeded',
      pod: once,
      prepare: exits(0),
      act: () => undefined,
      steps: status136,
      phase: 'Succeeded',
    },
    {
      spec: '6.1 row 4',
      name: 'returns after the status of a pod whose container has failed',
      pod: once,
      prepare: exits(1),
      act: () => undefined,
      steps: status136,
      phase: 'Failed',
    },
    {
      spec: '6.1 row 7',
      name: 'fails while the network is not ready',
      prepare: withoutNetwork,
      steps: upTo(whole136, 'checkNetwork'),
      error: networkMessage,
      events: { NetworkNotReady: networkMessage },
    },
    {
      spec: '6.1 row 7',
      name: 'ignores the network for a pod on the host network',
      pod: newPod('web', { hostNetwork: true }),
      prepare: withoutNetwork,
      steps: whole136,
      events: { NetworkNotReady: undefined },
    },
    {
      spec: '6.1 row 11',
      name: 'fails when the data directories cannot be made',
      prepare: withoutDataDirs,
      steps: upTo(whole136, 'makePodDataDirs'),
      error: 'disk full',
      events: { Failed: 'error making pod data directories: disk full' },
    },
    {
      spec: '6.1 row 12, 14.3',
      name: 'fails with an event when the desired state of volumes cannot be built',
      pod: unmountable,
      steps: upTo(whole136, 'waitForVolumes'),
      error: 'volume "h" is of a kind',
      events: { FailedMount: failedMount('unattached volumes=[], failed to process volumes=[h]') },
    },
    {
      spec: '6.1 row 13, 16.1',
      name: 'reports a missing pull secret and continues',
      pod: withSecret,
      steps: whole136,
      events: { FailedToRetrieveImagePullSecret: secretMessage },
    },
    {
      spec: '6.1 row 19',
      name: 'returns the summary error when a container cannot start',
      prepare: failsToStart('ErrImagePull'),
      steps: whole136,
      error: 'failed to "StartContainer" for "app" with ErrImagePull',
    },
  ],
  'v1.20': [
    { spec: '6.2 rows 2-15', name: 'runs every step for a new pod', steps: whole120, phase: 'Running' },
    {
      spec: '6.2 rows 5 and 7',
      name: 'kills a pod that soft admission blocks, with an error so that it is retried',
      pod: annotated('nonsense'),
      steps: status120,
      error: 'pod cannot be run: Cannot enforce AppArmor: invalid AppArmor profile name: "nonsense"',
      phase: 'Pending',
    },
    {
      spec: '6.2 row 7',
      name: 'kills a deleted pod and returns without an error',
      actAt: 3,
      act: ({ api }) => api.delete('web', 30),
      steps: status120,
    },
    {
      spec: '6.2 row 7',
      name: 'kills a failed pod and returns without an error',
      pod: once,
      prepare: exits(1),
      act: () => undefined,
      steps: status120,
      phase: 'Failed',
    },
    {
      spec: '6.2 row 8',
      name: 'fails while the network is not ready',
      prepare: withoutNetwork,
      steps: upTo(whole120, 'checkNetwork'),
      error: networkMessage,
      events: { NetworkNotReady: networkMessage },
    },
    {
      spec: '6.2 rows 9 and 12, note on Succeeded',
      name: 'continues for a succeeded pod, but without its cgroup and its volumes',
      pod: once,
      prepare: exits(0),
      act: () => undefined,
      steps: whole120.filter((step) => step !== 'ensurePodCgroup' && step !== 'waitForVolumes'),
      phase: 'Succeeded',
    },
    {
      spec: '6.2 row 11',
      name: 'fails when the data directories cannot be made',
      prepare: withoutDataDirs,
      steps: upTo(whole120, 'makePodDataDirs'),
      error: 'disk full',
      events: { Failed: 'error making pod data directories: disk full' },
    },
    {
      spec: '6.2 row 12, 14.3',
      name: 'fails with an event when a volume cannot be mounted',
      pod: unmountable,
      steps: upTo(whole120, 'waitForVolumes'),
      error: 'volume "h" is of a kind',
      events: { FailedMount: failedMount('unattached volumes=[h]') },
    },
    {
      spec: '6.2 row 13, 16.1',
      name: 'skips a missing pull secret without an event',
      pod: withSecret,
      steps: whole120,
      events: { FailedToRetrieveImagePullSecret: undefined },
    },
    {
      spec: '6.2 row 15',
      name: 'returns the summary error when a container cannot start',
      prepare: failsToStart('ErrImagePull'),
      steps: whole120,
      error: 'failed to "StartContainer" for "app" with ErrImagePull',
    },
    {
      spec: '6.2 row 15, note',
      name: 'returns an error in a back-off, too, because the new sandbox is a result without a back-off',
      prepare: failsToStart('CrashLoopBackOff'),
      steps: whole120,
      error: 'failed to "StartContainer" for "app" with CrashLoopBackOff',
    },
  ],
};

/** Returns the steps of each sync in the log, with the error of the sync. */
function syncs({ ofType }: { readonly ofType: KubeletHarness['ofType'] }): readonly {
  readonly steps: readonly string[];
  readonly error: string | undefined;
}[] {
  const started = ofType('spanStarted');
  const ended = new Map(ofType('spanEnded').map((event) => [event.span, event]));
  return started
    .filter(({ point }) => point === 'kubelet.SyncPod')
    .map(({ span }) => ({
      steps: started
        .filter(({ parent, point }) => parent === span && point.startsWith('kubelet.syncPod.'))
        .map(({ point }) => point.slice('kubelet.syncPod.'.length)),
      error: ended.get(span)?.error?.message,
    }));
}

/** Returns a matcher for texts that contain `text`; undefined without a text. */
const containing = (text: string | undefined): unknown =>
  text === undefined ? undefined : expect.stringContaining(text);

describe.each(['v1.36', 'v1.20'] as const)('Kubelet.syncPod of %s', (profile) => {
  it.each(rows[profile])('$name (spec $spec)', async (row) => {
    const current = new KubeletHarness({ profile, ...row.options });
    harness = current;
    row.prepare?.(current);
    current.api.apply(row.pod ?? newPod('web'));
    await current.start();
    const actAt = row.actAt ?? 0.4;
    await current.until(actAt);
    const log = { ofType: current.ofType.bind(current) };
    const before = row.act ? syncs(log).length : 0;
    row.act?.(current);
    if (row.act) await current.until(actAt + 3.6);
    const sync = syncs(log)[before];
    await current.until(actAt + 3.6);
    const { phase } = current.status('web');
    const messages = Object.keys(row.events ?? {}).map((reason) => [
      reason,
      current.events.find((event) => event.reason === reason)?.message,
    ]);
    expect({ ...sync, phase, messages }).toEqual({
      steps: row.steps,
      error: containing(row.error),
      phase: row.phase ?? phase,
      messages: Object.entries(row.events ?? {}).map(([reason, message]) => [reason, containing(message)]),
    });
  });
});

it('records no start duration for a pod that has ended before its first sync (spec 6.1 rows 4 and 5)', async () => {
  const earlier = new KubeletHarness();
  harness = earlier;
  exits(0)(earlier);
  await earlier.start();
  earlier.api.apply(once);
  await earlier.until(0.4);
  await earlier.stop();
  await earlier.until(2);
  earlier.api.pods.set('web', once);
  const { clock, runtime, api, os } = earlier;
  const later = new KubeletHarness({ clock, runtime, api, os });
  harness = later;
  await later.start();
  await later.until(0.5);
  const rules = later.ofType('decision').map(({ rule }) => rule);
  expect(rules).toContain('latency.podWorkerStart');
  expect(rules).not.toContain('latency.podStart');
  const statuses = later.ofType('spanStarted').filter(({ point }) => point === 'kubelet.syncPod.setPodStatus');
  expect(statuses[0]?.attributes['phase']).toBe('Succeeded');
});
