import { describe, expect, it } from 'vitest';
import { chooseProfile, gatesOf, knownDifferences, listsAfterSync } from './releases.ts';

describe('chooseProfile', () => {
  it.each([
    ['v1.20.2', 'v1.20', false],
    ['v1.36.2', 'v1.36', false],
    ['1.36.0-rc.1+k3s1', 'v1.36', false],
    ['v1.19.16', 'v1.20', true],
    ['v1.21.14', 'v1.20', true],
    ['v1.22.0', 'v1.36', true],
    ['v1.35.1-gke.100', 'v1.36', true],
    ['v1.37.0', 'v1.36', true],
    ['unknown', 'v1.36', true],
    [undefined, 'v1.36', true],
  ] as const)('returns for the kubelet %s the profile %s, approximate: %s', (version, profile, approximate) => {
    expect(chooseProfile(version)).toMatchObject({ profile, approximate });
  });

  it('returns no differences for the releases of the profiles, for newer releases and for an unknown version', () => {
    for (const version of ['v1.20.2', 'v1.36.2', 'v1.37.0', undefined])
      expect(chooseProfile(version).differences).toEqual([]);
  });

  it.each([
    ['v1.21.5', ['ProbeTerminationGracePeriod']],
    ['v1.27.3', ['Sidecars', 'InPlacePodVerticalScaling', 'ContainerRestartRules', 'RestartAllContainers', 'hash']],
    ['v1.28.0', ['InPlacePodVerticalScaling', 'ContainerRestartRules', 'RestartAllContainers', 'hash']],
    ['v1.33.0', ['ContainerRestartRules', 'RestartAllContainers']],
    ['v1.34.0', ['RestartAllContainers']],
    ['v1.35.0', []],
  ])(
    'returns for the kubelet %s its differences from the profile, and that of the back-off from v1.22',
    (at, words) => {
      const texts = chooseProfile(at).differences.map(({ text }) => text);
      const expected = at === 'v1.21.5' ? words : [...words, 'next periodic resync'];
      expect(texts).toHaveLength(expected.length);
      for (const [index, word] of expected.entries()) expect(texts[index]).toContain(word);
    },
  );

  it('has for each release only differences whose range contains it', () => {
    for (const { from, to, profile } of knownDifferences) {
      expect(from).toBeLessThanOrEqual(to);
      expect(chooseProfile(`v1.${from}.0`).profile).toBe(profile);
      expect(chooseProfile(`v1.${to}.0`).profile).toBe(profile);
    }
  });
});

describe('listsAfterSync', () => {
  it.each([
    ['v1.20.2', false],
    ['v1.33.9', false],
    ['v1.34.0', true],
    ['v1.36.2', true],
    [undefined, true],
  ])('returns for the kubelet %s: %s', (version, lists) => {
    expect(listsAfterSync(version)).toBe(lists);
  });
});

describe('gatesOf', () => {
  it('returns no changed gate for v1.36 and for an unknown version', () => {
    expect(gatesOf('v1.36.2', {})).toEqual({});
    expect(gatesOf(undefined, {})).toEqual({});
  });

  it('turns off the gates that the release did not have', () => {
    expect(gatesOf('v1.34.2', {})).toEqual({
      InPlacePodVerticalScalingInitContainers: false,
      InPlacePodLevelResourcesVerticalScaling: false,
      ContainerRestartRules: false,
      RestartAllContainersOnContainerExits: false,
      KubeletEnsureSecretPulledImages: false,
      ImageVolume: false,
    });
    expect(gatesOf('v1.22.17', {})).toMatchObject({ EphemeralContainers: false });
    expect(gatesOf('v1.23.0', {})).not.toHaveProperty('EphemeralContainers');
  });

  it('prefers the gates of /configz', () => {
    const configured = { ImageVolume: true, NodeSwap: false };
    expect(gatesOf('v1.34.2', configured)).toMatchObject({ ...configured, ContainerRestartRules: false });
  });
});
