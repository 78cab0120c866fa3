import { encodeBase64, type Secret } from '@podscope/k8s';
import { describe, expect, it } from 'vitest';
import { Keyring } from './credentials.ts';
import { ImagePullRecords } from './pull-records.ts';

const secret = (auths: Record<string, unknown>, name = 'pull', type = 'kubernetes.io/dockerconfigjson'): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'default', uid: `uid-${name}` },
  type,
  data:
    type === 'kubernetes.io/dockerconfigjson'
      ? { '.dockerconfigjson': encodeBase64(JSON.stringify({ auths })) }
      : { '.dockercfg': encodeBase64(JSON.stringify(auths)) },
});

const user = (username: string): { username: string; password: string } => ({ username, password: 'p' });
const namesFor = (keyring: Keyring, repository: string): string[] =>
  keyring.lookup(repository).map(({ username }) => username);

describe('Keyring', () => {
  it('finds credentials by host, port and path, most specific first', () => {
    const keyring = new Keyring([
      secret({ 'quay.io': user('host'), 'https://quay.io/team': user('team'), 'quay.io:8443': user('port') }),
    ]);
    expect(namesFor(keyring, 'quay.io/team/app')).toEqual(['team', 'host']);
    expect(namesFor(keyring, 'quay.io/other/app')).toEqual(['host']);
    expect(namesFor(keyring, 'quay.io:8443/app')).toEqual(['port']);
    expect(namesFor(keyring, 'docker.io/library/redis')).toEqual([]);
  });

  it('matches shell patterns in each part of a host name', () => {
    const keyring = new Keyring([secret({ '*.example.com': user('any'), 'reg-*.example.org': user('one') })]);
    expect(namesFor(keyring, 'registry.example.com/app')).toEqual(['any']);
    expect(namesFor(keyring, 'a.b.example.com/app')).toEqual([]);
    expect(namesFor(keyring, 'reg-1.example.org/app')).toEqual(['one']);
  });

  it('matches Docker Hub by its old name and ignores the API version in keys', () => {
    const keyring = new Keyring([secret({ 'https://index.docker.io/v1/': user('hub') })]);
    expect(namesFor(keyring, 'docker.io/library/redis')).toEqual(['hub']);
    expect(namesFor(keyring, 'quay.io/app')).toEqual([]);
  });

  it('parses both secret types and the combined user and password field', () => {
    const keyring = new Keyring([
      secret({ 'a.io': { auth: encodeBase64('joe:s:ecret') } }, 'old', 'kubernetes.io/dockercfg'),
    ]);
    expect(keyring.lookup('a.io/app')).toMatchObject([
      { username: 'joe', password: 's:ecret', source: { name: 'old' } },
    ]);
    expect(namesFor(new Keyring([{ ...secret({ 'a.io': user('x') }), type: 'Opaque' }]), 'a.io/app')).toEqual([]);
  });

  it('throws for an invalid secret', () => {
    const broken: Secret = { ...secret({}), data: { '.dockerconfigjson': encodeBase64('{') } };
    expect(() => new Keyring([broken])).toThrow(/JSON/);
    expect(() => new Keyring([secret({ 'a.io': { auth: encodeBase64('nocolon') } })])).toThrow(
      'must be formatted as base64(username:password)',
    );
  });
});

describe('ImagePullRecords', () => {
  const [joe] = new Keyring([secret({ 'quay.io': user('joe') })]).lookup('quay.io/app');
  const [ann] = new Keyring([secret({ 'quay.io': user('ann') }, 'other')]).lookup('quay.io/app');
  if (!joe || !ann) throw new Error('the keyring gives a credential for each');

  it('requires a pull of preloaded images only with AlwaysVerify', () => {
    expect(new ImagePullRecords().mustAttemptPull('quay.io/app:1', 'sha256:1', () => [])).toBe(false);
    expect(new ImagePullRecords('AlwaysVerify').mustAttemptPull('quay.io/app:1', 'sha256:1', () => [])).toBe(true);
  });

  it('lets every pod use an image that was pulled without credentials', () => {
    const records = new ImagePullRecords();
    records.intend('quay.io/app:1');
    records.pulled('quay.io/app:1', 'sha256:1', undefined);
    expect(records.mustAttemptPull('quay.io/app:1', 'sha256:1', () => [])).toBe(false);
    expect(records.mustAttemptPull('quay.io/other:1', 'sha256:1', () => [])).toBe(true);
  });

  it('requires the same credential, or the same secret with changed content', () => {
    const records = new ImagePullRecords();
    records.pulled('quay.io/app:1', 'sha256:1', joe);
    expect(records.mustAttemptPull('quay.io/app:1', 'sha256:1', () => [])).toBe(true);
    expect(records.mustAttemptPull('quay.io/app:1', 'sha256:1', () => [ann])).toBe(true);
    expect(records.mustAttemptPull('quay.io/app:1', 'sha256:1', () => [{ ...ann, username: 'joe' }])).toBe(false);
    expect(records.mustAttemptPull('quay.io/app:1', 'sha256:1', () => [{ ...joe, password: 'rotated' }])).toBe(false);
  });

  it('does not trust an image while only a pull intent is recorded', () => {
    const records = new ImagePullRecords();
    records.intend('quay.io/app:1');
    expect(records.mustAttemptPull('quay.io/app:1', 'sha256:1', () => [])).toBe(true);
    records.failed('quay.io/app:1');
    expect(records.mustAttemptPull('quay.io/app:1', 'sha256:1', () => [])).toBe(false);
  });
});
