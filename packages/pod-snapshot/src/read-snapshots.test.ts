import { describe, expect, it } from 'vitest';
import { snapshotTextInEnglish } from './notices.ts';
import { readSnapshots } from './read-snapshots.ts';

const pod = (more = '', status = '{phase: Running}') => `apiVersion: v1
kind: Pod
metadata: {name: web, uid: "1", creationTimestamp: "2026-03-01T10:00:00Z"${more}}
spec: {containers: [{name: app, image: nginx}]}
status: ${status}
`;

describe('readSnapshots', () => {
  it('says how to have what a table for people leaves out, and reads what stands beside it', () => {
    const events = 'LAST SEEN   TYPE      REASON    OBJECT    MESSAGE\n5m          Warning   BackOff   pod/web   Back-off: {\n';
    const { snapshots, errors } = readSnapshots(`${events}---\n${pod()}---\nNAME   READY   STATUS    RESTARTS   AGE\nweb    1/1     Running   0          5m\n`);
    expect(snapshots.map(({ pod: { metadata } }) => metadata.name)).toEqual(['web']);
    expect(errors).toEqual([1, 10].map((line) => expect.objectContaining({ line, hint: 'add `-o yaml`: `kubectl get pods,events -o yaml`' }) as object));
  });

  it('takes pods and events, leaves out the rest and says so', () => {
    const event = (name: string) =>
      `apiVersion: v1\nkind: Event\nmetadata: {name: e}\ninvolvedObject: {kind: Pod, name: ${name}}\nreason: Pulled\nmessage: done\ntype: Normal\nlastTimestamp: "2026-03-01T10:07:00Z"\n`;
    const { snapshots, errors, notices } = readSnapshots(
      `${pod()}---\n${event('web')}---\n${event('other')}---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: Yg==}\n`,
    );
    expect(errors).toEqual([]);
    expect(notices.map(snapshotTextInEnglish)).toEqual(['1 of kind Secret left out: only pods and events are read']);
    expect(snapshots[0]?.events.map(({ reason }) => reason)).toEqual(['Pulled']);
    expect(new Date(snapshots[0]?.observedAt ?? 0).toISOString()).toBe('2026-03-01T10:07:00.000Z');
  });

  it('takes out of events what the pod says is a secret, wherever they stand', () => {
    const event = `apiVersion: v1\nkind: Event\nmetadata: {name: e}\ninvolvedObject: {kind: Pod, name: web, uid: "1"}\nreason: Unhealthy\nmessage: no login with correct-horse for shop\ntype: Warning\nlastTimestamp: "2026-03-01T10:07:00Z"\n`;
    const { snapshots } = readSnapshots(`${event}---\n${pod().replace('image: nginx', 'image: nginx, env: [{name: CREDS, value: correct-horse}]')}`);
    expect(snapshots[0]?.events.map(({ message }) => message)).toEqual(['no login with •••••• for shop']);
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
    ['a pod without containers', pod().replace('[{name: app, image: nginx}]', 'null'), /^spec\.containers: Required value$/],
    ['what kubectl prints for people', 'NAME READY\nweb 1/1\n', /expected an object with apiVersion and kind/],
  ])('refuses %s, with the reason', (_, text, message) => {
    const { snapshots, errors } = readSnapshots(text);
    expect(snapshots).toEqual([]);
    expect(errors[0]?.message).toMatch(message);
  });

  it('takes a pod that is printed again and again as it was printed last, and all pods of a cluster', () => {
    const again = readSnapshots(`${pod()}---\n${pod('', '{phase: Failed}')}`);
    expect(again.snapshots.map(({ pod: { status } }) => status?.phase)).toEqual(['Failed']);
    const items = Array.from({ length: 500 }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `web-${index}`, uid: `${index}`, annotations: { note: 'x'.repeat(2_500) } },
      spec: { containers: [{ name: 'app', image: 'nginx' }] },
      status: { phase: 'Running' },
    }));
    expect(readSnapshots(JSON.stringify({ apiVersion: 'v1', kind: 'List', items })).snapshots).toHaveLength(500);
  });

  it('takes fields that it does not know, and says so', () => {
    const { snapshots, notices } = readSnapshots(pod('', '{phase: Running, shinyNewField: {a: 1}}'));
    expect(snapshots).toHaveLength(1);
    expect(notices.map(snapshotTextInEnglish)).toEqual(['Pod "web": status.shinyNewField is not known here and left out']);
  });
});
