/**
 * Recognizes programs that ended because of a file, a command, a permission, a port or a lock.
 */
import { textOf } from '@podscope/trace/explain';
import { isRootNginx } from '../images/known-images.ts';
import { inImage, onNode } from '../runtime.ts';
import { dataPlace, pathsIn } from './places.ts';
import { type ExitCase, lineOf, logs, plain, type Recognized, type Recognizer, rollBack } from './recognizer.ts';

function missingFile(
  exit: ExitCase,
  path: string,
  id: 'runFile' | 'runModule' | 'runClass' | 'runLibrary' | 'runPython' | 'runPackages' = 'runFile',
): Recognized | undefined {
  // The path of an address isn't a file.
  if (path.startsWith('//')) return undefined;
  const { it, container, values } = exit;
  const mount = (container.spec.volumeMounts ?? []).find(
    ({ mountPath }) => path.startsWith(`${mountPath.replace(/\/$/, '')}/`) || path === mountPath,
  );
  const all = { ...values, path, mount: mount?.mountPath ?? '', volume: mount?.name ?? '' };
  const isMounted = mount !== undefined;
  // A module that is named without a path comes from a package manager.
  const isPackage =
    !isMounted &&
    (id === 'runPython' || id === 'runLibrary' || id === 'runPackages' || (id === 'runModule' && !/^[./]/.test(path)));
  const source = it.pod.spec.volumes?.find(({ name }) => name === mount?.name);
  const object =
    source?.secret?.secretName === undefined
      ? source?.configMap?.name === undefined
        ? undefined
        : { kind: 'ConfigMap', name: source.configMap.name }
      : { kind: 'Secret', name: source.secret.secretName };
  return {
    title: textOf('runFileTitle', all),
    cause: [textOf(id, all), ...(isMounted ? [textOf('runFileMount', all)] : [])],
    next: [
      ...(object
        ? [
            {
              why: textOf('volumeKeys', { ...all, ...object }),
              command: it.kubectl(`describe ${object.kind.toLowerCase()} ${object.name}`),
            },
          ]
        : []),
      ...(isPackage ? it.change('runPackageFix', all) : []),
      {
        why: textOf('runFileLook', all),
        command: inImage(
          it,
          container,
          id === 'runPython'
            ? 'python3 -m pip list'
            : id === 'runPackages' && /bundler|gem|rails|ruby|sidekiq|puma/i.test(JSON.stringify(container.spec))
              ? 'bundle list'
              : `ls -l ${path.startsWith('/') ? path.replace(/\/[^/]*$/, '') || '/' : '.'}`,
        ),
      },
      ...(isMounted ? it.change('runFileMountFix', all) : isPackage ? [] : it.change('runFileFix', all)),
      ...rollBack(exit),
    ],
    origin: 'program',
  };
}

function missingCommand(exit: ExitCase, program: string): Recognized {
  const { it, container, values } = exit;
  const mount = container.spec.volumeMounts?.find(
    ({ mountPath, subPath }) => subPath === undefined && program.startsWith(`${mountPath.replace(/\/$/, '')}/`),
  );
  const all = { ...values, program, mount: mount?.mountPath ?? '', volume: mount?.name ?? '' };
  const isFilled =
    mount !== undefined &&
    (it.pod.spec.initContainers ?? []).some(({ volumeMounts }) =>
      volumeMounts?.some(({ name }) => name === mount.name),
    );
  const whole = [...(container.spec.command ?? []), ...(container.spec.args ?? [])][0] ?? '';
  if (/\S\s+\S/.test(whole) && whole.startsWith(program)) return asWords(exit, whole);
  return {
    title: textOf('runCommandTitle', all),
    cause: [textOf('runCommand', all), ...(mount ? [textOf(isFilled ? 'runCommandInit' : 'runFileMount', all)] : [])],
    next: [
      {
        why: textOf('runCommandLook', all),
        command: inImage(it, container, `sh -c 'command -v ${program}'`),
      },
      ...it.change(mount ? (isFilled ? 'runCommandInitFix' : 'runCommandMountFix') : 'runCommandFix', all),
    ],
    origin: 'configuration',
  };
}

/** Explains that the runtime takes a whole command line as the name of a program. */
function asWords({ it, container, values }: ExitCase, whole: string): Recognized {
  const { command = [], args = [] } = container.spec;
  const field = command[0] === whole ? 'command' : 'args';
  const words = [...whole.trim().split(/\s+/), ...(field === 'command' ? command : args).slice(1)];
  const isShell = /[|&;<>$`*]/.test(whole);
  const fixed = isShell ? ['sh', '-c', whole] : words;
  const all = { ...values, whole, field, words: JSON.stringify(fixed) };
  return {
    title: textOf('runWordsTitle', all),
    cause: [textOf('runWords', all)],
    next: it.patch('runWordsFix', all, { [field]: fixed }, container),
    origin: 'configuration',
  };
}

/** Explains that a program can't change the owner or mode of a directory that belongs to another user. */
export function ownership(exit: ExitCase, path: string): Recognized {
  const { it, container, values } = exit;
  const mount = (container.spec.volumeMounts ?? []).find(
    ({ mountPath }) => path === mountPath || path.startsWith(`${mountPath.replace(/\/$/, '')}/`),
  );
  const { runAsUser: own, capabilities } = container.spec.securityContext ?? {};
  const user = own ?? it.pod.spec.securityContext?.runAsUser;
  const isDropped = capabilities?.drop?.some((each) => /^(?:ALL|CHOWN|FOWNER)$/.test(each)) === true;
  const isPostgres = /postgres|initdb|PGDATA/i.test(`${container.spec.image ?? ''} ${path}`);
  const below = `${path.replace(/\/$/, '')}/pgdata`;
  const all = {
    ...values,
    path,
    user: user === undefined ? '' : String(user),
    volume: mount?.name ?? '',
    value: below,
  };
  return {
    title: textOf('runOwnerTitle', all),
    cause: [
      textOf(user === undefined || user === 0 ? (isDropped ? 'runOwnerDropped' : 'runOwner') : 'runOwnerUser', all),
      ...(mount ? [textOf('runPermissionMount', all)] : []),
    ],
    next: [
      ...(isPostgres && mount
        ? it.set('runOwnerData', all, (ref) => `env ${ref} -c=${container.name} PGDATA=${below}`)
        : []),
      ...(mount && user !== undefined && user !== 0 && it.pod.spec.securityContext?.fsGroup === undefined
        ? it.patch('runOwnerGroup', all, { securityContext: { fsGroup: user } })
        : []),
      ...it.change(
        isDropped && (user === undefined || user === 0)
          ? 'runOwnerCapability'
          : container.role === 'init'
            ? 'runOwnerRoot'
            : 'runOwnerInit',
        all,
      ),
    ],
    origin: 'configuration',
  };
}

function permission(exit: ExitCase, path: string): Recognized {
  const { it, container, values } = exit;
  const mount = (container.spec.volumeMounts ?? []).find(
    ({ mountPath }) => path === mountPath || path.startsWith(`${mountPath.replace(/\/$/, '')}/`),
  );
  const source = it.pod.spec.volumes?.find(({ name }) => name === mount?.name);
  const group = it.pod.spec.securityContext?.fsGroup;
  const isObject = source?.configMap !== undefined || source?.secret !== undefined || source?.projected !== undefined;
  const user = container.spec.securityContext?.runAsUser ?? it.pod.spec.securityContext?.runAsUser;
  const all = {
    ...values,
    path,
    user: user === undefined ? '' : String(user),
    volume: mount?.name ?? '',
    group: group ?? '',
  };
  const scc = it.pod.metadata.annotations?.['openshift.io/scc'];
  return {
    title: textOf('runPermissionTitle', all),
    cause: [
      textOf(user === undefined ? 'runPermission' : 'runPermissionUser', all),
      ...(scc === undefined ? [] : [textOf('runPermissionScc', { ...all, scc })]),
      ...(mount ? [textOf('runPermissionMount', all)] : []),
      ...(mount && !isObject && group !== undefined ? [textOf('runPermissionIgnored', all)] : []),
    ],
    next: isObject
      ? it.change('runPermissionMode', all)
      : mount
        ? group !== undefined
          ? it.change('runPermissionOwner', all)
          : user === undefined || user === 0
            ? it.change('runPermissionGroup', all)
            : it.patch('runPermissionGroup', all, { securityContext: { fsGroup: user } })
        : isRootNginx(container.spec.image)
          ? it.change('runPermissionNginx', all)
          : it.change(scc === undefined ? 'runPermissionFix' : 'runPermissionSccFix', all),
    origin: 'configuration',
  };
}

const volumeName = (directory: string): string =>
  `writable-${directory
    .slice(1)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')}`.slice(0, 63);

/** Matches the change of a file that exists already, as in the start script of an image. */
const changesOwnFile =
  /\bch(?:mod|own|grp): |changing (?:permissions|ownership|group) of|couldn't open temporary file|\bsed: (?:can't|cannot) /;

function readOnly(exit: ExitCase, path: string, text: string): Recognized {
  const { it, container, values } = exit;
  const isSet = container.spec.securityContext?.readOnlyRootFilesystem === true;
  const mount = (container.spec.volumeMounts ?? []).find(
    ({ mountPath, readOnly: only }) => only && path.startsWith(mountPath),
  );
  const parent = path.startsWith('/') ? path.replace(/\/[^/]*$/, '') || path : '';
  // nginx writes its process id and the bodies of requests besides the path that it names.
  const others = /nginx/i.test(`${container.spec.image ?? ''} ${path}`)
    ? ['/var/cache/nginx', '/var/run', '/tmp']
    : ['/tmp'];
  const isMounted = (each: string): boolean =>
    (container.spec.volumeMounts ?? []).some(({ mountPath }) => mountPath === each);
  const directories = [...new Set([parent, ...others])].filter(
    (each, index, list) =>
      each !== '' &&
      !isMounted(each) &&
      !list.some((other, at) => at !== index && other !== '' && each.startsWith(`${other}/`)),
  );
  const all = { ...values, path, directory: directories.join(', ') || path, volume: mount?.name ?? '' };
  if (isSet && !mount && changesOwnFile.test(text))
    return {
      title: textOf('runReadOnlyTitle', all),
      cause: [textOf('runReadOnly', all), textOf('runReadOnlyOwn', { ...all, parent })],
      next: it.patch('runReadOnlyOff', all, { securityContext: { readOnlyRootFilesystem: false } }, container),
      origin: 'configuration',
    };
  if (path === '' && !isSet)
    return {
      title: textOf('runReadOnlySomeTitle', all),
      cause: [textOf('runReadOnlySome', { ...all, line: lineOf(text, /read-only file system|EROFS/i) })],
      next: [logs(exit), ...it.change('runReadOnlySomeFix', all)],
      origin: 'configuration',
    };
  return {
    title: textOf('runReadOnlyTitle', all),
    cause: [textOf(mount ? 'runReadOnlyMount' : isSet ? 'runReadOnly' : 'runReadOnlyAny', all)],
    next:
      mount || directories.length === 0
        ? it.change(mount ? 'runReadOnlyMountFix' : 'runReadOnlyFix', all)
        : it.patch('runReadOnlyFix', all, {
            volumes: directories.map((each) => ({ name: volumeName(each), emptyDir: {} })),
            [container.role === 'main' ? 'containers' : 'initContainers']: [
              {
                name: container.name,
                volumeMounts: directories.map((each) => ({ name: volumeName(each), mountPath: each })),
              },
            ],
          }),
    origin: 'configuration',
  };
}

function noSpace(exit: ExitCase, _groups: Readonly<Record<string, string | undefined>>, text: string): Recognized {
  const { it, values } = exit;
  const place = dataPlace(exit, text);
  if (place?.claim === undefined) return plain('runSpace', 'node')(exit, {});
  const all = { ...values, claim: place.claim, path: place.path, volume: place.volume, owner: it.owner.label };
  return {
    title: textOf('runSpaceTitle', all),
    cause: [textOf('runSpaceClaim', all)],
    next: [
      // An operator enlarges the claims that it makes.
      ...(it.owner.isCustom ? it.change('runSpaceOwner', all) : []),
      ...(it.owner.isCustom
        ? []
        : [
            {
              why: textOf('runSpaceGrow', all),
              command: it.kubectl(
                `patch pvc ${place.claim} -p '{"spec":{"resources":{"requests":{"storage":"SIZE"}}}}'`,
              ),
            },
          ]),
      { why: textOf('runSpaceShow', all), command: it.kubectl(`describe pvc ${place.claim}`) },
    ],
    origin: 'configuration',
  };
}

/** Returns the port below 1024 that a text, a variable, an argument or the spec names for the container. */
function lowPort({ container: { spec } }: ExitCase, text: string): string | undefined {
  const words = [
    text,
    ...(spec.env ?? []).map(({ name, value = '' }) => (/PORT|URL|ADDR|LISTEN|BIND/i.test(name) ? `:${value}` : value)),
    ...(spec.args ?? []),
    ...(spec.command ?? []),
    ...(spec.ports ?? []).map(({ containerPort }) => `:${containerPort}`),
  ];
  return words
    .flatMap((word) => /(?::|port[= ])(?<port>\d{1,4})(?![\d.:])/i.exec(word)?.groups?.['port'] ?? [])
    .find((port) => Number(port) > 0 && Number(port) < 1_024);
}

/** Explains that a program may not listen on a port below 1024. If a variable sets the port, the remedy changes it. */
function lowPortCause(exit: ExitCase, port: string): Recognized {
  const { it, container, values } = exit;
  const other = String(Number(port) + 8_000);
  const isPort = new RegExp(`(?<![\\d.])${port}(?![\\d.])`);
  const variable = (container.spec.env ?? []).find(({ value = '' }) => isPort.test(value));
  const fixed = plain('runLowPort')(exit, { what: port });
  if (!variable) return fixed;
  const value = (variable.value ?? '').replace(isPort, other);
  return {
    ...fixed,
    next: it.set(
      'runLowPortEnv',
      { ...values, variable: variable.name, value, port, other },
      (ref) => `env ${ref} -c=${container.name} '${variable.name}=${value}'`,
    ),
  };
}

function portTaken(exit: ExitCase, given: string): Recognized {
  const { it, container, values } = exit;
  const port = given || String(container.spec.ports?.[0]?.containerPort ?? '');
  const others = it.containers.filter(
    ({ name, spec, role }) =>
      name !== container.name &&
      role !== 'init' &&
      spec.ports?.some(({ containerPort }) => String(containerPort) === port),
  );
  const isPort = (word: string): boolean => new RegExp(`(?<!\\d)${port}(?!\\d)`).test(word);
  const argument =
    port === '' ? undefined : [...(container.spec.args ?? []), ...(container.spec.command ?? [])].find(isPort);
  const variable = port === '' ? undefined : (container.spec.env ?? []).find(({ value = '' }) => isPort(value));
  const place = argument ?? (variable ? `env ${variable.name}=${variable.value ?? ''}` : '');
  const all = { ...values, port, other: others.map(({ name }) => name).join(', ') };
  return {
    title: textOf('runPortTitle', all),
    cause: [textOf(it.pod.spec.hostNetwork ? 'runPortHost' : others.length > 0 ? 'runPortOther' : 'runPortTaken', all)],
    next: [
      ...(it.pod.spec.hostNetwork ? [{ why: textOf('startPortLook', all), command: onNode(it, 'ss -lntup') }] : []),
      ...it.change(place === '' ? (others.length > 0 ? 'runPortFixOther' : 'runPortFix') : 'runPortFixPlace', {
        ...all,
        place,
      }),
    ],
    origin: 'configuration',
  };
}

const executableMode = 0o755;

/**
 * Returns the ConfigMap or Secret that a path of the container comes from, the mode of its files, and the volume with a
 * mode that lets them be executed; undefined for another path, or if the mode already does.
 */
function sourceOf(
  { it, container }: ExitCase,
  path: string,
):
  | { readonly volume: string; readonly object: string; readonly mode: number; readonly executable: object }
  | undefined {
  const mount = container.spec.volumeMounts?.find(({ mountPath }) => path.startsWith(mountPath));
  const { name = '', configMap, secret } = it.pod.spec.volumes?.find((each) => each.name === mount?.name) ?? {};
  const { defaultMode: mode = 0o644 } = configMap ?? secret ?? {};
  if ((!configMap && !secret) || (mode & 0o111) !== 0) return undefined;
  return {
    volume: name,
    object: configMap ? `ConfigMap ${configMap.name}` : `Secret ${secret?.secretName}`,
    mode,
    executable: configMap
      ? { name, configMap: { name: configMap.name, defaultMode: executableMode } }
      : { name, secret: { secretName: secret?.secretName, defaultMode: executableMode } },
  };
}

/**
 * The recognizers for interpreters, missing files and commands, permissions, ports and locks. The first one that
 * matches decides.
 */
export const fileCauses: readonly Recognizer[] = [
  [/env: ['‘"]?(?:\S+?)\\r|\$'\\r'|bad interpreter|\^M/i, plain('runCrlf', 'program')],
  [/GLIBC_[\d.]+' not found|version `\S+' not found|symbol not found|Error relocating/i, plain('runLibc', 'program')],
  [
    /exec user process caused:? "?no such file or directory|(?:^|\n)exec (?<path>\/\S+): no such file or directory/i,
    (exit, { path }) => {
      const { it, container, values } = exit;
      const program = path ?? container.spec.command?.[0] ?? 'ENTRYPOINT';
      const all = { ...values, path: program };
      return {
        title: textOf('runStartFileTitle', all),
        cause: [textOf('runStartFile', all)],
        next: [
          {
            why: textOf('runStartFileLook', all),
            command: inImage(it, container, `head -n 1 ${program}`),
          },
          ...it.change('runStartFileFix', all),
          ...rollBack(exit),
        ],
        origin: 'program',
      };
    },
  ],
  [
    /Could not load file or assembly '(?<path>[^',]+)|cannot load such file -- (?<ruby>\S+)/,
    (exit, { path, ruby }) => missingFile(exit, path ?? ruby ?? '', 'runLibrary'),
  ],
  [
    /Missing script: "?(?<script>[\w:.-]+)|error Command "(?<yarn>[^"]+)" not found/,
    (exit, { script, yarn }) => {
      const all = { ...exit.values, script: script ?? yarn ?? '' };
      return {
        title: textOf('runScriptTitle', all),
        cause: [textOf('runScript', all)],
        next: [...exit.it.change('runScriptFix', all), ...rollBack(exit)],
        origin: 'configuration',
      };
    },
  ],
  [
    /error while loading shared libraries: (?<lib>\S+?):/i,
    (exit, { lib = '' }) => missingFile(exit, lib, 'runLibrary'),
  ],
  [
    /Cannot find (?:module|package) ['"](?<path>[^'"]+)['"]|Error: Cannot find module (?<other>\S+)/i,
    (exit, { path, other }) => missingFile(exit, (path ?? other ?? '').replaceAll(/['"]/g, ''), 'runModule'),
  ],
  [
    /Could not find (?:gem )?['"]?(?<gems>[a-z][\w.-]*(?:, [\w.-]+)*)['"]?[^\n]* in (?:locally installed gems|any of the (?:gem )?sources|rubygems)|PackageNotFoundError: (?:No package metadata was found for )?(?<metadata>[\w.-]+)|DistributionNotFound: The '(?<python>[^']+)'|there is no package called [‘'"](?<r>[\w.]+)|Can't locate (?<perl>[\w/]+\.pm) in @INC|Failed opening required '(?<php>[^']*vendor\/autoload\.php)'/,
    (exit, { gems, metadata, python, r, perl, php }) =>
      missingFile(
        exit,
        gems ?? metadata ?? python ?? r ?? perl?.replace(/\.pm$/, '').replaceAll('/', '::') ?? php ?? '',
        'runPackages',
      ),
  ],
  [/No module named ['"]?(?<path>[\w.]+)/i, (exit, { path = '' }) => missingFile(exit, path, 'runPython')],
  [
    /Could not find or load main class (?<path>\S+)|(?:ClassNotFoundException|NoClassDefFoundError): (?<other>\S+)|Unable to access jarfile (?<jar>\S+)/i,
    (exit, { path, other, jar }) => missingFile(exit, path ?? other ?? jar ?? '', 'runClass'),
  ],
  [
    /exec: "(?<exec>[^"]+)": (?:executable file not found|stat [^\n]*no such file)|executable file [`'"]?(?<crun>[^\s`'"]+)[`'"]? not found|(?:^|\n|\d+: |line \d+: )(?:(?:ba|da|a|z)?sh: (?:\d+: |line \d+: )?|\/bin\/(?:ba|da|a)?sh: (?:\d+: |line \d+: )?|\S+\.sh: (?:line )?\d+: )(?<program>[\w./-]+): (?:command )?not found|(?<other>[\w./-]+): command not found|env: ['‘"]?(?<env>[\w./-]+)['’"]?: No such file/i,
    (exit, { exec, crun, program, other, env }) => missingCommand(exit, exec ?? crun ?? program ?? other ?? env ?? ''),
  ],
  [
    /exec: "(?<path>[^"]+)": permission denied|(?:^|\s)(?<script>\/[\w./-]+): Permission denied/i,
    (exit, { path, script }, all) => {
      const { it, values } = exit;
      const name = path ?? script ?? '';
      const isExec = path !== undefined || /sh: |\bexec\b/.test(all);
      if (!isExec) return permission(exit, name);
      const source = sourceOf(exit, name);
      const all2 = {
        ...values,
        path: name,
        volume: source?.volume ?? '',
        object: source?.object ?? '',
        mode: source?.mode.toString(8).padStart(4, '0') ?? '',
      };
      return {
        title: textOf('runExecTitle', all2),
        cause: [textOf(source ? 'runExecMap' : 'runExec', all2)],
        next: [
          ...(source
            ? it.patch('runExecMode', all2, { volumes: [source.executable] })
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
        origin: source ? 'configuration' : 'program',
      };
    },
  ],
  [
    /bind\(\)? (?:to )?\S*?:(?<port>\d{1,3})\b[^\n]*(?:13: )?Permission denied|listen EACCES:? permission denied \S*?:(?<node>\d{1,3})\b|listen tcp \S*?:(?<go>\d{1,3}): bind: permission denied/i,
    (exit, { port, node, go }) => lowPortCause(exit, port ?? node ?? go ?? ''),
  ],
  [
    /SocketException \(13\)|(?:bind|listen)\w*[^\n]{0,120}(?:permission denied|EACCES|access denied)|(?:permission denied|EACCES|Errno 13)[^\n]{0,60}(?:bind|listen|address|port)/i,
    (exit, _groups, text) => {
      const port = lowPort(exit, text);
      return port === undefined ? undefined : lowPortCause(exit, port);
    },
  ],
  [
    /(?:Read-only file system|EROFS[^\n]*?)[:,]? ?(?:\w+ )?['"]?(?<path>\/[\w./-]+)|['"]?(?<before>\/[\w./-]+)['"]?:? [^\n]*Read-only file system|Read-only file system|EROFS/i,
    (exit, { path, before }, text) => readOnly(exit, path ?? before ?? '', text),
  ],
  [
    /No space left on device|ENOSPC|disk quota exceeded|EDQUOT|low[- ]disk[- ]space|disk (?:is |usage )?(?:full|exceeded)|(?:insufficient|not enough|out of|no) (?:free )?disk(?: space)?\b|free disk space (?:is )?(?:too )?low/i,
    noSpace,
  ],
  [
    /(?:EADDRINUSE[^\n]*?:|(?:bind\(\)|bind|listen)[^\n]*?:|port )(?<port>\d{2,5})\b[^\n]*(?:in use)|EADDRINUSE[^\n]*?:(?<node>\d+)|Address already in use/i,
    (exit, { port, node }) => portTaken(exit, port ?? node ?? ''),
  ],
  [
    /(?:ch(?:own|mod|grp)|chang(?:e|ing) (?:the )?(?:ownership|owner|permissions|mode|group)|could not change permissions|Lchown)[^\n]*?['"‘`]?(?<path>\/[\w./-]+)[^\n]*(?:Operation not permitted|EPERM)/i,
    (exit, { path = '' }) => ownership(exit, path),
  ],
  [
    /(?:EACCES|EPERM|Permission denied|Operation not permitted|PermissionError)[^\n]*?['"]?(?<path>\/[\w./-]+)|(?<before>\/[\w./-]+)['"]?[:,]? [^\n]*(?:permission denied|Operation not permitted|eacces|eperm)/i,
    (exit, { path, before }) => permission(exit, path ?? before ?? ''),
  ],
  [
    /PermissionDenied|os error 13|Permission denied|Errno 13/i,
    (exit, _groups, text) => {
      const place = dataPlace(exit, text);
      return place && permission(exit, pathsIn(text).findLast((each) => each.startsWith(place.path)) ?? place.path);
    },
  ],
  [
    /(?<early>\/[\w./-]+\/[\w-]+\.\w+)['"]?[^\n]{1,160}No such file or directory/i,
    (exit, { early = '' }) => missingFile(exit, early),
  ],
  [
    /(?:No such file or directory|ENOENT|FileNotFoundError|FileNotFoundException|cannot access|can't open(?: file)?|Cannot open)[^\n]*?['"]?(?<path>\/[\w./-]+)|(?<before>\/[\w./-]+)['"]?:? (?:no such file|does not exist|\(No such file)/i,
    (exit, { path, before }) => missingFile(exit, before ?? path ?? ''),
  ],
  [
    /database is locked|already (?:running|locked)|lock file|could not (?:obtain|acquire) lock|pid file/i,
    plain('runLock', 'program'),
  ],
];
