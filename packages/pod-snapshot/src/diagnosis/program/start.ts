/**
 * Recognizes why a runtime can't start a container: memory, mounts, devices, control groups, users, ports. Knows the
 * messages of runc, crun, containerd, CRI-O and Docker.
 */
import { type NextCommand, textOf } from '@podscope/trace/explain';
import { memoryLimit, setLimit } from '../memory-limit.ts';
import { journalUnits, onNode } from '../runtime.ts';
import { type ExitCase, type Recognized, type Recognizer } from './recognizer.ts';

/** Returns the end of a runtime's message. The end names the cause; the beginning only repeats which call failed. */
export function innermost(text: string): string {
  const line = text.trim().split('\n').at(-1) ?? '';
  const end =
    /(?:unable to start container process|OCI runtime \w+ failed|failed to create containerd (?:task|container)|desc =): ?(?<end>.*)$/i.exec(
      line,
    )?.groups?.['end'];
  const said = (end ?? line).replace(/: unknown\.?$/, '').trim();
  return said.length > 240 ? `${said.slice(0, 239)}…` : said;
}

const journal = ({ it, values }: ExitCase): NextCommand => ({
  why: textOf('runtimeLoad', values),
  command: onNode(it, `journalctl -u kubelet ${journalUnits(it)} -n 100 --no-pager`),
});

function mountKind({ it, container, values }: ExitCase, path: string): Recognized {
  const mount = (container.spec.volumeMounts ?? []).find(({ mountPath }) => mountPath === path);
  const file = path.slice(path.lastIndexOf('/') + 1);
  const volume = it.pod.spec.volumes?.find(({ name }) => name === mount?.name);
  const object = volume?.configMap?.name
    ? { kind: 'ConfigMap', name: volume.configMap.name }
    : volume?.secret?.secretName
      ? { kind: 'Secret', name: volume.secret.secretName }
      : undefined;
  const subPath = mount?.subPath ?? '';
  const source = volume?.hostPath?.path ?? '';
  const all = { ...values, path, file, volume: mount?.name ?? '', subPath, source, ...object };
  // A target without the extension of the mounted file is most likely a directory of the image.
  const key = subPath.slice(subPath.lastIndexOf('/') + 1);
  if (object && /\.\w+$/.test(key) && !/\.\w+$/.test(file) && file !== key)
    return {
      title: textOf('startKindTitle', all),
      cause: [textOf('startOntoDirectory', all)],
      next: it.change('startOntoDirectoryFix', { ...all, target: `${path}/${key}` }),
      origin: 'configuration',
    };
  if (object && subPath !== '')
    return {
      title: textOf('startKeyTitle', all),
      cause: [textOf('startKey', all)],
      next: [
        {
          why: textOf('objectKeys', { ...all, key: subPath }),
          command: it.kubectl(`describe ${object.kind.toLowerCase()} ${object.name}`),
        },
        {
          why: textOf('objectKeyAdd', { ...all, key: subPath }),
          command: it.kubectl(
            `patch ${object.kind.toLowerCase()} ${object.name} -p ` +
              `'{"${object.kind === 'Secret' ? 'stringData' : 'data'}":{"${subPath}":"VALUE"}}'`,
          ),
        },
        ...(it.owner.replaces
          ? [{ why: textOf('startKeyNew', all), command: it.kubectl(`delete pod ${it.name}`) }]
          : []),
        ...it.change('startKeyFix', all),
      ],
      origin: 'configuration',
    };
  if (source !== '')
    return {
      title: textOf('startKindTitle', all),
      cause: [textOf('startHostKind', all)],
      next: [
        { why: textOf('hostPathLook', { path: source, node: it.node }), command: onNode(it, `ls -ld ${source}`) },
        ...it.change('startHostKindFix', all),
      ],
      origin: 'configuration',
    };
  return {
    title: textOf('startKindTitle', all),
    cause: [textOf('startKind', all)],
    next: it.change('startKindFix', all),
    origin: 'configuration',
  };
}

function memoryTooSmall({ it, container, values }: ExitCase): Recognized {
  const all = { ...values, limit: memoryLimit(it, container)?.text ?? '' };
  return {
    title: textOf('startMemoryTitle', all),
    cause: [textOf('startMemory', all)],
    next: setLimit(it, container, 'startMemoryFix', '128Mi', all),
    origin: 'configuration',
  };
}

/**
 * Matches the words of runtimes about a container that they can't start. A program can also fail to make a directory.
 */
const byRuntime = /rootfs|OCI runtime|\b(?:runc|crun)\b|container process|CreateContainer|StartContainer|mount ?point/i;

/** The recognizers, the most specific first. The first one that matches decides. */
export const startCauses: readonly Recognizer[] = [
  [/container init was OOM-killed|memory limit too low/i, memoryTooSmall],
  [
    /namespace path: lstat \/proc\/\d+\/ns|ttrpc: closed|failed to (?:create|start) shim[^\n]*(?:deadline exceeded|connection refused)/i,
    (exit, _groups, text) => ({
      title: textOf('startSandboxTitle', exit.values),
      cause: [textOf('startSandbox', { ...exit.values, what: innermost(text) })],
      next: [
        journal(exit),
        { why: textOf('exitKillNode', exit.values), command: `kubectl describe node ${exit.it.node}` },
      ],
      origin: 'node',
      heals: true,
    }),
  ],
  [
    /(?:to rootfs at|mounting \S+ (?:to|at)) "?(?<path>\/[^":\s]+)"?[\s\S]*(?:not a directory|mount a directory onto a file)|Are you trying to mount a directory onto a file/i,
    (exit, { path = '' }) => mountKind(exit, path),
  ],
  [
    /(?:create mount ?(?:point|destination)|make mountpoint|mkdirat|mkdir) "?(?<path>\/?[\w./-]+)"?[^\n]*(?:read-only file system|not a directory|permission denied)|to rootfs at "?(?<at>\/[^":\s]+)"?[^\n]*read-only file system/i,
    ({ it, values }, { path, at }, text) => {
      if (!byRuntime.test(text)) return undefined;
      const all = { ...values, path: (at ?? path ?? '').replace(/^.*\/rootfs(?=\/)/, '') };
      return {
        title: textOf('startPointTitle', all),
        cause: [textOf('startPoint', all)],
        next: it.change('startPointFix', all),
        origin: 'configuration',
      };
    },
  ],
  [
    /idmap|MOUNT_ATTR_IDMAP/i,
    ({ it, values }, _groups, text) => ({
      title: textOf('startIdmapTitle', values),
      cause: [textOf('startIdmap', { ...values, what: innermost(text) })],
      next: it.change('startIdmapFix', values),
      origin: 'node',
    }),
  ],
  [
    /CDI device|nvidia-container-(?:cli|runtime)|gathering device information|no such device|device injection|could not select device driver/i,
    ({ it, values }, _groups, text) => ({
      title: textOf('startDeviceTitle', values),
      cause: [textOf('startDevice', { ...values, what: innermost(text) })],
      next: [
        {
          why: textOf('startDevicePods', values),
          command:
            `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node} | ` +
            "grep -iE 'device|driver|gpu|dra|toolkit'",
        },
        { why: textOf('startDeviceFiles', values), command: onNode(it, 'ls -l /etc/cdi /var/run/cdi /dev') },
      ],
      origin: 'node',
    }),
  ],
  [
    /unable to find (?:user|group) (?<user>[\w.-]+)|no matching entries in (?:passwd|group) file(?<none>)|linux spec user: (?<spec>[\w.-]+)|get (?:user|group) \\?"(?<named>[\w.-]+)\\?": no (?:users|groups) found/i,
    ({ it, container, values }, { user, spec, named }) => {
      const what = user ?? spec ?? named ?? String(container.spec.securityContext?.runAsUser ?? 'USER');
      const all = { ...values, what };
      return {
        title: textOf('startUserTitle', all),
        cause: [textOf('startUser', all)],
        next: it.change('startUserFix', all),
        origin: 'configuration',
      };
    },
  ],
  [
    /chdir to cwd \("?(?<path>[^")]+)"?\)|(?:working directory|cwd) "?(?<other>\/[\w./-]*)"?[^\n]*(?:permission denied|not a directory|no such file)/i,
    ({ it, values }, { path, other }) => {
      const all = { ...values, path: path ?? other ?? '' };
      return {
        title: textOf('startDirectoryTitle', all),
        cause: [textOf('startDirectory', all)],
        next: it.change('startDirectoryFix', all),
        origin: 'configuration',
      };
    },
  ],
  [
    /port is already allocated|(?:Bind for|listen tcp\d?) \S*?:(?<port>\d+)[^\n]*(?:failed|address already in use)/i,
    ({ it, container, values }, { port }) => {
      const own = container.spec.ports?.find(({ hostPort }) => hostPort !== undefined)?.hostPort;
      const all = { ...values, port: port ?? String(own ?? '') };
      // A program's own message about a port can look the same, but only a runtime reserves host ports.
      if (own === undefined && it.pod.spec.hostNetwork !== true && container.ended) return undefined;
      return {
        title: textOf('startPortTitle', all),
        cause: [textOf('startPort', all)],
        next: [
          { why: textOf('startPortLook', all), command: onNode(it, 'ss -lntup') },
          ...it.change('startPortFix', all),
        ],
        origin: 'node',
      };
    },
  ],
  [
    /(?:unable to apply|setting|writing|failed to (?:write|create|apply)|error setting)[^\n]*cgroup|cgroup[^\n]*(?:no space left|not mounted|no such file|invalid argument|device or resource busy)/i,
    (exit, _groups, text) => ({
      title: textOf('startCgroupTitle', exit.values),
      cause: [textOf('startCgroup', { ...exit.values, what: innermost(text) })],
      next: [journal(exit)],
      origin: 'node',
    }),
  ],
  [
    /unable to apply caps|unable to set (?:capabilities|apparmor)|(?:sethostname|setns|write sysctl|sysctl)[^\n]*(?:operation not permitted|permission denied)/i,
    ({ it, values }, _groups, text) => ({
      title: textOf('startDeniedTitle', values),
      cause: [textOf('startDenied', { ...values, what: innermost(text) })],
      next: it.change('startDeniedFix', values),
      origin: 'configuration',
    }),
  ],
];
