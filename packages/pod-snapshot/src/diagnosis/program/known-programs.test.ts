/**
 * Tests what the diagnosis says about the last words of known programs, and about messages of storage drivers and
 * network plugins.
 */
import { describe, expect, it } from 'vitest';
import { firstDiagnosis } from '../../testing/first-diagnosis.ts';

const container = { name: 'app', image: 'registry.example.com/shop/app:1' };

function diagnosisOf(status: object, log: string, event?: { readonly reason: string; readonly message: string }) {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'app-0', namespace: 'shop', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { nodeName: 'worker-1', containers: [container] },
    status: { phase: 'Running', containerStatuses: [{ ...container, ready: false, imageID: '', ...status }] },
  };
  const told = event && {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'shop' },
    involvedObject: { kind: 'Pod', name: 'app-0', namespace: 'shop', uid: 'u' },
    type: 'Warning',
    lastTimestamp: '2026-01-01T00:01:00Z',
    ...event,
  };
  return firstDiagnosis([pod, ...(told ? [told] : [])], { logs: { app: log } });
}

const ended = { exitCode: 1, startedAt: '2026-01-01T00:00:01Z', finishedAt: '2026-01-01T00:00:09Z' };
const crashed = (log: string, restartCount = 3) => diagnosisOf({ restartCount, state: { terminated: ended } }, log);
const creating = (reason: string, message: string) =>
  diagnosisOf({ restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } } }, '', { reason, message });

describe('the diagnosis of a program that ends', () => {
  it.each([
    ['no main manifest attribute, in /app/app.jar', /isn’t built as its program needs/, /Build the image again/],
    ['Error loading ASGI app. Attribute "api" not found in module "main".', /application that its image/, /attribute/],
    ["Failed to find attribute 'app' in 'shop.wsgi'.", /application that its image doesn’t have/, /or use the image/],
    ['mytool: error: this file is YAML. Please use mytool2.', /another way than it expects/, /Use mytool2, as/],
    ['ActiveRecord::PendingMigrationError: Migrations are pending.', /doesn’t have the schema/, /Run the migrations/],
    ['Cookie file /x/.erlang.cookie must be accessible by owner only', /too many users/, /defaultMode: 0400/],
    ['npm ERR! path /.npm\nnpm ERR! errno -13', /can’t write to its home/, /HOME=\/tmp/],
    ['setup: mkdir failed: Read-only file system', /writes to a read-only file system/, /Find out which path/],
    ['the server could not find the requested resource', /API that this cluster doesn’t serve/, /api-versions/],
    ["Can't locate DBD/Pg.pm in @INC", /DBD::Pg/, /Install DBD::Pg/],
    ['open /proc/sys/net/a: permission denied', /may not change a setting of the kernel/, /privileged/],
    ['[FATAL] plugin/loop: Loop (127.0.0.1:1 -> :53) detected for zone "."', /forwards queries to itself/, /coredns/],
    ["iptables-restore: unable to initialize table 'nat'", /lacks what app needs for iptables/, /modprobe/],
    ['Get "https://10.0.0.1:10250/metrics": x509: no IP SANs', /certificates of the kubelets/, /get csr/],
    ['etcdserver: mvcc: database space exceeded', /reached its quota/, /defrag/],
    ['DataLoader worker: out of shared memory. Please try to raise your', /too little shared memory/, /\/dev\/shm/],
    [
      "curl: (7) Failed to connect to localhost port 80: Couldn't connect",
      /can’t connect|refused/i,
      /instead of localhost/,
    ],
    ['ReplyError: MOVED 3999 10.244.1.9:6379', /Redis Cluster like a single server/, /cluster mode/],
    [
      'nginx: [emerg] a duplicate default server for 0.0.0.0:80 in /a.conf:2',
      /doesn’t accept its conf/,
      /Correct that/,
    ],
    ['leases.coordination.k8s.io "app" not found', /doesn’t find leases/, /get leases.coordination.k8s.io -A/],
  ])('names the cause and the remedy of %s', (log, title, remedy) => {
    const found = crashed(log);
    expect(found.title).toMatch(title);
    expect(found.remedies).toMatch(remedy);
  });

  it.each([
    [
      '== 20261119081244 AddLocale: migrating ===\n' +
        'PG::DuplicateColumn: ERROR:  column "locale" of relation "customers" already exists',
      /Migration 20261119081244 \(AddLocale\) creates customers\.locale/,
      /schema_migrations.*20261119081244/,
    ],
    [
      'Running migrations:\n  Applying shop.0042_order...Traceback (most recent call last):\n' +
        'django.db.utils.ProgrammingError: relation "shop_order" already exists',
      /Migration shop\.0042_order creates shop_order/,
      /manage\.py migrate shop 0042_order --fake/,
    ],
    [
      'INFO  [alembic.runtime.migration] Running upgrade 1975ea83b712 -> 3512b954651e, add locale\n' +
        'sqlalchemy.exc.ProgrammingError: (psycopg2.errors.DuplicateColumn) column "locale" of relation "customers" ' +
        'already exists',
      /Migration 3512b954651e \(add locale\) creates customers\.locale/,
      /alembic stamp 3512b954651e/,
    ],
    [
      'Error: P3018\nA migration failed to apply.\nMigration name: 20261119_locale\nDatabase error:\n' +
        'ERROR: relation "orders" already exists',
      /Migration 20261119_locale creates orders/,
      /prisma migrate resolve --applied 20261119_locale/,
    ],
    [
      "Migration V42__add_locale.sql failed\nMessage    : Duplicate column name 'locale'",
      /Migration V42__add_locale creates locale/,
      /IF NOT EXISTS/,
    ],
  ])('names the migration and what exists already: %s', (log, cause, remedy) => {
    const found = crashed(log);
    expect(found.title).toMatch(/already has what the migration of app creates/);
    expect(found.cause).toMatch(cause);
    expect(found.remedies).toMatch(remedy);
    expect(found.remedies).not.toMatch(/edit (?:secret|configmap)/);
  });

  it('says that a container without a restart starts again at once', () => {
    expect(crashed('some error', 0).outlook).toMatch(/started again at once/);
    expect(crashed('some error', 2).outlook).toMatch(/back-off of 20 s/);
  });
});

describe('the diagnosis of a pod whose volumes or network fail', () => {
  it.each([
    ['FailedMount', 'MountVolume.MountDevice failed for volume "pv-1" : duplicate UUID 5b1c', /UUID/, /nouuid/],
    ['FailedMount', 'MountVolume.SetUp failed for volume "a" : object "shop"/"b" not registered', /watch b/, /kubelet/],
    [
      'FailedMount',
      'MountVolume.SetUp failed for volume "a" : rbd image x is still being used',
      /in use/,
      /attachments/,
    ],
  ])('explains the %s event %s', (reason, message, title, remedy) => {
    const found = creating(reason, message);
    expect(found.title).toMatch(title);
    expect(found.remedies).toMatch(remedy);
  });

  it.each([
    ['cannot find a network-attachment-definition (a) in namespace (b)', /network-attachment-definitions/],
    ['"cni0" already has an IP address different from 10.244.1.1/24', /ip link delete cni0/],
    ['mkdir /sys/fs/cgroup/podu1: cgroup: no space left on device', /num_cgroups/],
    ['container init was OOM-killed (memory limit too low?)', /resources\.limits\.memory/],
  ])('explains the failure of a sandbox: %s', (message, remedy) => {
    expect(creating('FailedCreatePodSandBox', message).remedies).toMatch(remedy);
  });
});
