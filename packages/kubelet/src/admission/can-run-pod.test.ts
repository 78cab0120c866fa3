import type { Pod } from '@podscope/k8s';
import { background, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { newPod } from '../testing/kubelet-harness.ts';
import { canAdmitPod } from './admission.ts';
import { createCanRunPod, type SoftAdmissionDependencies } from './v1-20/can-run-pod.ts';

const ctx = background(new VirtualClock(), new Tracer());

const withProfile = (profile: string): Pod =>
  newPod('web', {}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/app': profile } });

const withSecurity = (securityContext: NonNullable<Pod['spec']['containers'][0]['securityContext']>): Pod =>
  newPod('web', { containers: [{ name: 'app', image: 'busybox', securityContext }] });

const noNewPrivs = withSecurity({ allowPrivilegeEscalation: false });
const unmasked = withSecurity({ procMount: 'Unmasked' });

const canRunPod = (pod: Pod, overrides: Partial<SoftAdmissionDependencies> & { readonly api?: string } = {}) =>
  createCanRunPod({
    appArmor: { enabled: true, loadedProfiles: async () => new Set(['docker-default']) },
    runtimeVersion: async () => ({ runtimeName: 'docker', runtimeApiVersion: overrides.api ?? '1.41.0' }),
    ...overrides,
  })(ctx, pod);

// The expected results are those of the kubelet specification, section 2.5, rows marked "soft".
describe('canRunPod of v1.20', () => {
  it.each(['localhost/docker-default', 'runtime/default', 'unconfined', ''])(
    'admits a pod with the AppArmor profile %j',
    async (profile) => {
      expect(await canRunPod(withProfile(profile))).toBeUndefined();
    },
  );

  it.each([
    ['localhost/strict', 'Cannot enforce AppArmor: profile "strict" is not loaded'],
    ['strict', 'Cannot enforce AppArmor: invalid AppArmor profile name: "strict"'],
  ])('blocks a pod with the AppArmor profile %j', async (profile, message) => {
    expect(await canRunPod(withProfile(profile))).toEqual({ reason: 'AppArmor', message });
  });

  it('blocks a pod that asks for AppArmor on a host without it', async () => {
    const appArmor = { enabled: false, loadedProfiles: async () => new Set<string>() };
    expect((await canRunPod(withProfile('runtime/default'), { appArmor }))?.message).toBe(
      'Cannot enforce AppArmor: AppArmor is not enabled on the host',
    );
  });

  it('admits a pod whose only profile is unconfined on a host without AppArmor', async () => {
    const appArmor = { enabled: false, loadedProfiles: async () => new Set<string>() };
    expect(await canRunPod(withProfile('unconfined'), { appArmor })).toBeUndefined();
  });

  it('blocks a pod when the loaded profiles cannot be read', async () => {
    const appArmor = { enabled: true, loadedProfiles: () => Promise.reject(new Error('permission denied')) };
    expect((await canRunPod(withProfile('runtime/default'), { appArmor }))?.message).toBe(
      'Cannot enforce AppArmor: could not read loaded profiles: permission denied',
    );
  });

  it.each([
    ['NoNewPrivs', noNewPrivs, '1.22', '1.23'],
    ['ProcMount', unmasked, '1.37', '1.38'],
  ])('blocks a pod that needs %s on an engine with an older API', async (reason, pod, api, minimum) => {
    expect(await canRunPod(pod, { api })).toEqual({
      reason,
      message:
        `Cannot enforce ${reason}: docker runtime API version "${api}" ` +
        `must be greater than or equal to ${minimum}`,
    });
    expect(await canRunPod(pod, { api: minimum })).toBeUndefined();
  });

  it('blocks a pod that needs NoNewPrivs when the version of the engine cannot be read', async () => {
    const runtimeVersion = () => Promise.reject(new Error('no engine'));
    expect((await canRunPod(noNewPrivs, { runtimeVersion }))?.message).toBe('Cannot enforce NoNewPrivs: no engine');
  });

  it('admits every pod of a runtime other than Docker', async () => {
    const runtimeVersion = async () => ({ runtimeName: 'containerd', runtimeApiVersion: '0.1' });
    expect(await canRunPod(unmasked, { runtimeVersion })).toBeUndefined();
  });

  it('admits a pod that runs already', async () => {
    expect(await canRunPod({ ...withProfile('localhost/strict'), status: { phase: 'Running' } })).toBeUndefined();
  });
});

describe('the AppArmor handler of v1.36', () => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1', uid: '' } } as const;
  const admit = (pod: Pod, appArmorEnabled: boolean | undefined) =>
    canAdmitPod(ctx, { pod, others: [], node, nodeName: 'node-1', appArmorEnabled });
  const localhost = withSecurity({ appArmorProfile: { type: 'Localhost', localhostProfile: 'strict' } });

  it('rejects a pod with a profile on a host without AppArmor', async () => {
    const message = 'Cannot enforce AppArmor: AppArmor is not enabled on the host';
    expect(await admit(localhost, false)).toEqual({ reason: 'AppArmor', message });
    expect((await admit(withProfile('runtime/default'), false))?.reason).toBe('AppArmor');
  });

  it("admits a pod with a profile when AppArmor is enabled, or when the host's state is unknown", async () => {
    expect(await admit(localhost, true)).toBeUndefined();
    expect(await admit(localhost, undefined)).toBeUndefined();
  });

  it('rejects an ephemeral container with a profile on a host without AppArmor', async () => {
    const { securityContext } = localhost.spec.containers[0] ?? {};
    const debug = newPod('web', { ephemeralContainers: [{ name: 'debug', image: 'busybox', securityContext }] });
    expect((await admit(debug, false))?.reason).toBe('AppArmor');
  });

  it.each([
    [
      'a field',
      withSecurity({ appArmorProfile: { type: 'Localhost', localhostProfile: ' ' } }),
      '&AppArmorProfile{Type:Localhost,LocalhostProfile:* ,}',
    ],
    ['an annotation', withProfile('localhost/'), '&AppArmorProfile{Type:Localhost,LocalhostProfile:*,}'],
    [
      "the pod's field",
      newPod('web', { securityContext: { appArmorProfile: { type: 'Localhost' } } }),
      '&AppArmorProfile{Type:Localhost,LocalhostProfile:nil,}',
    ],
  ])('rejects a Localhost profile without a name in %s', async (_where, pod, profile) => {
    const message = `Cannot enforce AppArmor: invalid empty AppArmor profile name: "${profile}"`;
    expect(await admit(pod, true)).toEqual({ reason: 'AppArmor', message });
  });

  it('admits a pod without a profile, or with Unconfined, on any host', async () => {
    expect(await admit(newPod('web'), false)).toBeUndefined();
    expect(await admit(withSecurity({ appArmorProfile: { type: 'Unconfined' } }), false)).toBeUndefined();
  });
});
