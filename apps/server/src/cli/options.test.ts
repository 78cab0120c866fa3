import { UsageError } from '@podscope/command-line';
import { describe, expect, it } from 'vitest';
import { helpText } from './help.ts';
import { parseCommandLine } from './options.ts';
import type { ServerOptions } from './server-options.ts';

function serve(...args: string[]): ServerOptions {
  const line = parseCommandLine(args, { XDG_STATE_HOME: '/state' });
  if (line.action !== 'serve') throw new Error(`not serve: ${line.action}`);
  return line.options;
}

describe('parseCommandLine', () => {
  it('has a default for every option', () => {
    expect(serve()).toEqual({
      runtime: 'auto',
      port: 4400,
      host: '127.0.0.1',
      token: undefined,
      criOverGrpc: false,
      stateDir: '/state/podscope',
      isDefaultStateDir: true,
      manifestDir: undefined,
      manifestUrl: undefined,
      profile: 'v1.36',
      featureGates: {},
      podCgroups: 'auto',
      nodeName: 'podscope',
      sandboxImage: undefined,
      network: { networkPlugin: 'docker', cniConfDir: '/etc/cni/net.d', cniBinDirs: ['/opt/cni/bin', '/usr/lib/cni'] },
      keepPods: false,
      faults: undefined,
      onDisconnect: 'release',
      probesOfStoppedPods: 'missed',
      storeLimits: { maxBytes: 2 * 1024 ** 3, maxAge: 30 * 24 * 3_600_000 },
      tls: undefined,
      insecure: false,
      isClass: false,
      readOnly: false,
      showSecrets: false,
      podSecurity: 'baseline',
      allowPrivileged: false,
      allowHostPath: false,
      allowHostNamespaces: false,
      open: false,
      build: true,
      logLevel: 'warn',
    });
  });

  it('parses every option', () => {
    const line =
      '--runtime sim --port=0 --host ::1 --token abcdefgh --state-dir /a --manifest-dir /b --node-name n1 ' +
      '--sandbox-image pause:1 --keep-pods --allow-privileged --allow-host-path --allow-host-namespaces ' +
      '--open --no-build --log-level debug';
    const options = serve(...line.split(' '));
    expect(options).toMatchObject({
      runtime: 'sim',
      port: 0,
      host: '::1',
      token: 'abcdefgh',
      stateDir: '/a',
      manifestDir: '/b',
      nodeName: 'n1',
    });
    expect(options).toMatchObject({
      sandboxImage: 'pause:1',
      keepPods: true,
      allowPrivileged: true,
      allowHostPath: true,
      allowHostNamespaces: true,
    });
    expect(options).toMatchObject({ open: true, build: false, logLevel: 'debug' });
  });

  it('selects the simulator when its settings are given', () => {
    expect(serve('--simulation', '/s.yaml')).toMatchObject({ runtime: 'sim', simulation: '/s.yaml' });
  });

  it('parses the feature gates of the release', () => {
    expect(serve('--profile', 'v1.20', '--feature-gates', 'EphemeralContainers=true').featureGates).toEqual({
      EphemeralContainers: true,
    });
    expect(serve('--feature-gates', 'ImageVolume=false,ContainerStopSignals=true').featureGates).toEqual({
      ImageVolume: false,
      ContainerStopSignals: true,
    });
    expect(() => serve('--profile', 'v1.20', '--feature-gates', 'ImageVolume=true')).toThrow(
      new UsageError('--feature-gates: v1.20 has no gate "ImageVolume" here; it has EphemeralContainers'),
    );
    expect(() => serve('--feature-gates', 'ImageVolume=yes')).toThrow('ImageVolume must be true or false');
  });

  it('ignores the dashes that a package manager passes through', () => {
    expect(serve('--', '--port', '5000').port).toBe(5000);
  });

  it.each([
    [['--runtime', 'podman'], '--runtime "podman" is not auto, docker, sim or unix:///path/of/a.sock'],
    [
      ['--runtime', 'unix://relative.sock'],
      '--runtime "unix://relative.sock" is not auto, docker, sim or unix:///path/of/a.sock',
    ],
    [['--port', 'http'], '--port "http" is not a port number from 0 to 65535'],
    [['--port', '70000'], '--port "70000" is not a port number from 0 to 65535'],
    [['--port', ''], '--port needs a value: a port number from 0 to 65535'],
    [['--wat'], 'unknown option --wat (--help lists all)'],
    [['pod.yaml'], 'unexpected argument pod.yaml (--help lists all options)'],
    [['--node-name', 'My Node'], '--node-name "My Node" is not a name of lower case letters, digits, - and .'],
    [['--token', 'a b'], '--token is not 8 to 256 letters, digits or -._~'],
    [
      ['--host', '0.0.0.0'],
      '--host 0.0.0.0 can be reached from other machines, and every client of this server can use Docker: choose ' +
        'a secret token with --token',
    ],
    [
      ['--host', 'box.lan', '--token', 'abcdefgh', '--insecure'],
      '--host box.lan is reachable by other machines: choose a --token of 16 characters or more',
    ],
    [
      ['--host', 'box.lan', '--token', 'abcdefgh-ijklmnop'],
      '--host box.lan would send the token unencrypted over the network: add --tls-cert and ' +
        '--tls-key, or --insecure if you accept that',
    ],
    [['--cri-over-grpc', '--runtime', 'sim'], '--cri-over-grpc is for Docker, not for --runtime sim'],
    [
      ['--cri-over-grpc', '--runtime', 'unix:///run/a.sock'],
      '--cri-over-grpc is for Docker, not for --runtime unix:///run/a.sock',
    ],
    [['--simulation', 'a.yaml', '--runtime', 'docker'], '--simulation is for the simulator, not for --runtime docker'],
    [['--tls-cert', 'a.pem'], '--tls-cert and --tls-key belong together: give both'],
    [
      ['--tls-cert', 'a.pem', '--tls-key', 'b.pem', '--insecure'],
      '--insecure and --tls-cert contradict each other: omit one',
    ],
    [['--pod-security', 'none'], '--pod-security "none" is not privileged, baseline or restricted'],
    [
      ['--pod-security', 'restricted', '--allow-host-path'],
      '--pod-security restricted and options that permit more than baseline contradict each other: omit one',
    ],
  ])('rejects %j with one line', (args, message) => {
    expect(() => serve(...args)).toThrow(new UsageError(message));
  });

  it('rejects a switch with a value', () => {
    expect(() => serve('--keep-pods=yes')).toThrow(UsageError);
  });

  it('listens on other addresses with a token given by the user', () => {
    const own = ['--host', '0.0.0.0', '--token', 'abcdefgh-ijklmnop'];
    expect(serve(...own, '--insecure').host).toBe('0.0.0.0');
    expect(serve(...own, '--tls-cert', '/c', '--tls-key', '/k').tls).toEqual({ certificate: '/c', key: '/k' });
  });

  it('reads the token from the environment, and never repeats it in an error', () => {
    const parse = (token: string, ...args: readonly string[]) => parseCommandLine(args, { PODSCOPE_TOKEN: token });
    expect(parse('from-the-environment')).toMatchObject({ options: { token: 'from-the-environment' } });
    expect(parse('from-the-environment', '--token', 'from-the-line')).toMatchObject({
      options: { token: 'from-the-line' },
    });
    expect(() => parse('se cret')).toThrow(new UsageError('--token is not 8 to 256 letters, digits or -._~'));
  });

  it('responds to --help and --version even with invalid options', () => {
    expect(parseCommandLine(['--help', '--runtime', 'podman'])).toEqual({ action: 'help' });
    expect(parseCommandLine(['--version'])).toEqual({ action: 'version' });
  });
});

describe('helpText', () => {
  it('lists every option with its default, in at most 120 columns', () => {
    const help = helpText();
    for (const option of [
      '--runtime auto|docker|sim|unix:///…',
      '--port PORT',
      '(default: 4400)',
      '--keep-pods',
      '--allow-host-namespaces',
      '--help',
    ]) {
      expect(help).toContain(option);
    }
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });
});
