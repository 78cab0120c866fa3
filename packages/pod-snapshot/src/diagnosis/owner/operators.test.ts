/** Tests that remedies for the pods of operators change the custom resource that the user writes. */
import { inEnglish } from '@podscope/trace/explain';
import { describe, expect, it } from 'vitest';
import { readSnapshots } from '../../read-snapshots.ts';
import { diagnoseSnapshot } from '../diagnose.ts';

interface Controller {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

const set: Controller = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db' };

/** Returns the remedies for a pod whose program ends with the log. */
function remedies(controller: Controller, labels: Readonly<Record<string, string>>, log: string): string {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'db-0',
      namespace: 'data',
      uid: 'u',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels,
      ownerReferences: [{ ...controller, uid: 'o', controller: true }],
    },
    spec: {
      nodeName: 'worker-1',
      containers: [{ name: 'db', image: 'db:1', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } }],
    },
    status: {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'db',
          image: 'db:1',
          imageID: '',
          ready: false,
          restartCount: 3,
          state: {
            terminated: { exitCode: 1, startedAt: '2026-01-01T00:00:01Z', finishedAt: '2026-01-01T00:00:09Z' },
          },
        },
      ],
    },
  };
  const [snapshot] = readSnapshots(JSON.stringify(pod)).snapshots;
  if (!snapshot) throw new Error('no pod');
  return diagnoseSnapshot(snapshot, { logs: { db: log } })
    .diagnoses.flatMap(({ next }) => next.map(({ why, command }) => `${inEnglish(why)}: ${command}`))
    .join('\n');
}

const damaged = 'FATAL: data file /data/base is corrupt';
const option = 'unknown flag: --fast';

describe('remedies for the pod of an operator', () => {
  it.each([
    [
      { apiVersion: 'core.strimzi.io/v1beta2', kind: 'StrimziPodSet', name: 'events-broker' },
      { 'strimzi.io/cluster': 'events', 'strimzi.io/kind': 'Kafka', 'strimzi.io/pool-name': 'broker' },
      'kafkanodepool.kafka.strimzi.io/broker',
    ],
    [
      { apiVersion: 'core.strimzi.io/v1beta2', kind: 'StrimziPodSet', name: 'events-zookeeper' },
      { 'strimzi.io/cluster': 'events', 'strimzi.io/kind': 'Kafka' },
      'kafka.kafka.strimzi.io/events',
    ],
    [set, { application: 'spilo', 'cluster-name': 'orders' }, 'postgresql.acid.zalan.do/orders'],
    [set, { 'mysql.oracle.com/cluster': 'orders' }, 'innodbcluster.mysql.oracle.com/orders'],
    [
      set,
      { 'elasticsearch.k8s.elastic.co/cluster-name': 'search' },
      'elasticsearch.elasticsearch.k8s.elastic.co/search',
    ],
    [
      set,
      {
        'app.kubernetes.io/part-of': 'rabbitmq',
        'app.kubernetes.io/component': 'rabbitmq',
        'app.kubernetes.io/name': 'mq',
      },
      'rabbitmqcluster.rabbitmq.com/mq',
    ],
    [
      set,
      {
        'app.kubernetes.io/managed-by': 'prometheus-operator',
        'app.kubernetes.io/name': 'prometheus',
        'operator.prometheus.io/name': 'main',
      },
      'prometheus.monitoring.coreos.com/main',
    ],
  ] as const)('edit the resource and never %o with labels %o', (controller, labels, resource) => {
    for (const log of [damaged, option]) {
      const said = remedies(controller, labels, log);
      expect(said).toContain(`kubectl -n data edit ${resource}`);
      expect(said).not.toMatch(/(?:edit|set|scale|patch|rollout \w+) (?:statefulset|strimzipodset)/);
    }
  });

  it('edit the controller itself if the user writes it', () => {
    const cluster = { apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster', name: 'pg' };
    const said = remedies(cluster, { 'cnpg.io/cluster': 'pg' }, option);
    expect(said).toContain('kubectl -n data edit cluster.postgresql.cnpg.io/pg');
    expect(said).not.toContain('has an owner of its own');
  });

  it('begin with the controller of an unknown operator and point to its owner', () => {
    const said = remedies({ apiVersion: 'db.example.com/v1', kind: 'DbSet', name: 'db' }, {}, option);
    expect(said).toContain('kubectl -n data edit dbset.db.example.com/db');
    expect(said).toMatch(/If DbSet db has an owner of its own.*undoes.*: kubectl -n data get dbset.db.example.com\/db/);
  });
});
