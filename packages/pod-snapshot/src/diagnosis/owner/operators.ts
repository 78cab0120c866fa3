/** Finds the custom resource from which an operator makes the controller of a pod, by the labels of known operators. */
import type { Pod } from '@podscope/k8s';

/** A custom resource. A change of a controller that an operator makes from it has to be made in it. */
export interface CustomResource {
  readonly kind: string;
  readonly name: string;
  /** The resource with its group for kubectl, for example `prometheus.monitoring.coreos.com`. */
  readonly resource: string;
}

type Labels = Readonly<Record<string, string>>;

/** Returns the custom resource that the labels name; undefined if another operator, or none, made the pod. */
type Operator = (labels: Labels) => CustomResource | undefined;

/** Returns an operator whose pods have a label with the name of their custom resource. */
const byName =
  (label: string, kind: string, group: string): Operator =>
  ({ [label]: name }) =>
    name === undefined ? undefined : { kind, name, resource: `${kind.toLowerCase()}.${group}` };

const managedBy = ({ 'app.kubernetes.io/managed-by': by = '' }: Labels): string => by;

/** The kinds of an operator, by the value of the label `app.kubernetes.io/name` (or another one). */
const byKind =
  (operator: RegExp, kindLabel: string, nameLabel: string, group: string, kinds: Readonly<Record<string, string>>) =>
  (labels: Labels): CustomResource | undefined => {
    const kind = kinds[labels[kindLabel] ?? ''];
    const name = labels[nameLabel]?.split('.').at(-1);
    return operator.test(managedBy(labels)) && kind !== undefined && name !== undefined
      ? { kind, name, resource: `${kind.toLowerCase()}.${group}` }
      : undefined;
  };

const instance = 'app.kubernetes.io/instance';
const appName = 'app.kubernetes.io/name';

const operators: readonly Operator[] = [
  byKind(/^prometheus-operator$/, appName, 'operator.prometheus.io/name', 'monitoring.coreos.com', {
    prometheus: 'Prometheus',
    'prometheus-agent': 'PrometheusAgent',
  }),
  byKind(/^prometheus-operator$/, appName, 'alertmanager', 'monitoring.coreos.com', { alertmanager: 'Alertmanager' }),
  byName('thanos-ruler', 'ThanosRuler', 'monitoring.coreos.com'),
  byName('elasticsearch.k8s.elastic.co/cluster-name', 'Elasticsearch', 'elasticsearch.k8s.elastic.co'),
  byName('kibana.k8s.elastic.co/name', 'Kibana', 'kibana.k8s.elastic.co'),
  byName('logstash.k8s.elastic.co/name', 'Logstash', 'logstash.k8s.elastic.co'),
  byName('beat.k8s.elastic.co/name', 'Beat', 'beat.k8s.elastic.co'),
  byName('strimzi.io/pool-name', 'KafkaNodePool', 'kafka.strimzi.io'),
  ({ 'strimzi.io/kind': kind, 'strimzi.io/cluster': name }) =>
    kind === undefined || name === undefined
      ? undefined
      : { kind, name, resource: `${kind.toLowerCase()}.kafka.strimzi.io` },
  byName('cnpg.io/poolerName', 'Pooler', 'postgresql.cnpg.io'),
  byName('cnpg.io/cluster', 'Cluster', 'postgresql.cnpg.io'),
  byName('mysql.oracle.com/cluster', 'InnoDBCluster', 'mysql.oracle.com'),
  ({ application, 'cluster-name': name }) =>
    application === 'spilo' && name !== undefined
      ? { kind: 'postgresql', name, resource: 'postgresql.acid.zalan.do' }
      : undefined,
  byName('postgres-operator.crunchydata.com/cluster', 'PostgresCluster', 'postgres-operator.crunchydata.com'),
  byName('cassandra.datastax.com/datacenter', 'CassandraDatacenter', 'cassandra.datastax.com'),
  byName('scylla/cluster', 'ScyllaCluster', 'scylla.scylladb.com'),
  byName('clickhouse.altinity.com/chi', 'ClickHouseInstallation', 'clickhouse.altinity.com'),
  byName('v1.min.io/tenant', 'Tenant', 'minio.min.io'),
  byName('serving.kserve.io/inferenceservice', 'InferenceService', 'serving.kserve.io'),
  ({ 'serving.knative.dev/service': name }) =>
    name === undefined ? undefined : { kind: 'Service', name, resource: 'services.serving.knative.dev' },
  ({ 'app.kubernetes.io/part-of': of, 'app.kubernetes.io/component': component, [appName]: name }) =>
    of === 'rabbitmq' && component === 'rabbitmq' && name !== undefined && name !== 'rabbitmq'
      ? { kind: 'RabbitmqCluster', name, resource: 'rabbitmqcluster.rabbitmq.com' }
      : undefined,
  byKind(/^percona-xtradb-cluster-operator$/, appName, instance, 'pxc.percona.com', {
    'percona-xtradb-cluster': 'PerconaXtraDBCluster',
  }),
  byKind(/^percona-server-mongodb-operator$/, appName, instance, 'psmdb.percona.com', {
    'percona-server-mongodb': 'PerconaServerMongoDB',
  }),
  byKind(/^vm-operator$/, appName, instance, 'operator.victoriametrics.com', {
    vmagent: 'VMAgent',
    vmalert: 'VMAlert',
    vmalertmanager: 'VMAlertmanager',
    vmsingle: 'VMSingle',
    vminsert: 'VMCluster',
    vmselect: 'VMCluster',
    vmstorage: 'VMCluster',
    vmcluster: 'VMCluster',
  }),
  byKind(/^opentelemetry-operator$/, 'app.kubernetes.io/component', instance, 'opentelemetry.io', {
    'opentelemetry-collector': 'OpenTelemetryCollector',
  }),
  byKind(/^keycloak-operator$/, 'app', instance, 'k8s.keycloak.org', { keycloak: 'Keycloak' }),
];

/** Returns the custom resource behind the controller of a pod; undefined if its operator isn't known. */
export function customResourceOf({ metadata: { labels = {} } }: Pod): CustomResource | undefined {
  for (const operator of operators) {
    const found = operator(labels);
    if (found) return found;
  }
  return undefined;
}
