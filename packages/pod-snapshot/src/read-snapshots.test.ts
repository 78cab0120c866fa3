import { describe, expect, it } from 'vitest';
import { formatSnapshotText } from './notices.ts';
import { readSnapshots } from './read-snapshots.ts';

const pod = (more = '', status = '{phase: Running}') => `apiVersion: v1
kind: Pod
metadata: {name: web, uid: "1", creationTimestamp: "2026-03-01T10:00:00Z"${more}}
spec: {containers: [{name: app, image: nginx}]}
status: ${status}
`;

describe('readSnapshots', () => {
  it('rejects a kubectl table with a hint and reads the YAML next to it', () => {
    const events =
      'LAST SEEN   TYPE      REASON    OBJECT    MESSAGE\n5m          Warning   BackOff   pod/web   Back-off: {\n';
    const { snapshots, errors } = readSnapshots(
      `${events}---\n${pod()}---\nNAME   READY   STATUS    RESTARTS   AGE\nweb    1/1     Running   0          5m\n`,
    );
    expect(snapshots.map(({ pod: { metadata } }) => metadata.name)).toEqual(['web']);
    expect(errors).toEqual(
      [1, 10].map(
        (line) => expect.objectContaining({ line, hint: 'use YAML: `kubectl get pods,events -o yaml`' }) as object,
      ),
    );
  });

  it('rejects the output of kubectl describe with one error and reads the YAML next to it', () => {
    const description =
      'Name:             web\nNamespace:        default\nContainers:\n  app:\n    Image:  nginx\nEvents:  <none>\n';
    const { snapshots, errors } = readSnapshots(`${description}---\n${pod()}`);
    expect(snapshots.map(({ pod: { metadata } }) => metadata.name)).toEqual(['web']);
    expect(errors).toEqual([
      expect.objectContaining({
        line: 1,
        message: 'this is the output of `kubectl describe`, which lacks most of the needed data',
        hint: 'use YAML: `kubectl get pods,events -o yaml`',
      }),
    ]);
  });

  it('reads pods and events and reports other kinds as ignored', () => {
    const event = (name: string) =>
      `apiVersion: v1\nkind: Event\nmetadata: {name: e}\ninvolvedObject: {kind: Pod, name: ${name}}\nreason: ` +
      'Pulled\nmessage: done\ntype: Normal\nlastTimestamp: "2026-03-01T10:07:00Z"\n';
    const { snapshots, errors, notices } = readSnapshots(
      `${pod()}---\n${event('web')}---\n${event('other')}---\napiVersion: v1\nkind: Secret\nmetadata: {name: ` +
        's}\ndata: {a: Yg==}\n',
    );
    expect(errors).toEqual([]);
    expect(notices.map(formatSnapshotText)).toEqual(['1 × Secret ignored: only pods and events are read']);
    expect(snapshots[0]?.events.map(({ reason }) => reason)).toEqual(['Pulled']);
    expect(new Date(snapshots[0]?.observedAt ?? 0).toISOString()).toBe('2026-03-01T10:07:00.000Z');
  });

  it('masks the secrets of a pod in its events, before or after it in the text', () => {
    const event =
      'apiVersion: v1\nkind: Event\nmetadata: {name: e}\ninvolvedObject: {kind: Pod, name: web, uid: "1"}\n' +
      'reason: Unhealthy\nmessage: no login with correct-horse for shop\ntype: Warning\nlastTimestamp: ' +
      '"2026-03-01T10:07:00Z"\n';
    const { snapshots } = readSnapshots(
      `${event}---\n${pod().replace('image: nginx', 'image: nginx, env: [{name: CREDS, value: correct-horse}]')}`,
    );
    expect(snapshots[0]?.events.map(({ message }) => message)).toEqual(['no login with •••••• for shop']);
  });

  it('drops managed fields and the last applied manifest', () => {
    const { snapshots } = readSnapshots(
      pod(
        ', annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}", keep: me}, managedFields: ' +
          '[{manager: x}]',
      ),
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
    ['no pod at all', 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\n', /no Pod in this text/],
    [
      'a field of the wrong type',
      pod('', '{phase: Running, startTime: 3}'),
      /status\.startTime in body must be of type string/,
    ],
    ['no YAML', ': : :\n  - x: [', /./],
    ['nothing', '', /no Pod in this text/],
    [
      'a pod without containers',
      pod().replace('[{name: app, image: nginx}]', 'null'),
      /^spec\.containers: Required value$/,
    ],
    ['what kubectl prints for people', 'NAME READY\nweb 1/1\n', /expected an object with apiVersion and kind/],
  ])('rejects %s with the reason', (_, text, message) => {
    const { snapshots, errors } = readSnapshots(text);
    expect(snapshots).toEqual([]);
    expect(errors[0]?.message).toMatch(message);
  });

  it('reads hundreds of pods and uses the last version of a repeated one', () => {
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

  it('reports unknown fields and reads the rest', () => {
    const { snapshots, notices } = readSnapshots(pod('', '{phase: Running, shinyNewField: {a: 1}}'));
    expect(snapshots).toHaveLength(1);
    expect(notices.map(formatSnapshotText)).toEqual(['Pod "web": unknown field status.shinyNewField is ignored']);
  });
});
