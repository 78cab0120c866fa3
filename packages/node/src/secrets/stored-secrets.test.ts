import { Storage } from '@podscope/apiserver';
import type { Container, Pod, Secret } from '@podscope/k8s';
import { describe, expect, it } from 'vitest';
import { masked } from './known-values.ts';
import { StoredSecretMask } from './stored-secrets.ts';

const secret = (name: string, values: Record<string, string>): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'default', uid: name },
  data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
});

describe('StoredSecretMask', () => {
  it('replaces values in every field, as text and in base64', () => {
    const storage = new Storage();
    storage.create('Secret', secret('a', { password: 'hunter2-hunter2' }));
    const masking = new StoredSecretMask(storage);
    const text = JSON.stringify({
      env: [{ value: 'hunter2-hunter2' }],
      args: ['--password=hunter2-hunter2'],
      data: Buffer.from('hunter2-hunter2').toString('base64'),
    });
    expect(JSON.parse(masking.apply(text))).toEqual({
      env: [{ value: masked }],
      args: [`--password=${masked}`],
      data: masked,
    });
  });

  it('replaces values of later, changed and deleted secrets', () => {
    const storage = new Storage();
    const masking = new StoredSecretMask(storage);
    storage.create('Secret', secret('a', { key: 'first-value' }));
    storage.update('Secret', 'default', 'a', () => secret('a', { key: 'second-value' }));
    storage.remove('Secret', 'default', 'a');
    expect(masking.apply('"first-value second-value third-value"')).toBe(`"${masked} ${masked} third-value"`);
  });

  it('replaces values that JSON escapes and credentials of registries', () => {
    const storage = new Storage();
    storage.create(
      'Secret',
      secret('a', {
        key: 'two\nlines "quoted"',
        '.dockerconfigjson': '{"auths":{"r.example":{"username":"joe","password":"open-sesame"}}}',
      }),
    );
    const masking = new StoredSecretMask(storage);
    expect(
      masking.apply(JSON.stringify({ a: 'x two\nlines "quoted" y', b: { username: 'joe', password: 'open-sesame' } })),
    ).toBe(JSON.stringify({ a: `x ${masked} y`, b: { username: 'joe', password: masked } }));
  });

  it('keeps short values of a Secret in fields that don’t refer to it', () => {
    const storage = new Storage();
    storage.create('Secret', secret('a', { flag: 'true', empty: '' }));
    expect(new StoredSecretMask(storage).apply('{"ready":true,"value":"true","list":["true"]}')).toBe(
      '{"ready":true,"value":"true","list":["true"]}',
    );
  });

  it('keeps numbers, member names and the fields that identify an object', () => {
    const storage = new Storage();
    storage.create('Secret', secret('a', { number: '123456', word: 'metadata', user: 'default', state: 'Running' }));
    const event = {
      type: 'podChanged',
      time: 1234567,
      metadata: { namespace: 'default' },
      phase: 'Running',
      text: 'default 123456 metadata',
      s: 'Running',
    };
    expect(JSON.parse(new StoredSecretMask(storage).apply(JSON.stringify(event)))).toEqual({
      ...event,
      text: `${masked} ${masked} ${masked}`,
      s: masked,
    });
  });

  describe('values of any length that are known to come from a Secret', () => {
    const pod = (spec: Partial<Container>, uid = 'web'): Pod => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: uid, namespace: 'default', uid },
      spec: { containers: [{ name: 'app', image: 'busybox', ...spec }] },
    });
    const pin: Partial<Container> = {
      env: [
        { name: 'PIN', valueFrom: { secretKeyRef: { name: 'a', key: 'pin' } } },
        { name: 'PORT', value: '80' },
        { name: 'DSN', value: 'db://joe:$(PIN)@$(HOST):$(PORT)' },
        { name: 'HOST', value: 'h' },
      ],
      args: ['--pin=$(PIN)', '$(PIN)', '--port=$(PORT)'],
    };

    function masking(spec: Partial<Container>, values: Record<string, string>): (value: unknown) => unknown {
      const storage = new Storage();
      const masks = new StoredSecretMask(storage);
      // The pod is created before the Secret to which it refers.
      storage.create('Pod', pod(spec));
      storage.create('Secret', secret('a', values));
      return (value) => JSON.parse(masks.apply(JSON.stringify(value)));
    }

    it('are masked in variables of the CRI and Docker, and in values that contain them', () => {
      const of = masking(pin, { pin: '42' });
      expect(
        of({
          envs: [
            { key: 'PIN', value: '42' },
            { name: 'PIN', value: '42' },
            { key: 'PORT', value: '42' },
            { key: 'DSN', value: 'db://joe:42@$(HOST):80' },
          ],
          Env: ['PIN=42', 'PORT=80', 'DSN=db://joe:42@$(HOST):80'],
          Cmd: ['--pin=42', '42', '--port=80'],
          exitCode: 42,
          memory: '42',
        }),
      ).toEqual({
        envs: [
          { key: 'PIN', value: masked },
          { name: 'PIN', value: masked },
          { key: 'PORT', value: '42' },
          { key: 'DSN', value: `db://joe:${masked}@$(HOST):80` },
        ],
        Env: [`PIN=${masked}`, 'PORT=80', `DSN=db://joe:${masked}@$(HOST):80`],
        Cmd: [`--pin=${masked}`, masked, '--port=80'],
        exitCode: 42,
        memory: '42',
      });
    });

    it('are masked in variables from envFrom', () => {
      const of = masking({ envFrom: [{ prefix: 'DB_', secretRef: { name: 'a' } }] }, { pin: '7', user: 'me' });
      expect(of({ Env: ['DB_pin=7', 'DB_user=me', 'pin=7'] })).toEqual({
        Env: [`DB_pin=${masked}`, `DB_user=${masked}`, 'pin=7'],
      });
    });

    it('are masked in the data of a Secret', () => {
      const of = masking({}, { pin: '7' });
      expect(of({ data: { pin: 'Nw==', other: 'x' }, stringData: { pin: '7' } })).toEqual({
        data: { pin: masked, other: 'x' },
        stringData: { pin: masked },
      });
    });

    it('are masked in a single value if the object that contains it is known', () => {
      const storage = new Storage();
      storage.create('Secret', secret('a', { pin: '42' }));
      storage.create('Pod', pod(pin));
      const masks = new StoredSecretMask(storage);
      expect(masks.text('42', { name: 'value', holder: { key: 'PIN', value: '42' } })).toBe(masked);
      expect(masks.text('42', { name: 'value', holder: { key: 'OTHER', value: '42' } })).toBe('42');
      expect(masks.text('42')).toBe('42');
    });
  });
});
