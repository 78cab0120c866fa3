import { describe, expect, it } from 'vitest';
import { maskText, maskValue } from './mask.ts';
import { readSnapshots } from './read-snapshots.ts';

const pod = (more = '', status = '{phase: Running}') => `apiVersion: v1
kind: Pod
metadata: {name: web, uid: "1", creationTimestamp: "2026-03-01T10:00:00Z"${more}}
spec: {containers: [{name: app, image: nginx}]}
status: ${status}
`;

describe('what must not be kept', () => {
  it.each([
    ['postgres://shop:hunter2@db/shop', 'postgres://shop:••••••@db/shop'],
    ['--db-password=hunter2 --level=3', '--db-password=•••••• --level=3'],
    ['{"token": "abc123"}', '{"token":"••••••"}'],
    ['{"level": 3, "list": [true]}', '{"level": 3, "list": [true]}'],
    ['eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln', '••••••'],
    ['Authorization: Bearer abcdefghijkl', 'Authorization: Bearer ••••••'],
    ['{"auths":{"r.io":{"auth":"dXNlcjpodW50ZXIy"}}}', '{"auths":{"r.io":{"auth":"••••••"}}}'],
    ['[{"name":"DB_PWD","value":"hunter2"}]', '[{"name":"DB_PWD","value":"••••••"}]'],
    ["login failed with password 'hunter2'", 'login failed with password ••••••'],
    ['token abc1234 was rejected', 'token •••••• was rejected'],
    ['ghp_0123456789abcdefghij0123456789', '••••••'],
    ['AccountName=a;AccountKey=aHVudGVyMg==aaaa', 'AccountName=a;AccountKey=••••••'],
    ['curl -u me:hunter2 http://x/?sig=abc', 'curl -u me:•••••• http://x/?sig=••••••'],
    ['mysql -uroot -phunter2 && echo -p 3', 'mysql -uroot -p•••••• && echo -p 3'],
    ['nothing to hide', 'nothing to hide'],
    ['secret "regcred2" not found', 'secret "regcred2" not found'],
    ['the token is not valid yet', 'the token is not valid yet'],
  ])('%s', (text, clean) => {
    expect(maskText(text)).toBe(clean);
  });

  it('is known by its name', () => {
    const value = {
      env: [
        { name: 'DB_PASSWORD', value: 'x' },
        { name: 'SIGNING_KEY', value: 'x' },
        { name: 'LEVEL', value: '3' },
        { name: 'MONKEY', value: 'seen' },
      ],
      args: ['--token', 'abc', '--port', '80'],
    };
    expect(maskValue(value)).toEqual({
      env: [
        { name: 'DB_PASSWORD', value: '••••••' },
        { name: 'SIGNING_KEY', value: '••••••' },
        { name: 'LEVEL', value: '3' },
        { name: 'MONKEY', value: 'seen' },
      ],
      args: ['--token', '••••••', '--port', '80'],
    });
  });
});

describe('readSnapshots', () => {
  it('takes pods and events, leaves out the rest and says so', () => {
    const event = (name: string) =>
      `apiVersion: v1\nkind: Event\nmetadata: {name: e}\ninvolvedObject: {kind: Pod, name: ${name}}\nreason: Pulled\nmessage: done\ntype: Normal\nlastTimestamp: "2026-03-01T10:07:00Z"\n`;
    const { snapshots, errors, notices } = readSnapshots(
      `${pod()}---\n${event('web')}---\n${event('other')}---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: Yg==}\n`,
    );
    expect(errors).toEqual([]);
    expect(notices).toEqual(['1 Secret left out: only pods and events are read']);
    expect(snapshots[0]?.events.map(({ reason }) => reason)).toEqual(['Pulled']);
    expect(new Date(snapshots[0]?.observedAt ?? 0).toISOString()).toBe('2026-03-01T10:07:00.000Z');
  });

  it('keeps neither the last applied manifest nor who wrote what', () => {
    const { snapshots } = readSnapshots(
      pod(', annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}", keep: me}, managedFields: [{manager: x}]'),
    );
    expect(snapshots[0]?.pod.metadata.annotations).toEqual({ keep: 'me' });
    expect(snapshots[0]?.pod.metadata.managedFields).toBeUndefined();
  });

  it.each([
    [
      'a manifest',
      'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app, image: nginx}]}\n',
      /"web" has no metadata\.uid: this is a manifest/,
    ],
    ['no pod at all', 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\n', /there is no Pod in this text/],
    ['a field of the wrong type', pod('', '{phase: Running, startTime: 3}'), /status\.startTime in body must be of type string/],
    ['no YAML', ': : :\n  - x: [', /./],
    ['nothing', '', /there is no Pod/],
  ])('refuses %s, with the reason', (_, text, message) => {
    const { snapshots, errors } = readSnapshots(text);
    expect(snapshots).toEqual([]);
    expect(errors[0]?.message).toMatch(message);
  });

  it('takes fields that it does not know, and says so', () => {
    const { snapshots, notices } = readSnapshots(pod('', '{phase: Running, shinyNewField: {a: 1}}'));
    expect(snapshots).toHaveLength(1);
    expect(notices).toEqual(['Pod "web": status.shinyNewField is not known here and left out']);
  });
});
