import { describe, expect, it } from 'vitest';
import { resolveConfiguration, withAbsolutePaths } from './resolve-configuration.ts';

const manifest = { path: '/work/pod.yaml', pods: [{ name: 'web', line: 1 }] };

describe('resolveConfiguration', () => {
  it('runs the pods of the open manifest without launch.json', () => {
    expect(resolveConfiguration({}, manifest)).toEqual({
      type: 'podscope',
      request: 'launch',
      name: 'Debug web',
      program: '/work/pod.yaml',
    });
  });

  it('keeps every field of a configuration', () => {
    const given = { type: 'podscope', request: 'launch', name: 'Mine', program: 'a.yaml', seed: 7, runtime: 'sim' };
    expect(resolveConfiguration(given, undefined)).toEqual(given);
  });

  it('plays a scenario without a manifest', () => {
    expect(resolveConfiguration({ type: 'podscope', scenario: 'crash-loop' }, manifest)).toEqual({
      type: 'podscope',
      request: 'launch',
      name: 'Scenario crash-loop',
      scenario: 'crash-loop',
    });
  });

  it('attaches with address and token', () => {
    const given = { request: 'attach', url: 'http://127.0.0.1:4400', token: 'secret' };
    expect(resolveConfiguration(given, undefined)).toEqual({ ...given, type: 'podscope', name: 'Attach to Podscope' });
  });

  it.each([
    [{}, undefined, 'noDocument'],
    [{}, { path: '/work/compose.yaml', pods: [] }, 'noPod'],
    [{ program: 'pod.yaml', scenario: 'crash-loop' }, manifest, 'bothPrograms'],
    [{ request: 'attach', token: 'secret' }, manifest, 'noUrl'],
    [{ request: 'attach', url: 'http://127.0.0.1:4400', token: '' }, manifest, 'noToken'],
  ])('rejects %j with %j: %s', (given, document, problem) => {
    expect(resolveConfiguration(given, document)).toBe(problem);
  });
});

describe('withAbsolutePaths', () => {
  it('resolves relative paths below the folder, and keeps absolute paths and other fields', () => {
    const given = { type: 'podscope', program: 'pods/web.yaml', faults: '/plans/flaky.yaml', runtime: 'sim' };
    expect(withAbsolutePaths(given, '/work')).toEqual({ ...given, program: '/work/pods/web.yaml' });
  });

  it('returns the configuration unchanged without a folder', () => {
    expect(withAbsolutePaths({ program: 'web.yaml' }, undefined)).toEqual({ program: 'web.yaml' });
  });
});
