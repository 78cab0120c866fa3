/**
 * Recognizes failures of known programs and runtimes whose words mislead general patterns: an image that isn't built as
 * its program needs, a database without the expected schema, files with too many rights, a user without a home.
 */
import { type NextCommand, textOf } from '@podscope/trace/explain';
import { onNode } from '../runtime.ts';
import { dataPlace, origins, pathsIn } from './places.ts';
import { type ExitCase, logs, mountedSetting, type Recognized, type Recognizer, rollBack } from './recognizer.ts';

/** The prefixes of the texts: `<id>Title`, `<id>` and `<id>Fix`. */
type Id =
  | 'knownApi'
  | 'knownBuild'
  | 'knownSchema'
  | 'knownUpgrade'
  | 'knownOpen'
  | 'knownHome'
  | 'knownSysctl'
  | 'knownTables'
  | 'knownLoop'
  | 'knownKubelet'
  | 'knownEtcd'
  | 'knownVm'
  | 'knownFound'
  | 'knownShared'
  | 'knownGpu'
  | 'knownRedis'
  | 'knownMoved'
  | 'knownSealed'
  | 'knownTrust'
  | 'knownGated'
  | 'knownObject'
  | 'knownConfig';

/** Where the remedy of a failure acts first. */
type Remedy = 'image' | 'setting' | 'template' | 'own';

/** Returns the lines of a match as one line, cut to 300 characters. */
function said(text: string, pattern: RegExp): string {
  const found = pattern.exec(text);
  if (found === null) return '';
  const from = text.lastIndexOf('\n', found.index) + 1;
  const to = text.indexOf('\n', found.index + found[0].length);
  return text
    .slice(from, to < 0 ? undefined : to)
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
    .slice(0, 300);
}

function known(
  id: Id,
  pattern: RegExp,
  remedy: Remedy,
  origin: NonNullable<Recognized['origin']>,
  more: (exit: ExitCase, values: Readonly<Record<string, string>>) => readonly NextCommand[] = () => [],
): Recognizer {
  return [
    pattern,
    (exit, groups, text): Recognized | undefined => {
      const place = dataPlace(exit, text);
      // The path of a volume isn't a home; its owner and mode are what matters.
      if (id === 'knownHome' && pathsIn(text).some((each) => each.startsWith(place?.path ?? '//'))) return undefined;
      const path = groups['path'] ?? place?.path ?? '';
      const all = {
        ...exit.values,
        what: said(text, pattern),
        path,
        resource: groups['resource'] ?? '',
        name: groups['name'] ?? '',
        volume: place?.volume ?? '',
        account: exit.it.pod.spec.serviceAccountName ?? 'default',
      };
      const mounted = remedy === 'setting' ? mountedSetting(exit, text) : [];
      return {
        title: textOf(`${id}Title`, all),
        cause: [textOf(id, all), ...origins(exit, text)],
        next: [
          ...more(exit, all),
          ...(mounted.length > 0 ? mounted : remedy === 'own' ? [] : exit.it.change(`${id}Fix`, all)),
          ...(remedy === 'image' ? rollBack(exit) : []),
          ...(remedy === 'template' ? [logs(exit)] : []),
        ],
        origin,
      };
    },
  ];
}

/** Messages of runtimes about an image that lacks something, or whose parts don't fit together. */
const build = new RegExp(
  [
    String.raw`Framework: '[\w.]+', version '[^']+'[^\n]*`,
    String.raw`ERR_REQUIRE_ESM[^\n]*`,
    String.raw`ERR_PACKAGE_PATH_NOT_EXPORTED[^\n]*`,
    'Cannot use import statement outside a module',
    String.raw`NODE_MODULE_VERSION \d+`,
    'invalid ELF header|wrong ELF class',
    String.raw`(?:NoSuchMethodError|NoSuchFieldError|AbstractMethodError|IncompatibleClassChangeError): `,
    'ImportError: cannot import name ',
    'no main manifest attribute',
    String.raw`Query engine library for current platform|Unable to require\([^\n]*libquery_engine`,
    'cannot find the required .?libssl',
    'find a valid ICU package',
    "doesn't seem to be present in your lockfile|ERR_PNPM_OUTDATED_LOCKFILE",
    String.raw`SyntaxError: (?:Unexpected (?:token|identifier|reserved word)|invalid syntax|f-string)(?![^\n]*JSON)`,
    String.raw`undefined symbol: \w+`,
  ].join('|'),
);

const schema =
  /PendingMigrationError|Migrations are pending|You have \d+ unapplied migration|[Tt]arget database is not up to date|database (?:schema )?(?:is )?(?:not up[- ]to[- ]date|out ?dated|needs? (?:to be )?(?:migrated|upgraded))|Schema-validation: missing|Please (?:first )?run [^\n]{0,40}migrat|There are pending migrations|need to initialize the database|run `?airflow db/;

const open =
  /(?:must be accessible by owner only|permissions? [^\n]{0,60}(?:too open|too permissive)|has (?:group or world|invalid|insecure|world) (?:access|permissions)|UNPROTECTED PRIVATE KEY|World-writable config file|insecure permissions)/i;

/** Matches iptables' words about a table or module that the kernel lacks, not those about missing rights. */
const tables =
  /(?:can't initialize ip6?tables table|unable to initialize table|ip6?tables(?:-restore|-legacy|-nft)?[^\n]*(?:[Tt]able does not exist|line \d+ failed|RULE_APPEND failed|No chain\/target\/match|Extension \w+[^\n]*not supported))(?![^\n]*(?:Permission denied|must be root|not permitted))[^\n]*/;

/** The recognizers, which are tried before all others. The first one that matches decides. */
export const knownFailures: readonly Recognizer[] = [
  [
    /(?<what>(?:Error loading ASGI app[^\n]*|Failed to find (?:attribute|application)[^\n]*|Failed to parse [^\n]* as an attribute name[^\n]*|Unable to load celery application[^\n]*|Could not (?:locate a|import) Flask application[^\n]*|While importing '[^']+', an ImportError[^\n]*|Failed to find Flask application[^\n]*))/,
    (exit, { what = '' }) => {
      const { it, container, values } = exit;
      const { attribute, module } =
        /[Aa]ttribute ["'](?<attribute>[^"']+)["'](?: not found)? in (?:module )?["'](?<module>[^"']+)["']/.exec(what)
          ?.groups ?? {};
      const words = [...(container.spec.command ?? []), ...(container.spec.args ?? [])];
      const target = words.find((word) => /^[\w.]+:\w[\w.()]*$/.test(word)) ?? '';
      const all = { ...values, what, attribute: attribute ?? '', module: module ?? '', target };
      return {
        title: textOf('knownTargetTitle', all),
        cause: [
          textOf(attribute === undefined ? 'knownTarget' : 'knownTargetAttribute', all),
          ...(target === '' ? [] : [textOf('knownTargetSet', all)]),
        ],
        next: [...it.change('knownTargetFix', all), ...rollBack(exit)],
        origin: 'configuration',
      };
    },
  ],
  [
    /(?:^|[\s"':])(?<resource>pods|jobs\.batch) \\?"(?<name>[\w.-]+)\\?" already exists/,
    (exit, { resource = '', name = '' }) => {
      const { it } = exit;
      const all = { ...exit.values, resource, name };
      return {
        title: textOf('knownLeftTitle', all),
        cause: [textOf('knownLeft', all)],
        next: [
          { why: textOf('knownLeftLook', all), command: it.kubectl(`describe ${resource} ${name}`) },
          { why: textOf('knownLeftDelete', all), command: it.kubectl(`delete ${resource} ${name}`) },
          logs(exit),
        ],
        origin: 'configuration',
        heals: true,
      };
    },
  ],
  [
    /find a valid ICU package/,
    (exit) => {
      const { it, container, values } = exit;
      const all = { ...values, variable: 'DOTNET_SYSTEM_GLOBALIZATION_INVARIANT' };
      return {
        title: textOf('knownBuildTitle', all),
        cause: [textOf('knownIcu', all)],
        next: [
          ...it.change('knownIcuFix', all),
          ...it.set('knownIcuOff', all, (ref) => `env ${ref} -c=${container.name} ${all.variable}=1`),
          ...rollBack(exit),
        ],
        origin: 'program',
      };
    },
  ],
  [
    /jobs\.batch \\?"(?<name>[\w.-]+)\\?" not found/,
    (exit, { name = '' }) => {
      const { it } = exit;
      const all = { ...exit.values, resource: 'Job', name };
      const { manager } = it.owner;
      return {
        title: textOf('knownObjectTitle', all),
        cause: [textOf('knownGone', all)],
        next: [
          { why: textOf('knownObjectLook', all), command: it.kubectl('get jobs') },
          {
            why: textOf('knownJobAgain', all),
            command:
              manager?.tool === 'Helm'
                ? `helm get all ${manager.name} -n ${it.namespace} | grep -n -A 20 'kind: Job'`
                : it.kubectl('get cronjobs,jobs -o wide'),
          },
          ...it.change('knownObjectFix', all),
        ],
        origin: 'configuration',
        heals: true,
      };
    },
  ],
  known(
    'knownApi',
    /no matches for kind \\?"\w+\\?" in version \\?"(?:extensions|apps|batch|policy|autoscaling|(?:networking|rbac\.authorization|storage|admissionregistration|apiextensions|coordination|discovery|scheduling|node|certificates|flowcontrol\.apiserver)\.k8s\.io)\/v\d+(?:alpha|beta)\d+|the server could not find the requested resource(?! \()|the server doesn't have a resource type/,
    'template',
    'configuration',
    (_exit, values) => [{ why: textOf('knownApiLook', values), command: 'kubectl api-versions' }],
  ),
  known('knownBuild', build, 'image', 'program'),
  known('knownSchema', schema, 'template', 'configuration', rollBack),
  known(
    'knownUpgrade',
    /required feature flag not enabled|must be enabled before upgrading|upgrade (?:path|from) [^\n]*(?:not supported|skip)|(?:skip|jump)\w* (?:a )?(?:major|minor) version/i,
    'template',
    'configuration',
    rollBack,
  ),
  known('knownOpen', open, 'template', 'configuration'),
  known(
    'knownHome',
    /(?:EACCES|EPERM|[Pp]ermission denied|Errno 13|operation not permitted)[^\n]{0,80}['"‘ ](?<path>\/(?:\.[a-z][\w.-]*|nonexistent[\w./-]*|home\/[\w.-]+))(?=['"’/:\s)]|$)|(?:path|mkdir|create directory|creating)[: ]+['"‘]?(?<dir>\/\.[a-z][\w.-]*)(?=[\s'"’/:]|$)[\s\S]{0,80}(?:EACCES|-13|[Pp]ermission denied)/,
    'template',
    'configuration',
  ),
  known(
    'knownSysctl',
    /(?<path>\/(?:proc\/sys|sys)\/[\w./-]+)['"]?:? [^\n]*(?:[Pp]ermission denied|[Rr]ead-only file system)|(?:EACCES|EROFS|[Pp]ermission denied|[Rr]ead-only file system)[^\n]*['" ](?<other>\/(?:proc\/sys|sys)\/[\w./-]+)|sysctl: (?:error )?setting key ["'][\w./]+["'][^\n]*|sysctl: [^\n]*(?:[Pp]ermission denied|[Rr]ead-only file system)[^\n]*/,
    'template',
    'configuration',
    ({ it, container }, values) =>
      container.role === 'init'
        ? it.patch('knownSysctlInit', values, { securityContext: { privileged: true } }, container)
        : [],
  ),
  known('knownTables', tables, 'own', 'node', ({ it, container: { name } }, values) => [
    {
      why: textOf('knownTablesFix', values),
      command: onNode(it, 'modprobe -a ip_tables iptable_nat iptable_mangle ip6table_nat xt_REDIRECT xt_owner'),
    },
    ...(/^(?:istio|linkerd)-init$/.test(name)
      ? [{ why: textOf('knownTablesPlugin', values), command: 'kubectl get daemonsets -A | grep -i cni' }]
      : []),
  ]),
  known('knownLoop', /plugin\/loop: Loop \([^\n]*\) detected for zone/, 'template', 'node', ({ it }, values) => [
    { why: textOf('knownLoopMap', values), command: it.kubectl('edit configmap coredns') },
  ]),
  known(
    'knownKubelet',
    /https?:\/\/[\w.-]+:10250\/[^\n]*(?:x509|certificate)|(?:x509|certificate)[^\n]*:10250/,
    'template',
    'configuration',
    (_exit, values) => [{ why: textOf('knownKubeletRequests', values), command: 'kubectl get csr' }],
  ),
  known(
    'knownEtcd',
    /mvcc: database space exceeded|alarm:NOSPACE/,
    'template',
    'storage',
    ({ it, container }, values) =>
      ['alarm list', 'defrag', 'alarm disarm'].map((words) => ({
        why: textOf(
          words === 'defrag' ? 'knownEtcdDefrag' : words === 'alarm list' ? 'knownEtcdList' : 'knownEtcdDisarm',
          values,
        ),
        command: it.kubectl(`exec ${it.name} -c ${container.name} -- etcdctl ${words}`),
      })),
  ),
  known(
    'knownVm',
    /Error occurred during initialization of VM\n[^\n]+|Unrecognized VM option[^\n]*|Invalid (?:maximum|initial|minimum) heap size[^\n]*|Conflicting collector combinations[^\n]*/,
    'setting',
    'configuration',
  ),
  known('knownFound', /lost\+found/, 'template', 'configuration'),
  known(
    'knownShared',
    /shared memory segment[^\n]*No space left|out of shared memory\. Please try to raise|\/dev\/shm[^\n]*(?:No space left|too small|insufficient)|insufficient shared memory/i,
    'own',
    'configuration',
    ({ it, container }, values) =>
      it.patch('knownSharedFix', values, {
        volumes: [{ name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }],
        [container.role === 'main' ? 'containers' : 'initContainers']: [
          { name: container.name, volumeMounts: [{ name: 'shared-memory', mountPath: '/dev/shm' }] },
        ],
      }),
  ),
  known(
    'knownGpu',
    /CUDA out of memory|CUDA error: out of memory|cudaErrorMemoryAllocation|CUDA_ERROR_OUT_OF_MEMORY|No available memory for the cache blocks|larger than the maximum number of tokens that can be stored in KV cache/,
    'template',
    'configuration',
  ),
  known(
    'knownRedis',
    /OOM command not allowed when used memory|MISCONF Redis is configured|CLUSTERDOWN |MASTERDOWN |NOREPLICAS /,
    'template',
    'network',
    ({ it }, values) => [{ why: textOf('knownRedisLook', values), command: it.kubectl('get pods,pvc -o wide') }],
  ),
  known('knownMoved', /\bMOVED \d+ [\d.]+:\d+/, 'template', 'configuration'),
  known('knownSealed', /Vault is sealed/, 'template', 'network', (_exit, values) => [
    { why: textOf('knownSealedLook', values), command: "kubectl get pods -A -o wide | grep -iE 'NAME|vault'" },
  ]),
  known(
    'knownTrust',
    /Not authorized to perform:? sts:AssumeRoleWithWebIdentity|AccessDenied\) when calling the AssumeRoleWithWebIdentity/,
    'template',
    'configuration',
    ({ it }, values) => [
      {
        why: textOf('knownTrustLook', values),
        command: it.kubectl(`get serviceaccount ${values['account'] ?? 'default'} -o yaml`),
      },
    ],
  ),
  known(
    'knownGated',
    /GatedRepoError|Cannot access gated repo[^\n]*|Repository Not Found for url: https:\/\/huggingface/,
    'template',
    'configuration',
    ({ it }, values) => [{ why: textOf('knownGatedLook', values), command: it.kubectl('get secrets') }],
  ),
  known(
    'knownObject',
    /(?:^|[\s"':])(?<resource>(?:[a-z]+\.(?:[a-z0-9-]+\.)+[a-z]+|configmaps|secrets|namespaces|services|serviceaccounts|leases|nodes|deployments|statefulsets|ingressclasses|storageclasses)) \\?"(?<name>[\w.-]+)\\?" not found/,
    'template',
    'configuration',
    (_exit, values) => [
      {
        why: textOf('knownObjectLook', values),
        command: `kubectl get ${values['resource'] ?? ''} -A | grep -E 'NAME|${values['name'] ?? ''}'`,
      },
    ],
  ),
  known(
    'knownConfig',
    /\[emerg\] (?!host not found|open\(\)|cannot load|bind\(\)|mkdir\(\)|socket\(\))[^\n]* in \/[\w./-]+:\d+|Config File "[^"]+" Not Found in|could not find config(?:uration)? file/,
    'setting',
    'configuration',
  ),
];
