/**
 * Recognizes programs that ended because a service that they depend on is unreachable, overloaded or ends the
 * connection, in the words of drivers that don't name an address in the usual way.
 */
import { type NextCommand, textOf } from '@podscope/trace/explain';
import type { ContainerCase } from '../pod-case.ts';
import { type ExitCase, firstLineOf, logs, type Recognized, type Recognizer } from './recognizer.ts';

/** Returns where a container gets the addresses of other services: `env DB_HOST=db`, `Secret app-db`. */
function addressesOf({ spec }: ContainerCase): { readonly places: string; readonly secret: string | undefined } {
  const named = (spec.env ?? []).filter(({ name }) =>
    /HOST|URL|URI(?!TY)|ADDR|ENDPOINT|BROKER|SERVER|DSN|CONNECTION|BOOTSTRAP/i.test(name),
  );
  const secrets = [
    ...named.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
    ...(spec.envFrom ?? []).flatMap(({ secretRef }) => secretRef?.name ?? []),
  ];
  const values = named.flatMap(({ name, value }) => (value ? [`env ${name}=${value}`] : []));
  return {
    places: [...values, ...new Set(secrets.map((name) => `Secret ${name}`))].join(', '),
    secret: secrets[0],
  };
}

/** Returns the commands that find out why a service can't be reached. */
function reach({ it, container, values }: ExitCase): readonly NextCommand[] {
  const { secret } = addressesOf(container);
  return [
    ...(secret === undefined
      ? []
      : [{ why: textOf('runAddressSecret', { ...values, secret }), command: it.kubectl(`describe secret ${secret}`) }]),
    { why: textOf('runServices', values), command: 'kubectl get svc,endpointslices -A' },
    { why: textOf('runPolicies', values), command: it.kubectl('get networkpolicies') },
    ...it.change('runAddressFix', values),
  ];
}

const depends =
  (id: 'runUnreachable' | 'runClosed' | 'runUpstream') =>
  (exit: ExitCase, { service = '' }: Readonly<Record<string, string | undefined>>, text: string): Recognized => {
    const { places } = addressesOf(exit.container);
    const all = {
      ...exit.values,
      service: service.trim() || 'a service',
      what: firstLineOf(text, interesting).slice(0, 240),
      places,
    };
    return {
      title: textOf(`${id}Title`, all),
      cause: [textOf(id, all), ...(places === '' ? [] : [textOf('runAddresses', all)])],
      next: id === 'runUnreachable' ? reach(exit) : [logs(exit), ...reach(exit)],
      origin: 'network',
      heals: true,
    };
  };

const interesting =
  /establishing a connection|failed to connect|couldn't connect|Connect(?:ion)?(?:Error|Exception|Failure)|can(?:not|'t) (?:connect|reach)|could not (?:open a )?connect|unreachable|not accessible|timed? ?out|timeout|closed|reset|hang up|disconnected|EOF|50[234]|unavailable|no (?:nodes|brokers|servers) available/i;

/** The services whose names are parts of the names of exceptions. */
const serviceNames: readonly (readonly [RegExp, string])[] = [
  [/amqp|rabbit/i, 'RabbitMQ (AMQP)'],
  [/redis/i, 'Redis'],
  [/kafka/i, 'Kafka'],
  [/mongo/i, 'MongoDB'],
  [/cassandra/i, 'Cassandra'],
  [/elastic/i, 'Elasticsearch'],
  [/ldap/i, 'LDAP'],
  [/smtp/i, 'SMTP'],
  [/mqtt/i, 'MQTT'],
];

/** Databases, brokers and other services. The first match decides. */
export const serviceCauses: readonly Recognizer[] = [
  [
    /remaining connection slots|too many (?:clients|connections)|max(?:imum)? (?:number of )?connections? (?:reached|exceeded|limit)|ERR max number of clients/i,
    (exit) => ({
      title: textOf('runSlotsTitle', exit.values),
      cause: [textOf('runSlots', exit.values)],
      next: [...exit.it.change('runSlotsFix', exit.values), logs(exit)],
      origin: 'configuration',
      heals: true,
    }),
  ],
  [
    /(?:connection to|connect(?:ion)? to|reach(?:ing)?) (?<service>SQL Server|MySQL|PostgreSQL|Oracle|MongoDB|Redis|Kafka|RabbitMQ|Elasticsearch)[\s\S]{0,400}?(?:not found or was not accessible|timed? ?out|could not open)/i,
    depends('runUnreachable'),
  ],
  [
    /Timed out waiting for a node assignment|No (?:resolvable bootstrap urls|brokers available|nodes available|hosts? available)|NoBrokersAvailable|Failed to update metadata after|(?:bootstrap )?broker \S+ (?:\([^)]*\) )?(?:disconnected|could not be established)|KafkaJSConnectionError/i,
    (exit, _groups, text) => depends('runUnreachable')(exit, { service: 'Kafka' }, text),
  ],
  [
    /(?:ServerSelectionTimeout|MongoNetworkTimeout|MongoServerSelectionError|CommunicationsException|Communications link failure|The Network Adapter could not establish|ConnectTimeoutError|ConnectTimeout\b|Max retries exceeded|pool timed out|Connection timed out|connection timeout|operation timed out|SocketTimeout|ETIMEDOUT|network is unreachable|host is unreachable|No route to host|EHOSTUNREACH|ENETUNREACH)/i,
    depends('runUnreachable'),
  ],
  [
    /ECONNRESET|connection reset by peer|socket hang up|disconnected before secure TLS|server closed the connection|Connection closed by (?:remote|server|peer)|SSL_ERROR_SYSCALL|unexpected EOF|UNEXPECTED_EOF|broken pipe|EPIPE/i,
    depends('runClosed'),
  ],
  [
    /\b50[234] (?:Bad Gateway|Service Unavailable|Gateway Time-?out)|status(?: code)?[:= ]+50[0234]\b|code ?= ?Unavailable|is sealed|503 Service/i,
    depends('runUpstream'),
  ],
  [
    /(?:^|\n)(?<name>[\w.]*\w*Connect(?:ion)?(?:Error|Exception|Failure))\b/,
    (exit, { name = '' }, text) =>
      depends('runUnreachable')(exit, { service: serviceNames.find(([pattern]) => pattern.test(name))?.[1] }, text),
  ],
  [
    /(?:can(?:not|.t)|could(?: not|n.t)|unable to|failed to) (?:reach|connect to) (?<service>(?:the )?[A-Za-z][\w-]*)/i,
    depends('runUnreachable'),
  ],
];
