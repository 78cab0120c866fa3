/**
 * Recognizes why a program ended from the last lines that it wrote: termination message or log, in the wording of
 * common runtimes (JVM, Node.js, Python, Go, shells), databases and servers.
 */
import { type ExplainText, type NextCommand, textOf } from '@podscope/trace/explain';
import { type ContainerCase, logsCommand, type PodCase } from './pod-case.ts';

export interface Recognized {
  readonly title: ExplainText;
  readonly cause: readonly ExplainText[];
  readonly next: readonly NextCommand[];
  readonly origin?: 'program' | 'configuration' | 'network' | 'node';
  /** True if it ends by itself, once something else works. */
  readonly heals?: boolean;
}

interface Ask {
  readonly it: PodCase;
  readonly container: ContainerCase;
  /** The image, container and node, for texts. */
  readonly values: Readonly<Record<string, string>>;
}

type Recognizer = readonly [
  pattern: RegExp,
  recognize: (ask: Ask, groups: Readonly<Record<string, string | undefined>>, all: string) => Recognized | undefined,
];

const logs = ({ it, container, values }: Ask): NextCommand => ({
  why: textOf('lookLogs', values),
  command: logsCommand(it, container),
});

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

/** Returns the variable or argument in which a text stands, as `env DATABASE_HOST`. */
function whereIn({ spec }: ContainerCase, text: string): string {
  const variable = (spec.env ?? []).find(({ value }) => value?.includes(text));
  if (variable) return `env ${variable.name}`;
  return [...(spec.command ?? []), ...(spec.args ?? [])].some((word) => word.includes(text)) ? 'args' : '';
}

function unresolved(ask: Ask, host: string): Recognized {
  const { it, container, values } = ask;
  const service = serviceOf(host, it.namespace);
  const place = whereIn(container, host);
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
      ...it.change('runHostFix', all),
    ],
    origin: 'network',
    heals: true,
  };
}

const isMesh = ({ containers }: PodCase, own: string): boolean =>
  containers.some(({ name, role }) => role === 'main' && name !== own && /istio-proxy|linkerd-proxy|envoy/.test(name));

function refused(ask: Ask, target: string, what: 'refused' | 'timeout'): Recognized {
  const { it, container, values } = ask;
  const [host = target] = target.replace(/^\w+:\/\//, '').split(/:(?=\d+$)/);
  const isAddress = /^[\d.]+$/.test(host);
  const isLocal = /^(?:127\.|localhost|::1|\[::1\])/.test(host);
  const service = serviceOf(host, it.namespace);
  const all = { ...values, target, host, namespace: service.namespace };
  const mesh = isMesh(it, container.name);
  return {
    title: textOf(what === 'refused' ? 'runRefusedTitle' : 'runTimeoutTitle', all),
    cause: [
      textOf(what === 'refused' ? (isLocal ? 'runRefusedLocal' : 'runRefused') : 'runTimeout', all),
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

const secretNames = ({ spec }: ContainerCase): readonly string[] => [
  ...new Set([
    ...(spec.env ?? []).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
    ...(spec.envFrom ?? []).flatMap(({ secretRef }) => secretRef?.name ?? []),
  ]),
];

function credentials(ask: Ask, user: string): Recognized {
  const { it, container, values } = ask;
  const secrets = secretNames(container);
  const all = { ...values, user, secrets: secrets.join(', ') };
  return {
    title: textOf('runLoginTitle', all),
    cause: [
      textOf(user ? 'runLoginUser' : 'runLogin', all),
      ...(secrets.length > 0 ? [textOf('runLoginFrom', all)] : []),
    ],
    next: [
      secrets.length > 0
        ? { why: textOf('runLoginSecret', all), command: it.kubectl(`edit secret ${secrets[0]}`) }
        : { why: textOf('runLoginSecrets', all), command: it.kubectl('get secrets') },
      ...it.change('runLoginFix', all),
    ],
    origin: 'configuration',
  };
}

const variable = (ask: Ask, name: string): Recognized => {
  const { it, container, values } = ask;
  const isSet = (container.spec.env ?? []).some((each) => each.name === name);
  const all = { ...values, name };
  return {
    title: textOf('runEnvTitle', all),
    cause: [textOf(isSet ? 'runEnvBad' : 'runEnv', all)],
    next: [
      ...it.set('runEnvFix', all, (ref) => `env ${ref} -c ${container.name} ${name}=VALUE`),
      { why: textOf('runEnvSecret', all), command: it.kubectl('get secrets,configmaps') },
    ],
    origin: 'configuration',
  };
};

function missingFile(
  ask: Ask,
  path: string,
  id: 'runFile' | 'runModule' | 'runClass' | 'runLibrary' | 'runPython' = 'runFile',
): Recognized {
  const { it, container, values } = ask;
  const mount = (container.spec.volumeMounts ?? []).find(
    ({ mountPath }) => path.startsWith(`${mountPath.replace(/\/$/, '')}/`) || path === mountPath,
  );
  const all = { ...values, path, mount: mount?.mountPath ?? '', volume: mount?.name ?? '' };
  const isMounted = mount !== undefined;
  return {
    title: textOf('runFileTitle', all),
    cause: [textOf(id, all), ...(isMounted ? [textOf('runFileMount', all)] : [])],
    next: [
      {
        why: textOf('runFileLook', all),
        command:
          `docker run --rm --entrypoint ls ${container.spec.image} -l ` +
          (path.startsWith('/') ? path.replace(/\/[^/]*$/, '') || '/' : '.'),
      },
      ...(isMounted ? it.change('runFileMountFix', all) : it.change('runFileFix', all)),
      ...rollBack(ask),
    ],
    origin: 'program',
  };
}

/** The way back to the template before, for owners that keep revisions. */
export function rollBack({ it, values }: Pick<Ask, 'it' | 'values'>): readonly NextCommand[] {
  const { kind, ref, label } = it.owner;
  return ['Deployment', 'StatefulSet', 'DaemonSet'].includes(kind)
    ? [{ why: textOf('runRollBack', { ...values, owner: label }), command: it.kubectl(`rollout undo ${ref}`) }]
    : [];
}

function missingCommand(ask: Ask, program: string): Recognized {
  const { it, container, values } = ask;
  const all = { ...values, program };
  return {
    title: textOf('runCommandTitle', all),
    cause: [textOf('runCommand', all)],
    next: [
      {
        why: textOf('runCommandLook', all),
        command: `docker run --rm --entrypoint sh ${container.spec.image} -c 'command -v ${program}'`,
      },
      ...it.change('runCommandFix', all),
    ],
    origin: 'configuration',
  };
}

function permission(ask: Ask, path: string): Recognized {
  const { it, container, values } = ask;
  const mount = (container.spec.volumeMounts ?? []).find(
    ({ mountPath }) => path === mountPath || path.startsWith(`${mountPath.replace(/\/$/, '')}/`),
  );
  const user = container.spec.securityContext?.runAsUser ?? it.pod.spec.securityContext?.runAsUser;
  const all = { ...values, path, user: user === undefined ? '' : String(user), volume: mount?.name ?? '' };
  return {
    title: textOf('runPermissionTitle', all),
    cause: [
      textOf(user === undefined ? 'runPermission' : 'runPermissionUser', all),
      ...(mount ? [textOf('runPermissionMount', all)] : []),
    ],
    next: mount ? it.change('runPermissionGroup', all) : it.change('runPermissionFix', all),
    origin: 'configuration',
  };
}

function readOnly(ask: Ask, path: string): Recognized {
  const { it, container, values } = ask;
  const isSet = container.spec.securityContext?.readOnlyRootFilesystem === true;
  const mount = (container.spec.volumeMounts ?? []).find(
    ({ mountPath, readOnly: only }) => only && path.startsWith(mountPath),
  );
  const directory = path.includes('/') ? path.replace(/\/[^/]*$/, '') || path : path;
  const all = { ...values, path, directory, volume: mount?.name ?? '' };
  return {
    title: textOf('runReadOnlyTitle', all),
    cause: [textOf(mount ? 'runReadOnlyMount' : isSet ? 'runReadOnly' : 'runReadOnlyAny', all)],
    next: it.change(mount ? 'runReadOnlyMountFix' : 'runReadOnlyFix', all),
    origin: 'configuration',
  };
}

function portTaken(ask: Ask, given: string): Recognized {
  const { it, container, values } = ask;
  const port = given || String(container.spec.ports?.[0]?.containerPort ?? '');
  const others = it.containers.filter(
    ({ name, spec, role }) =>
      name !== container.name &&
      role !== 'init' &&
      spec.ports?.some(({ containerPort }) => String(containerPort) === port),
  );
  const all = { ...values, port, other: others.map(({ name }) => name).join(', ') };
  return {
    title: textOf('runPortTitle', all),
    cause: [textOf(it.pod.spec.hostNetwork ? 'runPortHost' : others.length > 0 ? 'runPortOther' : 'runPortTaken', all)],
    next: it.change('runPortFix', all),
    origin: 'configuration',
  };
}

const simple = (
  id:
    | 'runConfig'
    | 'runTls'
    | 'runDatabase'
    | 'runFiles'
    | 'runMaps'
    | 'runLock'
    | 'runLeader'
    | 'runSpace'
    | 'runLowPort'
    | 'runCrlf'
    | 'runLibc'
    | 'runThread',
) => ({
  title: `${id}Title` as const,
  cause: id,
  fix: `${id}Fix` as const,
});

const plain =
  (
    id: Parameters<typeof simple>[0],
    origin: Recognized['origin'] = 'configuration',
    extra?: (ask: Ask, values: Readonly<Record<string, string>>) => readonly NextCommand[],
  ) =>
  (ask: Ask, groups: Readonly<Record<string, string | undefined>>): Recognized => {
    const { title, cause, fix } = simple(id);
    const all = { ...ask.values, what: groups['what'] ?? '', path: groups['path'] ?? '' };
    return {
      title: textOf(title, all),
      cause: [textOf(cause, all)],
      next: [...(extra?.(ask, all) ?? []), ...ask.it.change(fix, all)],
      ...(origin ? { origin } : {}),
    };
  };

/** Checked in this order: the first that matches decides. */
const recognizers: readonly Recognizer[] = [
  // Causes of the platform.
  [
    /exec format error/i,
    ({ it, values }) => ({
      title: textOf('archTitle', values),
      cause: [textOf('arch', values)],
      next: [
        { why: textOf('archNode', values), command: `kubectl get node ${it.node} -L kubernetes.io/arch` },
        {
          why: textOf('archBuild', values),
          command: `docker buildx build --platform linux/amd64,linux/arm64 --push -t ${values['image']} .`,
        },
        ...it.change('archSelect', values),
      ],
      origin: 'configuration',
    }),
  ],
  [
    /iptables[^\n]*(?:Permission denied|must be root|Operation not permitted)|NET_ADMIN/i,
    ({ it, values }) => ({
      title: textOf('runIptablesTitle', values),
      cause: [textOf('runIptables', values)],
      next: [
        {
          why: textOf('runIptablesCni', values),
          command: "kubectl get daemonset -A | grep -iE 'istio-cni|linkerd-cni'",
        },
        ...it.change('runIptablesFix', values),
      ],
      origin: 'configuration',
    }),
  ],
  [
    /vm\.max_map_count \[\d+\] (?:is )?(?:likely )?too low|max virtual memory areas vm\.max_map_count/i,
    plain('runMaps', 'node', ({ it, values }) => [
      {
        why: textOf('runMapsNode', values),
        command:
          `kubectl debug node/${it.node} -it --profile=sysadmin --image=busybox:1.36 -- sysctl -w ` +
          'vm.max_map_count=262144',
      },
    ]),
  ],
  [
    /System limit for number of file watchers|inotify (?:instance|watch)|too many open files/i,
    plain('runFiles', 'node'),
  ],
  // Memory of the program itself.
  [
    /java\.lang\.OutOfMemoryError: (?:unable to create|unable to create new) native thread|Resource temporarily unavailable|can't start new thread|pthread_create failed/i,
    plain('runThread', 'configuration'),
  ],
  [
    /java\.lang\.OutOfMemoryError:? ?(?<what>[^\n]*)|JavaScript heap out of memory|Reached heap limit|\bMemoryError\b|runtime: out of memory/i,
    (ask, { what = '' }, all) => {
      const { it, container, values } = ask;
      const isNode = /JavaScript|heap limit/.test(all);
      const isJava = /java\.lang/.test(all);
      const limit = String(container.spec.resources?.limits?.['memory'] ?? '');
      const kind = { ...values, what: what.trim() || 'heap', limit };
      return {
        title: textOf(isJava ? 'runHeapJavaTitle' : isNode ? 'runHeapNodeTitle' : 'runHeapTitle', kind),
        cause: [
          textOf(isJava ? 'runHeapJava' : isNode ? 'runHeapNode' : 'runHeap', kind),
          textOf('runHeapNotKernel', kind),
        ],
        next: [...it.change(isJava ? 'runHeapJavaFix' : isNode ? 'runHeapNodeFix' : 'runHeapFix', kind), logs(ask)],
        origin: 'program',
      };
    },
  ],
  // Names and connections.
  [
    /(?:host not found in (?:upstream|resolver|\S+ of the "\S+" directive)|could not translate host name|Unknown MySQL server host|Could not resolve (?:host|hostname|proxy):?|Name or service not known:?) ?["'`](?<host>[^"'`]+)["'`]/i,
    (ask, { host = '' }) => unresolved(ask, host.replace(/:\d+$/, '')),
  ],
  [
    /(?:UnknownHostException:|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|lookup|Could not resolve (?:host|hostname):|Failed to resolve(?: hostname)?:?|could not resolve|nodename nor servname provided[^\n]*?:|unknown host:?) (?<host>[\w][\w.-]*[\w])(?=[^\w]|$)(?![^\n]*(?:i\/o timeout))/i,
    (ask, { host = '' }) => (host.includes('.so') ? undefined : unresolved(ask, host)),
  ],
  [
    /(?:Name or service not known|Temporary failure in name resolution|No address associated with hostname|nodename nor servname|socket\.gaierror|Name does not resolve)/i,
    (ask, _groups, all) => {
      const host = /(?:host(?:name)?[= '":]+|https?:\/\/|@|to )(?<host>[a-z][\w-]*(?:\.[\w-]+)*)(?=[:/'"\s),]|$)/i.exec(
        all,
      )?.groups?.['host'];
      return host === undefined ? undefined : unresolved(ask, host);
    },
  ],
  [
    /(?:dial tcp|connect ECONNREFUSED|connect to|connecting to|connection to server at|Connection to|connect\(\) to|ECONNREFUSED) "?(?:host )?(?<host>\[?[\w.:-]*[\w\]])"?(?: \([^)]*\))?(?:,? port (?<port>\d+))?[^\n]*?(?:refused|ECONNREFUSED|failed|$)/i,
    (ask, { host = '', port }, all) =>
      /refused|ECONNREFUSED/i.test(all)
        ? refused(ask, port === undefined ? host : `${host}:${port}`, 'refused')
        : undefined,
  ],
  [
    /(?<host>[\w-]+(?:\.[\w-]+)*:\d+)[^\n]*(?:Connection refused|ECONNREFUSED)|(?:Connection refused|ECONNREFUSED)[^\n]*?(?<other>[\w-]+(?:\.[\w-]+)*:\d+)/i,
    (ask, { host, other }) => refused(ask, host ?? other ?? '', 'refused'),
  ],
  [
    /Connection refused|ECONNREFUSED/i,
    (ask, _groups, all) => {
      const address =
        /(?:https?|jdbc:\w+|amqps?|redis|postgres(?:ql)?|mongodb|kafka|tcp):\/\/(?:[^@/\s]*@)?(?<host>[\w.-]+(?::\d+)?)/i.exec(
          all,
        )?.groups?.['host'];
      return refused(ask, address ?? '?', 'refused');
    },
  ],
  [
    /(?:dial tcp|connect ETIMEDOUT|connecting to|connect to|connection to server at) "?(?<host>\[?[\w.:-]*[\w\]])"?(?:[^\n]*?port (?<port>\d+))?[^\n]*(?:i\/o timeout|ETIMEDOUT|timed out|no route to host|deadline exceeded)/i,
    (ask, { host = '', port }) => refused(ask, port === undefined ? host : `${host}:${port}`, 'timeout'),
  ],
  [
    /connect ETIMEDOUT (?<host>\S+)|(?:SocketTimeoutException|ConnectTimeoutException|Connection timed out)[^\n]*?(?<other>[\w-]+(?:\.[\w-]+)*[:/]\d+)/i,
    (ask, { host, other }) => refused(ask, (host ?? other ?? '').replace('/', ':'), 'timeout'),
  ],
  // Credentials and data.
  [
    /password authentication failed for user "?(?<user>[^"\s]+)"?|Access denied for user '(?<mysql>[^']+)'|Login failed for user '(?<mssql>[^']+)'|role "(?<role>[^"]+)" does not exist/i,
    (ask, { user, mysql, mssql, role }) => credentials(ask, user ?? mysql ?? mssql ?? role ?? ''),
  ],
  [
    /WRONGPASS|NOAUTH|invalid username-password|Authentication failed|AuthenticationFailed|invalid credentials|SASL authentication|ACCESS_REFUSED|401 Unauthorized|InvalidAccessKeyId|SignatureDoesNotMatch/i,
    (ask) => credentials(ask, ''),
  ],
  [
    /(?<what>database "[^"]+" does not exist|Unknown database '[^']+'|relation "[^"]+" does not exist|no such table: \S+|Table '[^']+' doesn't exist)/i,
    plain('runDatabase', 'configuration'),
  ],
  [
    /(?<what>\S+ is forbidden: User "system:serviceaccount:[^"]+" cannot [^\n]+)/i,
    (ask, { what = '' }) => {
      const { it, values } = ask;
      const {
        account = '',
        verb = '',
        resource = '',
      } = /serviceaccount:(?<account>[^"]+)" cannot (?<verb>\w+) resource "(?<resource>[^"]+)"/.exec(what)?.groups ??
      {};
      const all = { ...values, what, account, verb, resource };
      const [space = it.namespace, name = 'default'] = account.split(':');
      return {
        title: textOf('runRbacTitle', all),
        cause: [textOf('runRbac', all)],
        next: [
          {
            why: textOf('runRbacCheck', all),
            command: `kubectl auth can-i ${verb} ${resource} --as=system:serviceaccount:${space}:${name} -n ${space}`,
          },
          {
            why: textOf('runRbacFix', all),
            command:
              `kubectl create rolebinding ${name}-${resource} --clusterrole=view ` +
              `--serviceaccount=${space}:${name} -n ${space}`,
          },
        ],
        origin: 'configuration',
      };
    },
  ],
  [
    /x509: |certificate (?:verify failed|has expired|signed by unknown)|CERTIFICATE_VERIFY_FAILED|PKIX path building failed|SSLHandshakeException|self[- ]signed certificate|unable to get local issuer certificate/i,
    plain('runTls', 'configuration'),
  ],
  // Settings.
  [
    /os\.environ\[["'](?<name>\w+)["']\]|KeyError: '(?<key>[A-Z][A-Z0-9_]{2,})'/,
    (ask, { name, key }) => variable(ask, name ?? key ?? ''),
  ],
  [
    /(?:environment variable|env(?:ironment)? var|variable|env:?) ["'`$]*(?<name>[A-Z][A-Z0-9_]{2,})["'`]*(?: (?:is )?(?:not (?:set|found|defined|present)|required|missing|unset|must be set|empty)|: (?:parameter not set|unbound variable|NotPresent))/i,
    (ask, { name = '' }) => variable(ask, name),
  ],
  [
    /(?:missing|required|undefined|unset)[^\n]{0,40}?(?:environment variables?|env(?:ironment)? vars?|variables?|configuration|key):? ["'`$]*(?<name>[A-Z][A-Z0-9_]{2,})|(?<other>[A-Z][A-Z0-9_]{2,})["'`]? (?:environment variable )?(?:is not set|must be set|is required|is not defined|not set|is missing|cannot be empty)|required key (?<key>[A-Z][A-Z0-9_]{2,}) missing value|(?<shell>[A-Z][A-Z0-9_]{2,}): (?:parameter not set|unbound variable|parameter null or not set)/,
    (ask, { name, other, key, shell }) => variable(ask, name ?? other ?? key ?? shell ?? ''),
  ],
  [/Could not resolve placeholder '(?<name>[^']+)'/, (ask, { name = '' }) => variable(ask, name)],
  [
    /(?<what>(?:unknown|unrecognized|invalid|illegal|flag provided but not defined:?) (?:flag|option|argument|shorthand flag|configuration (?:key|option|parameter|directive)|directive|key|command(?: line)?(?: option)?|field)[^\n]*|flag provided but not defined: \S+|unknown (?:long )?(?:flag|option)[^\n]*|unrecognized arguments?:[^\n]*|unknown directive[^\n]*|unexpected argument[^\n]*)/i,
    plain('runConfig'),
  ],
  [
    /(?<what>(?:yaml|toml|json|config(?:uration)?)[^\n]{0,60}(?:line \d+|parse error|syntax error|unmarshal|invalid|unexpected|could not be parsed|failed to (?:load|parse|read))[^\n]*|(?:error|failed|unable|could not|cannot)[^\n]{0,30}(?:loading|load|parsing|parse|reading|read)[^\n]{0,30}config[^\n]*|YAMLException[^\n]*|ScannerError[^\n]*|BeanCreationException[^\n]*|APPLICATION FAILED TO START[\s\S]{0,200}|syntax error[^\n]*)/i,
    (ask, groups, all) =>
      /no such file|not found: \/|does not exist/i.test(groups['what'] ?? '') && /(\/[\w./-]+): no such file/.test(all)
        ? undefined
        : plain('runConfig')(ask, groups),
  ],
  // Files and commands.
  [/env: ['‘"]?(?:\S+?)\\r|\$'\\r'|bad interpreter|\^M/i, plain('runCrlf', 'program')],
  [/GLIBC_[\d.]+' not found|version `\S+' not found|symbol not found|Error relocating/i, plain('runLibc', 'program')],
  [/error while loading shared libraries: (?<lib>\S+?):/i, (ask, { lib = '' }) => missingFile(ask, lib, 'runLibrary')],
  [
    /Cannot find (?:module|package) ['"](?<path>[^'"]+)['"]|Error: Cannot find module (?<other>\S+)/i,
    (ask, { path, other }) => missingFile(ask, path ?? other ?? '', 'runModule'),
  ],
  [/No module named ['"]?(?<path>[\w.]+)/i, (ask, { path = '' }) => missingFile(ask, path, 'runPython')],
  [
    /Could not find or load main class (?<path>\S+)|(?:ClassNotFoundException|NoClassDefFoundError): (?<other>\S+)|Unable to access jarfile (?<jar>\S+)/i,
    (ask, { path, other, jar }) => missingFile(ask, path ?? other ?? jar ?? '', 'runClass'),
  ],
  [
    /exec: "(?<exec>[^"]+)": (?:executable file not found|stat [^\n]*no such file)|(?:^|\n|\d+: |line \d+: )(?:(?:ba|da|a|z)?sh: (?:\d+: |line \d+: )?|\/bin\/(?:ba|da|a)?sh: (?:\d+: |line \d+: )?|\S+\.sh: (?:line )?\d+: )(?<program>[\w./-]+): (?:command )?not found|(?<other>[\w./-]+): command not found|env: ['‘"]?(?<env>[\w./-]+)['’"]?: No such file/i,
    (ask, { exec, program, other, env }) => missingCommand(ask, exec ?? program ?? other ?? env ?? ''),
  ],
  [
    /exec: "(?<path>[^"]+)": permission denied|(?:^|\s)(?<script>\/[\w./-]+): Permission denied/i,
    (ask, { path, script }, all) => {
      const { it, values } = ask;
      const name = path ?? script ?? '';
      const isExec = path !== undefined || /sh: |\bexec\b/.test(all);
      if (!isExec) return permission(ask, name);
      const all2 = { ...values, path: name };
      const fromMap = (it.pod.spec.volumes ?? []).find(
        (volume) =>
          (volume.configMap ?? volume.secret) &&
          ask.container.spec.volumeMounts?.some(
            (mount) => mount.name === volume.name && name.startsWith(mount.mountPath),
          ),
      );
      return {
        title: textOf('runExecTitle', all2),
        cause: [textOf(fromMap ? 'runExecMap' : 'runExec', all2)],
        next: [
          ...(fromMap
            ? it.change('runExecMode', all2)
            : [
                {
                  why: textOf('runExecChmod', all2),
                  command:
                    `echo 'RUN chmod +x ${name}' >> Dockerfile && docker build -t ${values['image']} . && docker ` +
                    `push ${values['image']}`,
                },
                ...it.change('runExecShell', all2),
              ]),
        ],
        origin: 'program',
      };
    },
  ],
  [
    /bind\(\)? (?:to )?\S*?:(?<port>\d{1,3})\b[^\n]*(?:13: )?Permission denied|listen EACCES:? permission denied \S*?:(?<node>\d{1,3})\b|listen tcp \S*?:(?<go>\d{1,3}): bind: permission denied/i,
    (ask, { port, node, go }) => plain('runLowPort')(ask, { what: port ?? node ?? go }),
  ],
  [
    /(?:Read-only file system|EROFS[^\n]*?)[:,]? ?(?:\w+ )?['"]?(?<path>\/[\w./-]+)|['"]?(?<before>\/[\w./-]+)['"]?:? [^\n]*Read-only file system|Read-only file system|EROFS/i,
    (ask, { path, before }) => readOnly(ask, path ?? before ?? ''),
  ],
  [/No space left on device|ENOSPC/i, plain('runSpace', 'node')],
  [
    /(?:EADDRINUSE[^\n]*?:|(?:bind\(\)|bind|listen)[^\n]*?:|port )(?<port>\d{2,5})\b[^\n]*(?:in use)|EADDRINUSE[^\n]*?:(?<node>\d+)|Address already in use/i,
    (ask, { port, node }) => portTaken(ask, port ?? node ?? ''),
  ],
  [
    /(?:EACCES|EPERM|Permission denied|Operation not permitted|PermissionError)[^\n]*?['"]?(?<path>\/[\w./-]+)|(?<before>\/[\w./-]+)['"]?:? [^\n]*(?:permission denied|Operation not permitted)/i,
    (ask, { path, before }) => permission(ask, path ?? before ?? ''),
  ],
  [
    /(?:No such file or directory|ENOENT|FileNotFoundError|FileNotFoundException|cannot access|can't open(?: file)?|Cannot open)[^\n]*?['"]?(?<path>\/[\w./-]+)|(?<before>\/[\w./-]+)['"]?:? (?:no such file|does not exist|\(No such file)/i,
    (ask, { path, before }) => missingFile(ask, before ?? path ?? ''),
  ],
  [/leader ?election lost|lost (?:the )?lease|failed to renew lease/i, plain('runLeader', 'program')],
  [
    /database is locked|already (?:running|locked)|lock file|could not (?:obtain|acquire) lock|pid file/i,
    plain('runLock', 'program'),
  ],
];

/** Returns the line that says most: of an error, else the last. At most 300 characters. */
export function tellingLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:at |\.\.\. \d+|goroutine \d|\^|File ")/.test(line));
  const line =
    lines.findLast((each) => each.startsWith('Caused by:')) ??
    lines.find((each) => /^(?:panic|fatal error):/.test(each)) ??
    lines.findLast((each) =>
      /\b(?:error|fatal|exception|failed|failure|cannot|could not|denied|unable|panic)\b/i.test(each),
    ) ??
    lines.at(-1) ??
    '';
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/** Go's own report of a panic, with the function that it happened in. */
function goPanic(ask: Ask, text: string): Recognized | undefined {
  const what = /(?:^|\n)(?<what>panic: [^\n]+|fatal error: [^\n]+)/.exec(text)?.groups?.['what'];
  if (what === undefined) return undefined;
  const place =
    /\ngoroutine \d+ \[[^\n]*\n(?:panic\([^\n]*\n[^\n]*\n)?(?<fn>[\w./*()-]+)\([^\n]*\n\s+(?<file>\S+:\d+)/.exec(
      text,
    )?.groups;
  const all = { ...ask.values, what, fn: place?.['fn'] ?? '', file: place?.['file'] ?? '' };
  return {
    title: textOf('runPanicTitle', all),
    cause: [textOf(place ? 'runPanicAt' : 'runPanic', all)],
    next: [logs(ask), ...rollBack(ask), ...ask.it.change('runPanicFix', all)],
    origin: 'program',
  };
}

/** Returns what the last words of a program name as its cause; undefined if none is known. */
export function recognize(it: PodCase, container: ContainerCase, text: string): Recognized | undefined {
  if (text.trim() === '') return undefined;
  const ask: Ask = {
    it,
    container,
    values: { container: container.name, image: container.spec.image ?? '', node: it.node, namespace: it.namespace },
  };
  // The innermost cause of a stack trace decides; the lines above it only pass it on.
  const inner = text.slice(Math.max(0, text.lastIndexOf('Caused by:')));
  for (const words of inner === text ? [text] : [inner, text])
    for (const [pattern, explain] of recognizers) {
      const found = pattern.exec(words);
      const recognized = found && explain(ask, found.groups ?? {}, words);
      if (recognized) return recognized;
    }
  return goPanic(ask, text);
}
