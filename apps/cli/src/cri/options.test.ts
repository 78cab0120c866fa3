import { UsageError } from '@podscope/command-line';
import { describe, expect, it } from 'vitest';
import { help, parseCriOptions } from './options.ts';

const parse = (line: string, environment: NodeJS.ProcessEnv = {}, isRoot = true): ReturnType<typeof parseCriOptions> =>
  parseCriOptions(line.split(' ').filter(Boolean), environment, isRoot);

it('names the sandbox image of both releases in its help', () => {
  expect(help).toContain('default: registry.k8s.io/pause:3.10, with\n');
  expect(help).toContain(' --profile v1.20 k8s.gcr.io/pause:3.2; podscope/pause:local');
});

describe('parseCriOptions', () => {
  it('returns the defaults for root and for another user', () => {
    expect(parse('', { XDG_STATE_HOME: '/s' })).toEqual({
      listen: 'unix:///run/podscope/cri.sock',
      socketMode: 0o600,
      runtime: 'docker',
      profile: 'v1.36',
      dockerHost: undefined,
      sandboxImage: undefined,
      simulation: undefined,
      network: { networkPlugin: 'docker', cniConfDir: '/etc/cni/net.d', cniBinDirs: ['/opt/cni/bin', '/usr/lib/cni'] },
      stateDir: '/s/podscope/cri',
      streaming: { host: '127.0.0.1', port: 0 },
      verbose: false,
    });
    expect(parse('', { XDG_RUNTIME_DIR: '/run/user/7' }, false).listen).toBe('unix:///run/user/7/podscope/cri.sock');
  });

  it('reads every option', () => {
    expect(
      parse(
        '--listen /tmp/a.sock --socket-mode 0660 --runtime sim --sandbox-image pause:1 --state-dir /d --network-plugin cni --cni-conf-dir /c --cni-bin-dir /x,/y --streaming-address [::1]:10010 --verbose',
      ),
    ).toMatchObject({
      listen: 'unix:///tmp/a.sock',
      socketMode: 0o660,
      runtime: 'sim',
      sandboxImage: 'pause:1',
      stateDir: '/d',
      network: { networkPlugin: 'cni', cniConfDir: '/c', cniBinDirs: ['/x', '/y'] },
      streaming: { host: '::1', port: 10_010 },
      verbose: true,
    });
  });

  it.each(['docker', 'sim'])('accepts both releases with --runtime %s', (runtime) => {
    expect(parse(`--runtime ${runtime}`)).toMatchObject({ runtime, profile: 'v1.36' });
    expect(parse(`--runtime ${runtime} --profile v1.20`)).toMatchObject({ runtime, profile: 'v1.20' });
  });

  it.each([
    ['--runtime podman', '--runtime "podman" is not docker or sim'],
    ['--profile v1.19', '--profile "v1.19" is not v1.36 or v1.20'],
    ['--socket-mode 0777', '--socket-mode "0777" is not 0600 or 0660'],
    ['--listen tcp://127.0.0.1:1', '"tcp://127.0.0.1:1" is not a CRI endpoint'],
    ['--streaming-address localhost:99999', '--streaming-address "localhost:99999" is not an address and a port'],
    ['--network-plugin calico', '--network-plugin "calico" is not docker, none or cni'],
    ['--nonsense', "Unknown option '--nonsense'"],
    ['extra', "Unexpected argument 'extra'"],
  ])('throws a UsageError for %s', (line, message) => {
    expect(() => parse(line)).toThrow(UsageError);
    expect(() => parse(line)).toThrow(message);
  });
});
