import type { Secret } from '@podscope/k8s';
import { describe, expect, it } from 'vitest';
import { mask, SecretMask } from './secret-mask.ts';
import { Storage } from './storage.ts';

const secret = (name: string, values: Record<string, string>): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'default', uid: name },
  data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
});

describe('SecretMask', () => {
  it('replaces values wherever they stand, as text and in base64', () => {
    const storage = new Storage();
    storage.create('Secret', secret('a', { password: 'hunter2-hunter2' }));
    const masking = new SecretMask(storage);
    const text = JSON.stringify({
      env: [{ value: 'hunter2-hunter2' }],
      args: ['--password=hunter2-hunter2'],
      data: Buffer.from('hunter2-hunter2').toString('base64'),
    });
    expect(JSON.parse(masking.apply(text))).toEqual({ env: [{ value: mask }], args: [`--password=${mask}`], data: mask });
  });

  it('knows secrets that come later, and those that went', () => {
    const storage = new Storage();
    const masking = new SecretMask(storage);
    storage.create('Secret', secret('a', { key: 'first-value' }));
    storage.update('Secret', 'default', 'a', () => secret('a', { key: 'second-value' }));
    storage.remove('Secret', 'default', 'a');
    expect(masking.apply('"first-value second-value third-value"')).toBe(`"${mask} ${mask} third-value"`);
  });

  it('finds what JSON escapes, and credentials of registries', () => {
    const storage = new Storage();
    storage.create(
      'Secret',
      secret('a', { key: 'two\nlines "quoted"', '.dockerconfigjson': '{"auths":{"r.example":{"username":"joe","password":"open-sesame"}}}' }),
    );
    const masking = new SecretMask(storage);
    expect(masking.apply(JSON.stringify({ a: 'x two\nlines "quoted" y', b: { username: 'joe', password: 'open-sesame' } }))).toBe(
      JSON.stringify({ a: `x ${mask} y`, b: { username: 'joe', password: mask } }),
    );
  });

  it('leaves short values alone, which stand everywhere', () => {
    const storage = new Storage();
    storage.create('Secret', secret('a', { flag: 'true', empty: '' }));
    expect(new SecretMask(storage).apply('{"ready":true}')).toBe('{"ready":true}');
  });
});
