/**
 * Recognizes the class of a failure in the words of any program: certificates, damaged data, licenses, clusters of
 * programs, system calls, stale files, identities, read-only servers, quotas, clocks, devices, bugs.
 */
import { type NextCommand, textOf } from '@podscope/trace/explain';
import { accountLook, accountOf } from '../cloud-rights.ts';
import { onNode } from '../runtime.ts';
import { gitFailures } from './credentials.ts';
import { errnoFailures } from './errno.ts';
import { dataPlace, mentions, origins, secureServer } from './places.ts';
import {
  type ExitCase,
  lineOf,
  logs,
  mountedSetting,
  type Recognized,
  type Recognizer,
  rollBack,
} from './recognizer.ts';
import { databaseDenies, databaseRight, denied, deniedBy } from './rights.ts';

function certificate(exit: ExitCase, text: string): Recognized {
  const { it, container, values } = exit;
  const server = secureServer(exit, text);
  const all = { ...values, host: server?.host ?? '', place: server?.place ?? '' };
  const isExpired = /expired|not yet valid|NotTimeValid/i.test(text);
  const isName =
    /valid for|doesn't match|does not match|Hostname\/IP|NameMismatch|subject alternative name|no alternative certificate subject name|IP SANs|hostname mismatch/i.test(
      text,
    );
  const show: readonly NextCommand[] = server
    ? [
        {
          why: textOf('runTlsShow', all),
          command:
            `openssl s_client -connect ${server.host}${server.host.includes(':') ? '' : ':443'} </dev/null | ` +
            'openssl x509 -noout -subject -issuer -dates -ext subjectAltName',
        },
      ]
    : [];
  return {
    title: textOf('runTlsTitle', all),
    cause: [
      textOf(isExpired ? 'runTlsExpired' : isName ? 'runTlsName' : 'runTlsCa', all),
      ...(server ? [textOf('runTlsServer', all)] : []),
    ],
    next: [
      ...show,
      ...(isExpired
        ? [
            { why: textOf('runTlsRenew', all), command: 'kubectl get certificates -A' },
            { why: textOf('runTlsClock', all), command: onNode(it, 'timedatectl') },
          ]
        : it.change(isName ? 'runTlsNameFix' : 'runTlsFix', { ...all, container: container.name })),
    ],
    origin: 'configuration',
    ...(isExpired ? { heals: true } : {}),
  };
}

const damaged =
  /corrupt|bad (?:file )?format reading|damaged|(?:checksum|CRC|crc32)[^\n]{0,40}(?:mismatch|error|fail|invalid)|(?:invalid|bad) (?:page|magic|checksum|WAL)|(?:database disk image|file) is (?:malformed|not a database)|could not locate a valid checkpoint|unexpected end of (?:file|the file|WAL)|torn (?:write|page)|truncated (?:file|record|segment|wal)|failed to (?:replay|recover)[^\n]*(?:wal|log|journal)|panic: freepages|invalid page in block/i;
/** The tools that repair data, in the words of the program that names them. */
const repairTool =
  /\b(?<tool>(?:\w+[-_])*(?:check-aof|check-rdb|resetwal|myisamchk|aria_chk|fsck|repair|elasticsearch-(?:node|shard|translog)|dbverify|db_recover|etcdutl|promtool)\b[\w-]*(?: --?fix)?)/i;

function damagedData(exit: ExitCase, text: string): Recognized | undefined {
  const { it, values } = exit;
  const place = dataPlace(exit, text);
  // Without a volume of its own, a program has no data that a repair could restore.
  if (place === undefined && !/corrupt|damaged|malformed|bad magic|truncated/i.test(text)) return undefined;
  const tool = repairTool.exec(text)?.groups?.['tool'];
  const all = {
    ...values,
    what: lineOf(text, damaged),
    volume: place?.volume ?? '',
    claim: place?.claim ?? '',
    tool: tool ?? '',
  };
  return {
    title: textOf('runDamagedTitle', all),
    cause: [textOf('runDamaged', all), ...(place?.claim === undefined ? [] : [textOf('runDataIn', all)])],
    next: [
      ...(place?.claim === undefined
        ? []
        : [{ why: textOf('runDamagedBackup', all), command: it.kubectl('get volumesnapshots') }]),
      ...(['StatefulSet', 'Deployment'].includes(it.owner.kind)
        ? [
            {
              why: textOf(tool ? 'runDamagedRepair' : 'runDamagedRepairAny', { ...all, owner: it.owner.label }),
              command: it.kubectl(`scale ${it.owner.ref} --replicas=0`),
            },
          ]
        : it.change(tool ? 'runDamagedRepair' : 'runDamagedRepairAny', all)),
      logs(exit),
    ],
    origin: 'storage',
  };
}

const peersPattern =
  /(?:waiting|waited|wait|timed? ?out|timeout|failed|unable|could not|cannot|can't)[^\n]{0,60}(?:mnesia tables|\bpeers?\b|quorum|cluster (?:nodes|members)|other (?:nodes|members)|seed nodes?|members to join)|timeout_waiting_for_tables|(?:no|lost|without|not enough|insufficient) (?:quorum|leader|masters?|members|voters)\b|master(?: node)? not discovered|cluster[_ ](?:is )?(?:not formed|unavailable|join failed)|failed to (?:join|form|bootstrap)[^\n]{0,30}cluster|Unable to contact any seeds|gcomm: failed to (?:open|reach)|failed to reach primary view|not joined[^\n]*cluster/i;

function peers(exit: ExitCase, text: string): Recognized {
  const { it, values } = exit;
  const names = new Set(
    [...text.matchAll(/(?<![\w-])(?<pod>[a-z][a-z0-9-]*-\d+)(?=\.[a-z]|['":\s,\]])/g)]
      .map(({ groups }) => groups?.['pod'] ?? '')
      .filter((name) => name !== it.name && name.replace(/-\d+$/, '') === it.name.replace(/-\d+$/, '')),
  );
  const all = {
    ...values,
    owner: it.owner.label,
    what: lineOf(text, peersPattern),
    peers: [...names].join(', '),
    tool: 'rabbitmqctl force_boot',
  };
  const isOrdered = it.owner.kind === 'StatefulSet';
  const isRabbit = /rabbit/i.test(text);
  return {
    title: textOf('runPeersTitle', all),
    cause: [
      textOf('runPeers', all),
      ...(names.size > 0 ? [textOf('runPeersNamed', all)] : []),
      ...(isOrdered ? [textOf('runPeersOrdered', all)] : []),
    ],
    next: [
      { why: textOf('runPeersPods', all), command: it.kubectl('get pods,pvc,endpointslices -o wide') },
      ...(isOrdered ? [{ why: textOf('runPeersParallel', all), command: it.kubectl(`edit ${it.owner.ref}`) }] : []),
      ...(isRabbit
        ? [
            {
              why: textOf('runPeersForce', all),
              command: it.kubectl(`exec ${it.name} -c ${values['container']} -- rabbitmqctl force_boot`),
            },
          ]
        : []),
      logs(exit),
    ],
    origin: 'network',
    heals: true,
  };
}

function systemCall(exit: ExitCase, what: string): Recognized {
  const { it, container, values } = exit;
  const profile = container.spec.securityContext?.seccompProfile ?? it.pod.spec.securityContext?.seccompProfile;
  const isLocal = profile?.type === 'Localhost';
  const all = { ...values, what, profile: profile?.localhostProfile ?? '' };
  return {
    title: textOf('runSyscallTitle', all),
    cause: [textOf(isLocal ? 'runSyscallProfile' : 'runSyscall', all)],
    next: it.change(isLocal ? 'runSyscallProfileFix' : 'runSyscallFix', all),
    origin: 'configuration',
  };
}

/** Returns a recognizer that quotes the line and uses the texts `<id>Title`, `<id>` and `<id>Fix`. */
const quoting =
  (
    id: 'runMissing' | 'runReplica' | 'runQuota' | 'runCpu' | 'runLicense' | 'runBug' | 'runGpu' | 'runSchema',
    pattern: RegExp,
    origin: Recognized['origin'],
    more: (exit: ExitCase, values: Readonly<Record<string, string>>) => readonly NextCommand[] = () => [],
  ): Recognizer[1] =>
  (exit, _groups, text): Recognized => {
    const all = { ...exit.values, what: lineOf(text, pattern) };
    const mounted = id === 'runLicense' ? mountedSetting(exit, text) : [];
    return {
      title: textOf(`${id}Title`, all),
      cause: [textOf(id, all), ...origins(exit, text)],
      next: [...more(exit, all), ...(mounted.length > 0 ? mounted : exit.it.change(`${id}Fix`, all))],
      ...(origin ? { origin } : {}),
    };
  };

const license =
  /licen[sc]e[^\n]{0,60}(?:expired?|invalid|not (?:found|valid|installed)|missing|exceeded|violation|revoked|required|could not be|fail)|(?:invalid|expired|missing|no valid|unlicensed|without a)[^\n]{0,20} licen[sc]e/i;
const missing =
  /NoSuchBucket|(?:bucket|topic|queue|index|exchange|vhost|stream|keyspace|collection|repository|branch|container)\b[^\n]{0,60}(?:does(?: not|n't) exist|not found|unknown)|index_not_found|UnknownTopicOrPartition|UNKNOWN_TOPIC_OR_PARTITION|NOT_FOUND - no (?:queue|exchange|vhost)|NonExistentQueue|ResourceNotFoundException/i;
const replica =
  /READONLY You can't write|in a read-only transaction|read[- ]only replica|--read-only option|not (?:the )?(?:primary|master)\b|NotWritablePrimary|NotMaster|is not master|super-read-only|standby mode|cannot write to a (?:replica|follower)/i;
const quota =
  /\b429\b|too many requests|rate ?limit(?:ed)?\b|quota[^\n]{0,30}exceeded|exceeded[^\n]{0,30}quota|RESOURCE_EXHAUSTED|ResourceExhausted|ThrottlingException|RequestLimitExceeded|Throttled/i;
const clock =
  /clock skew|clock is (?:not|too)|RequestTimeTooSkewed|Signature expired|token (?:is )?(?:used before issued|not valid yet|not yet valid)|is in the future|time (?:is )?(?:out of sync|drift)|synchroniz\w+ [^\n]*clock/i;
const gpu =
  /no CUDA-capable device|CUDA driver version is insufficient|NVIDIA driver on your system is too old|Found no NVIDIA driver|libcuda\.so|Failed to initialize NVML|no kernel image is available for execution|CUDA[^\n]*(?:not available|unavailable)|could not find (?:any )?(?:CUDA|GPU)|hipErrorNoDevice/i;
const cpu =
  /CPU does not support x86-64-v\d|requires? (?:a CPU with )?(?:AVX\w*|SSE4[\w.]*|x86-64-v\d)|CPU (?:type|feature)[^\n]*not supported|Illegal instruction/i;
const identity =
  /(?:unable to locate|could not (?:find|load)|no(?: valid)?|failed to (?:retrieve|find|load)|cannot find)[^\n]{0,20}(?:default )?credentials?\b(?! provided)|default credentials were not found|NoCredentialProviders|NoCredentialsError|CredentialUnavailable|DefaultAzureCredential|failed to refresh cached credentials|no EC2 IMDS role|GOOGLE_APPLICATION_CREDENTIALS|metadata(?: server|\.google)[^\n]*(?:404|not found|refused)/i;
const schema =
  /Undefined(?:Column|Table|Object|Function)|no such (?:column|table)|Unknown column|column \S+ does not exist|Invalid (?:column|object) name|ORA-009(?:42|04)|relation \S+ does not exist|Table \S+ doesn't exist|SQLSTATE\[?42/i;
const warming =
  /\bLOADING (?:Redis|Valkey|KeyDB|Dragonfly|the)\b|\b(?:database|server|system|cluster|service|node|broker|index)[^\n]{0,20}(?:is )?(?:still )?(?:starting up|starting|initializing|warming up|loading|recovering|in recovery mode|not (?:yet )?(?:ready|available|initialized))|not (?:yet )?accept(?:ing)? connections/i;
/** Matches lines in which a service answers or a program reports a failure. */
const isAnswer =
  /[Ee]rror|ERR|fatal|FATAL|[Ee]xception|[Ff]ail|[Rr]efus|cannot|can't|[Cc]ould not|[Uu]nable|unavailable|giving up|\bLOADING\b|the database system is|not (?:yet )?(?:ready|available|accepting)/;
const extension =
  /Call to undefined function (?<fn>[\w\\]+)|could not find (?<driver>driver)|Class ["'](?<type>[\w\\]+)["'] not found|(?:PHP )?extension ["']?(?<ext>\w+)["']? (?:is )?(?:not (?:loaded|installed|found|enabled)|missing)|requires? (?:the )?(?:PHP )?(?:ext-|extension )(?<needed>\w+)|Unable to load dynamic library ["'](?<lib>[^"']+)/i;

/** Explains that certificate and key can't be used, with the Secret from which they come. */
function keyPair(exit: ExitCase, text: string): Recognized {
  const { it, container, values } = exit;
  const mounted = mountedSetting(exit, text);
  const secrets = (container.spec.volumeMounts ?? []).flatMap(
    ({ name }) => it.pod.spec.volumes?.find((each) => each.name === name)?.secret?.secretName ?? [],
  );
  const all = { ...values, what: lineOf(text, /key|certificate|PEM|decrypt/i), secret: secrets[0] ?? '' };
  return {
    title: textOf('runPairTitle', all),
    cause: [textOf('runPair', all), ...origins(exit, text)],
    next:
      mounted.length > 0
        ? mounted
        : secrets.length > 0
          ? [
              { why: textOf('runPairSecret', all), command: it.kubectl(`describe secret ${secrets[0]}`) },
              ...it.change('runPairFix', all),
            ]
          : [...it.change('runPairFix', all), logs(exit)],
    origin: 'configuration',
  };
}

const leader = /leader ?election lost|lost (?:the )?lease|failed to renew lease/i;

/**
 * Explains that a controller gave up its lease. It had the lease, so it had reached the API server before: the server
 * was slow, not unreachable.
 */
function lostLease({ it, container, values }: ExitCase): Recognized {
  const limit = container.spec.resources?.limits?.['cpu'];
  const all = { ...values, limit: limit === undefined ? '' : String(limit) };
  return {
    title: textOf('runLeaderTitle', all),
    cause: [textOf('runLeader', all), ...(limit === undefined ? [] : [textOf('runLeaderThrottled', all)])],
    next: [
      { why: textOf('runLeaderApi', all), command: "kubectl get --raw '/readyz?verbose'" },
      {
        why: textOf('runLeaderDisk', all),
        command: 'kubectl get --raw /metrics | grep etcd_request_duration_seconds_sum',
      },
      { why: textOf('runLeaderNodes', all), command: 'kubectl top nodes' },
      ...(limit === undefined ? [] : it.change('runLeaderFix', all)),
    ],
    origin: 'node',
  };
}

/**
 * Explains an init container that meets the files of its first run: it runs again in a new sandbox, and the pod has
 * kept its emptyDir volumes.
 */
function leftFiles({ it, container, values }: ExitCase, text: string): Recognized | undefined {
  const { role, spec } = container;
  const isNewSandbox =
    it.events.some(({ reason }) => reason === 'SandboxChanged') ||
    it.containers.some(({ ended }) => ended?.reason === 'Unknown');
  const words = [...(spec.command ?? []), ...(spec.args ?? [])].join(' ');
  const mounts = (spec.volumeMounts ?? []).filter(({ name }) =>
    it.pod.spec.volumes?.some((volume) => volume.name === name && volume.emptyDir !== undefined),
  );
  const mount = mounts.find(({ mountPath }) => words.includes(mountPath)) ?? mounts[0];
  if (role !== 'init' || !isNewSandbox || !mount) return undefined;
  const all = { ...values, volume: mount.name, line: lineOf(text, /exists/i) };
  return {
    title: textOf('runLeftTitle', all),
    cause: [textOf('runLeft', all)],
    next: [
      ...(it.owner.replaces
        ? [{ why: textOf('runPidNew', all), command: it.kubectl(`delete pod ${it.name}`) }]
        : [{ why: textOf('runLeftAnew', all), command: it.kubectl(`get pod ${it.name} -o yaml`) }]),
      ...it.change('runLeftFix', all),
    ],
    origin: 'configuration',
  };
}

/** The recognizers that are tried before all others, because their words also match more general ones. */
export const distinctFailures: readonly Recognizer[] = [
  [databaseRight, (exit, _groups, text) => databaseDenies(exit, text)],
  ...gitFailures,
  ...errnoFailures,
  [
    /^(?![\s\S]*(?:inotify|watch))[\s\S]*(?:too many open files|EMFILE)/i,
    (exit) => ({
      title: textOf('runFilesTitle', exit.values),
      cause: [textOf('runOpen', exit.values)],
      next: [...exit.it.change('runOpenFix', exit.values), logs(exit)],
      origin: 'program',
    }),
  ],
  [
    /no pg_hba\.conf entry[^\n]*|no encryption\b|require_secure_transport|insecure transport|(?:SSL|TLS) (?:connection )?(?:is )?required|server requires? (?:SSL|TLS|encryption)|must use (?:SSL|TLS)/i,
    (exit, _groups, text) => {
      const pattern = /pg_hba|no encryption|secure transport|insecure|SSL|TLS/i;
      const all = { ...exit.values, what: lineOf(text, pattern) };
      return {
        title: textOf('runWantsTlsTitle', all),
        cause: [textOf('runWantsTls', all)],
        next: [...exit.it.change('runWantsTlsFix', all), logs(exit)],
        origin: 'configuration',
      };
    },
  ],
  [schema, quoting('runSchema', schema, 'configuration')],
  [
    /(?<call>pthread_create|clone3?|unshare|ptrace|io_uring(?:_\w+)?|userfaultfd|perf_event_open|keyctl|bpf|setns|pivot_root|mount|chroot|sched_set\w+|set_mempolicy|mbind|personality|setuid|setgid|setgroups|seteuid|setegid|prctl)\b[^\n]{0,60}(?:Operation not permitted|EPERM)/,
    (exit, { call = '' }, text) =>
      // A program that has no write permission for a file fails with the same message.
      /\/[\w.-]+\/[\w./-]+[^\n]*Operation not permitted/.test(text) && call === 'mount'
        ? undefined
        : systemCall(exit, call),
  ],
  [
    /already running[^\n]*?(?<path>\/[\w./-]+\.pid)|(?:pid ?file|PID file|lock file)[^\n]{0,20}?(?<other>\/[\w./-]+)[^\n]*(?:already exists|exists|stale|already running)|(?<last>\/[\w./-]+\.pid)[^\n]*(?:already exists|exists|stale|running)/i,
    (exit, { path, other, last }) => {
      const file = path ?? other ?? last ?? '';
      const place = dataPlace(exit, file);
      const isThere = place !== undefined && file.startsWith(place.path);
      const all = { ...exit.values, path: file, volume: place?.volume ?? '' };
      return {
        title: textOf('runPidTitle', all),
        cause: [textOf('runPid', all), ...(isThere ? [textOf('runPidVolume', all)] : [])],
        next: [
          ...exit.it.change('runPidFix', all),
          ...(isThere && place.isTemporary && exit.it.owner.replaces
            ? [{ why: textOf('runPidNew', all), command: exit.it.kubectl(`delete pod ${exit.it.name}`) }]
            : []),
        ],
        origin: 'program',
      };
    },
  ],
  [/already exists|File exists/i, (exit, _groups, text) => leftFiles(exit, text)],
  [
    /Can't locate revision identified by '?(?<revision>[\w-]+)/i,
    (exit, { revision = '' }) => {
      const all = { ...exit.values, revision };
      return {
        title: textOf('runRevisionTitle', all),
        cause: [textOf('runRevision', all)],
        next: [...exit.it.change('runRevisionFix', all), logs(exit)],
        origin: 'configuration',
      };
    },
  ],
  [leader, (exit) => lostLease(exit)],
  [
    /dial tcp (?<target>(?:10\.96\.0\.1|10\.43\.0\.1|172\.20\.0\.1|10\.100\.0\.1|10\.0\.0\.1):443)[^\n]*(?:timeout|refused|no route)|https:\/\/(?<host>(?:kubernetes\.default(?:\.svc)?|10\.\d+\.0\.1|172\.20\.0\.1)(?::443)?)[/"'][^\n]*(?:timeout|timed out|refused|no route|EOF)/i,
    ({ it, values }, { target, host }) => {
      const all = { ...values, target: target ?? host ?? '' };
      return {
        title: textOf('runApiTitle', all),
        cause: [textOf('runApi', all)],
        next: [
          {
            why: textOf('runApiNode', all),
            command:
              `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node} | ` +
              "grep -iE 'kube-proxy|cni|calico|cilium|flannel'",
          },
          { why: textOf('runPolicies', all), command: it.kubectl('get networkpolicies') },
        ],
        origin: 'network',
        heals: true,
      };
    },
  ],
  [license, quoting('runLicense', license, 'configuration')],
  [
    /OutOfMemoryError: (?<what>Metaspace|Compressed class space|(?:Cannot reserve \d+ bytes of )?[Dd]irect buffer memory)/,
    ({ it, container, values }, { what = '' }) => {
      const flag = /direct/i.test(what)
        ? '-XX:MaxDirectMemorySize'
        : /class/i.test(what)
          ? '-XX:CompressedClassSpaceSize'
          : '-XX:MaxMetaspaceSize';
      const words = [
        ...(container.spec.env ?? []).map(({ value }) => value ?? ''),
        ...(container.spec.command ?? []),
        ...(container.spec.args ?? []),
      ].join(' ');
      const set = new RegExp(`${flag}=(\\S+)`).exec(words)?.[1];
      const area = /direct/i.test(what) ? 'direct buffer memory' : what;
      const all = { ...values, area, flag, now: set === undefined ? '' : ` (${set})` };
      return {
        title: textOf('runAreaTitle', all),
        cause: [textOf('runArea', all)],
        next: it.change('runAreaFix', all),
        origin: 'program',
      };
    },
  ],
  [
    gpu,
    quoting('runGpu', gpu, 'configuration', ({ it, values }) => [
      {
        why: textOf('runGpuNode', values),
        command: `kubectl describe node ${it.node} | grep -iE 'nvidia|amd.com|gpu'`,
      },
    ]),
  ],
  [
    /Fatal glibc error: CPU|x86-64-v\d|requires? (?:a CPU with )?(?:AVX|SSE4)|CPU (?:does not|doesn't) support/i,
    quoting('runCpu', cpu, 'node'),
  ],
];

/** The recognizers that are tried after those for known programs. The first one that matches decides. */
export const generalFailures: readonly Recognizer[] = [
  [
    /private key does not match|key values mismatch|(?:load|pars|read)\w*[^\n]{0,30}(?:X509 )?(?:certificate|key ?pair|private key|PEM)|failed to find any PEM data|no start line|bad decrypt|(?:certificate|PEM|keystore)[^\n]{0,40}(?:invalid|malformed|tampered|could not be)/i,
    (exit, _groups, text) => keyPair(exit, text),
  ],
  [
    extension,
    (exit, groups, text) => {
      const path = Object.values(groups).find((each) => each !== undefined) ?? '';
      const all = { ...exit.values, path, what: lineOf(text, extension) };
      return {
        title: textOf('runExtensionTitle', all),
        cause: [textOf('runExtension', all)],
        next: [...exit.it.change('runPackageFix', all), logs(exit), ...rollBack(exit)],
        origin: 'program',
      };
    },
  ],
  [
    /x509: |certificate (?:verify failed|has expired|signed by unknown)|CERTIFICATE_VERIFY_FAILED|PKIX path building failed|SSLHandshakeException|self[- ]signed certificate|unable to get (?:local )?issuer certificate|remote certificate is invalid|UntrustedRoot|certificate (?:is not trusted|chain)|UNABLE_TO_VERIFY_LEAF_SIGNATURE|DEPTH_ZERO_SELF_SIGNED|CERT_HAS_EXPIRED|ERR_TLS_CERT_ALTNAME_INVALID|invalid peer certificate|unable to verify the first certificate|unknown ca\b|(?:SSL|TLS)[^\n]*(?:handshake|alert)[^\n]*(?:fail|bad certificate)/i,
    (exit, _groups, text) => certificate(exit, text),
  ],
  [replica, quoting('runReplica', replica, 'configuration')],
  [peersPattern, (exit, _groups, text) => peers(exit, text)],
  [
    clock,
    (exit, _groups, text) => {
      const all = { ...exit.values, what: lineOf(text, clock) };
      return {
        title: textOf('runClockTitle', all),
        cause: [textOf('runClock', all)],
        next: [{ why: textOf('runTlsClock', all), command: onNode(exit.it, 'timedatectl') }, logs(exit)],
        origin: 'node',
      };
    },
  ],
  [
    identity,
    (exit, _groups, text) => {
      const all = { ...exit.values, account: accountOf(exit.it) };
      // The webhook of Azure Workload Identity gives credentials only to pods with this label.
      const isUnlabelled =
        /azure|WorkloadIdentity/i.test(text) &&
        exit.it.pod.metadata.labels?.['azure.workload.identity/use'] !== 'true' &&
        !exit.container.spec.env?.some(({ name }) => /^AZURE_(?:CLIENT_SECRET|FEDERATED_TOKEN_FILE)$/.test(name));
      return {
        title: textOf('runIdentityTitle', all),
        cause: [textOf(isUnlabelled ? 'runIdentityAzure' : 'runIdentity', all)],
        next: [
          ...(isUnlabelled ? exit.it.change('runIdentityAzureFix', all) : []),
          accountLook(exit.it),
          ...(isUnlabelled ? [] : exit.it.change('runIdentityFix', all)),
        ],
        origin: 'configuration',
      };
    },
  ],
  [missing, quoting('runMissing', missing, 'configuration')],
  [damaged, (exit, _groups, text) => damagedData(exit, text)],
  [quota, quoting('runQuota', quota, 'network')],
  [denied, (exit, _groups, text) => deniedBy(exit, text)],
  [
    warming,
    (exit, _groups, text) => {
      const what = lineOf(text, warming);
      // A program that reports what it is loading itself says nothing about a service.
      if (!isAnswer.test(what)) return undefined;
      const all = { ...exit.values, what };
      return {
        title: textOf('runWarmingTitle', all),
        cause: [textOf('runWarming', all)],
        next: [
          ...mentions(exit, text),
          { why: textOf('runWarmingPods', all), command: exit.it.kubectl('get pods -o wide') },
        ],
        origin: 'network',
        heals: true,
      };
    },
  ],
];
