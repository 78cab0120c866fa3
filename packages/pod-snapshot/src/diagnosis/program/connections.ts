/**
 * Recognizes programs that ended because a host name did not resolve or a connection failed.
 */
import { textOf } from '@podscope/trace/explain';
import type { ContainerCase, PodCase } from '../pod-case.ts';
import { whereIn } from './places.ts';
import { type ExitCase, mountedSetting, type Recognized, type Recognizer } from './recognizer.ts';

/** Splits the name of a Service into name and namespace. */
const serviceOf = (
  host: string,
  namespace: string,
): { readonly name: string; readonly namespace: string; readonly isCluster: boolean } => {
  const [name = host, space, kind] = host.split('.');
  return {
    name,
    namespace: kind === 'svc' || (space !== undefined && kind === undefined) ? (space ?? namespace) : namespace,
    isCluster: space === undefined || kind === 'svc' || kind === undefined,
  };
};

function unresolved(exit: ExitCase, host: string, text: string): Recognized {
  const { it, container, values } = exit;
  const service = serviceOf(host, it.namespace);
  const place = whereIn(container, host);
  const mounted = mountedSetting(exit, text);
  const all = { ...values, host, namespace: service.namespace, place };
  return {
    title: textOf('runHostTitle', all),
    cause: [textOf(service.isCluster ? 'runHostService' : 'runHost', all), ...(place ? [textOf('runPlace', all)] : [])],
    next: [
      ...(service.isCluster
        ? [
            { why: textOf('runHostExists', all), command: `kubectl get svc ${service.name} -n ${service.namespace}` },
            { why: textOf('runHostElsewhere', all), command: `kubectl get svc -A | grep -w ${service.name}` },
          ]
        : []),
      {
        why: textOf('runDns', all),
        command: it.kubectl(`run dns-test --rm -it --restart=Never --image=busybox:1.36 -- nslookup ${host}`),
      },
      ...(mounted.length > 0 ? mounted : it.change('runHostFix', all)),
    ],
    origin: 'network',
    heals: true,
  };
}

const isMesh = ({ containers }: PodCase, own: string): boolean =>
  containers.some(({ name, role }) => role === 'main' && name !== own && /istio-proxy|linkerd-proxy|envoy/.test(name));

/** Returns the host name that a text gives for an address (`10.0.0.1:5432 (db.shop.svc)`); otherwise the address. */
function nameOf(target: string, text: string): string {
  const at = text.indexOf(`${target} (`);
  const name = at < 0 ? undefined : /^[a-z][\w-]*(?:\.[\w-]+)*(?=\))/i.exec(text.slice(at + target.length + 2))?.[0];
  const port = /:\d+$/.exec(target)?.[0] ?? '';
  return name === undefined ? target : `${name}${port}`;
}

/**
 * Returns the only host in the container's variables that belongs to a port: in a URL (`redis://db:6379`), as
 * `db:6379`, or as a pair of variables such as `REDIS_HOST` and `REDIS_PORT`.
 */
function hostAtPort({ spec: { env = [] } }: ContainerCase, port: string): { host: string; place: string } | undefined {
  const found = env.flatMap(({ name, value = '' }) => {
    const inValue = new RegExp(`(?:^|[/@,])([a-z][\\w-]*(?:\\.[\\w-]+)*):${port}(?!\\d)`, 'i').exec(value)?.[1];
    if (inValue !== undefined) return [{ host: inValue, place: `env ${name}` }];
    if (!/HOST(?:NAME)?$/.test(name) || !/^[a-z][\w.-]*$/i.test(value)) return [];
    const other = env.find((each) => each.name === name.replace(/HOST(?:NAME)?$/, 'PORT'));
    return other?.value === port ? [{ host: value, place: `env ${name}` }] : [];
  });
  return new Set(found.map(({ host }) => host)).size === 1 ? found[0] : undefined;
}

function refused(exit: ExitCase, target: string, what: 'refused' | 'timeout'): Recognized {
  const { it, container, values } = exit;
  const [given = target, port = ''] = target.replace(/^\w+:\/\//, '').split(/:(?=\d+$)/);
  const likely = /^(?!127\.)[\d.]+$/.test(given) ? hostAtPort(container, port) : undefined;
  const host = likely?.host ?? given;
  const isAddress = /^[\d.]+$/.test(host);
  const isLocal = /^(?:127\.|localhost|::1|\[::1\])/.test(host);
  const service = serviceOf(host, it.namespace);
  const all = { ...values, target: likely ? `${host}:${port}` : target, host, namespace: service.namespace };
  const mesh = isMesh(it, container.name);
  return {
    title: textOf(what === 'refused' ? 'runRefusedTitle' : 'runTimeoutTitle', all),
    cause: [
      textOf(what === 'refused' ? (isLocal ? 'runRefusedLocal' : 'runRefused') : 'runTimeout', all),
      ...(likely ? [textOf('runLikelyHost', { ...all, address: given, place: likely.place })] : []),
      ...(mesh && !isLocal ? [textOf('runMesh', all)] : []),
    ],
    next: [
      ...(isLocal
        ? it.change('runLocalFix', all)
        : isAddress
          ? [
              { why: textOf('runWhoHas', all), command: `kubectl get svc,pods -A -o wide | grep -w '${host}'` },
              { why: textOf('runEndpoints', all), command: it.kubectl('get svc,endpointslices') },
            ]
          : [
              {
                why: textOf('runEndpoints', all),
                command: `kubectl get svc,endpointslices -n ${service.namespace} | grep -E 'NAME|${service.name}'`,
              },
              { why: textOf('runPods', all), command: `kubectl get pods -n ${service.namespace} -o wide` },
            ]),
      ...(what === 'timeout' && !isLocal
        ? [{ why: textOf('runPolicies', all), command: it.kubectl('get networkpolicies') }]
        : []),
      ...(mesh && !isLocal ? it.change('runMeshFix', all) : []),
    ],
    origin: isLocal ? 'configuration' : 'network',
    heals: true,
  };
}

/** The recognizers, first for host names and then for connections. The first one that matches decides. */
export const connectionCauses: readonly Recognizer[] = [
  [
    /can't find (?<host>[\w][\w.-]*\w): (?:NXDOMAIN|No answer)|bad address ['"‘]?(?<other>[a-z][\w.-]*\w)/i,
    (exit, { host, other }, all) => unresolved(exit, host ?? other ?? '', all),
  ],
  [
    /(?:host not found in (?:upstream|resolver|\S+ of the "\S+" directive)|could not translate host name|Unknown MySQL server host|[Cc]ould not resolve (?:host|hostname|proxy|address):?|Name or service not known:?) ?["'`](?<host>[^"'`]+)["'`]/i,
    (exit, { host = '' }, all) => unresolved(exit, host.replace(/:\d+$/, ''), all),
  ],
  [
    /(?:UnknownHostException:|getaddrinfo (?:ENOTFOUND|EAI_AGAIN|for)|lookup|Could not resolve (?:host|hostname):|Failed to resolve(?: hostname)?:?|could not resolve(?! (?:address|placeholder|dependency|dependencies|module|type|property|reference|entry|import|symbol|plugin|all|the)\b)|nodename nor servname provided[^\n]*?:|unknown host:?) (?<host>[\w][\w.-]*[\w])(?=[^\w]|$)(?![^\n]*(?:i\/o timeout))/i,
    (exit, { host = '' }, all) => (host.includes('.so') ? undefined : unresolved(exit, host, all)),
  ],
  [
    /(?:Name or service not known|Temporary failure in name resolution|No address associated with hostname|nodename nor servname|socket\.gaierror|Name does not resolve)/i,
    (exit, _groups, all) => {
      const host = /(?:host(?:name)?[= '":]+|https?:\/\/|@|to )(?<host>[a-z][\w-]*(?:\.[\w-]+)*)(?=[:/'"\s),]|$)/i.exec(
        all,
      )?.groups?.['host'];
      return host === undefined ? undefined : unresolved(exit, host, all);
    },
  ],
  [
    /HTTPS?ConnectionPool\(host='(?<host>[^']+)', port=(?<port>\d+)\)[\s\S]*?(?:(?<refused>refused|Errno 111)|timed out|Errno 110)/,
    (exit, { host = '', port = '', refused: isRefused }) =>
      refused(exit, `${host}:${port}`, isRefused === undefined ? 'timeout' : 'refused'),
  ],
  // Older versions of curl write why they couldn't connect; newer ones only that they couldn't.
  [
    /curl: \(7\) Failed to connect to (?<host>[\w.-]+) port (?<port>\d+)(?![^\n]*(?:timed out|No route|unreachable))/i,
    (exit, { host = '', port = '' }) => refused(exit, `${host}:${port}`, 'refused'),
  ],
  [
    /(?:dial tcp|connect ECONNREFUSED|connect to|connecting to|connection to server at|Connection to|connect\(\) to|ECONNREFUSED) "?(?:host )?(?:ipv[46]#)?(?<host>\[?[\w.:-]*[\w\]])"?(?: \([^)]*\))?(?:,? port (?<port>\d+))?[^\n]*?(?:refused|ECONNREFUSED|failed|$)/i,
    (exit, { host = '', port }, all) =>
      /refused|ECONNREFUSED/i.test(all)
        ? refused(exit, nameOf(port === undefined ? host : `${host}:${port}`, all), 'refused')
        : undefined,
  ],
  [
    /(?:Can't|Cannot|Could not|Unable to|Failed to) (?:reach|connect to) (?:the )?(?:\w+ )?(?:server|database|broker|host)[^\n]*? (?:at|on) [`'"]?(?<host>[a-z][\w.-]*(?::\d+)?)[`'"]?(?: \((?<errno>\d+)\))?/i,
    (exit, { host = '', errno }, all) =>
      refused(exit, host, errno === '111' || /refused/i.test(all) ? 'refused' : 'timeout'),
  ],
  [
    /(?:waiting|waited)[^\n]{0,30} for (?:\w+ )?(?:tcp:\/\/)?(?<host>[a-z][\w-]*(?:\.[\w-]+)*:\d{2,5})/i,
    (exit, { host = '' }, all) =>
      /time(?:d )?out|giv(?:es?|ing) up|refused/i.test(all) ? refused(exit, host, 'timeout') : undefined,
  ],
  [
    /(?<host>[a-z][\w-]*(?:\.[\w-]+)*:\d{2,5}): (?:timed out|\[Errno 110\]|i\/o timeout|operation timed out)/i,
    (exit, { host = '' }) => refused(exit, host, 'timeout'),
  ],
  [
    /connection to [^\n]{0,40}?\(?(?<host>[a-z][\w-]*(?:\.[\w-]+)*)(?:\/[\d.]+)?:(?<port>\d{2,5})\)?[^\n]{0,40}(?:could not be established|failed|lost|terminated|closed|disconnected)/i,
    (exit, { host = '', port = '' }, all) =>
      refused(exit, `${host}:${port}`, /refused/i.test(all) ? 'refused' : 'timeout'),
  ],
  [
    /(?<host>[\w-]+(?:\.[\w-]+)*:\d+)[^\n]*(?:Connection refused|ECONNREFUSED)|(?:Connection refused|ECONNREFUSED)[^\n]*?(?<other>[\w-]+(?:\.[\w-]+)*:\d+)/i,
    (exit, { host, other }) => refused(exit, host ?? other ?? '', 'refused'),
  ],
  [
    /Connection refused|ECONNREFUSED/i,
    (exit, _groups, all) => {
      const address =
        /(?:https?|jdbc:\w+|amqps?|redis|postgres(?:ql)?|mongodb|kafka|tcp):\/\/(?:[^@/\s]*@)?(?<host>[\w.-]+(?::\d+)?)/i.exec(
          all,
        )?.groups?.['host'];
      const urls = (exit.container.spec.env ?? []).flatMap(
        ({ value = '' }) => /^\w+:\/\/(?:[^@/\s]*@)?(?<host>[\w.-]+(?::\d+)?)/.exec(value)?.groups?.['host'] ?? [],
      );
      const target = address ?? (urls.length === 1 ? urls[0] : undefined);
      return target === undefined ? undefined : refused(exit, target, 'refused');
    },
  ],
  [
    /(?:dial tcp|connect ETIMEDOUT|connecting to|connect to|connection to server at) "?(?<host>\[?[\w.:-]*[\w\]])"?(?:[^\n]*?port (?<port>\d+))?[^\n]*(?:i\/o timeout|ETIMEDOUT|timed out|no route to host|deadline exceeded)/i,
    (exit, { host = '', port }) => refused(exit, port === undefined ? host : `${host}:${port}`, 'timeout'),
  ],
  [
    /connect ETIMEDOUT (?<host>\S+)|(?:SocketTimeoutException|ConnectTimeoutException|Connection timed out)[^\n]*?(?<other>[\w-]+(?:\.[\w-]+)*[:/]\d+)/i,
    (exit, { host, other }) => refused(exit, (host ?? other ?? '').replace('/', ':'), 'timeout'),
  ],
];
