/**
 * Diagnoses containers that cannot be created from their spec: references to missing objects, security contexts,
 * working directories. Upstream: kuberuntime generateContainerConfig, verifyRunAsNonRoot, makeEnvironmentVariables.
 */
import { type ExplainText, type FieldFact, type NextCommand, textOf } from '@podscope/trace/explain';
import { isRootNginx } from './images/known-images.ts';
import { type ContainerCase, type ContainerMatcher, factsOf, newest, type PodCase } from './pod-case.ts';
import { recognize } from './program/output.ts';
import { inImage, journalUnits, onNode, runtimeTool } from './runtime.ts';
import { objectGone, objectKey } from './volumes/objects.ts';

interface Explained {
  readonly title: ExplainText;
  readonly cause: readonly ExplainText[];
  readonly facts?: readonly FieldFact[];
  readonly next: readonly NextCommand[];
  readonly outlook?: readonly ExplainText[];
}

/** Returns the path of the variable or source that names an object. */
function referencePath({ spec, specPath }: ContainerCase, name: string, key?: string): string {
  const at = (spec.env ?? []).findIndex(({ valueFrom }) => {
    const ref = valueFrom?.secretKeyRef ?? valueFrom?.configMapKeyRef;
    return ref?.name === name && (key === undefined || ref.key === key);
  });
  if (at >= 0) return `${specPath}.env[${at}].valueFrom`;
  const from = (spec.envFrom ?? []).findIndex(
    ({ secretRef, configMapRef }) => (secretRef ?? configMapRef)?.name === name,
  );
  return from >= 0 ? `${specPath}.envFrom[${from}]` : specPath;
}

/** The ids that images commonly give to users with these names. */
const userIds: Readonly<Record<string, number>> = { nobody: 65_534, nonroot: 65_532, 'www-data': 33 };

const numberOf = (user: string): number | undefined => (Object.hasOwn(userIds, user) ? userIds[user] : undefined);

const causes: readonly (readonly [
  RegExp,
  (it: PodCase, container: ContainerCase, found: RegExpExecArray) => Explained,
])[] = [
  [
    /(configmap|secret) "([^"]+)" not found/i,
    (it, container, [, kind = '', name = '']) =>
      objectGone(it, /secret/i.test(kind) ? 'Secret' : 'ConfigMap', name, referencePath(container, name)),
  ],
  [
    /couldn't find key (\S+) in (Secret|ConfigMap) (?:[^/\s]+\/)?(\S+)/i,
    (it, container, [, key = '', kind = '', name = '']) =>
      objectKey(it, /secret/i.test(kind) ? 'Secret' : 'ConfigMap', name, key, referencePath(container, name, key), {
        container: container.name,
        variable:
          (container.spec.env ?? []).find(({ valueFrom }) => {
            const ref = valueFrom?.secretKeyRef ?? valueFrom?.configMapKeyRef;
            return ref?.name === name && ref.key === key;
          })?.name ?? '',
      }),
  ],
  [
    /runAsNonRoot and image has non-numeric user \(([^)]*)\)/,
    (it, container, [, user = '']) => {
      const { spec, specPath, name } = container;
      return {
        title: textOf('nonRootNameTitle', { container: name }),
        cause: [textOf('nonRootName', { container: name, user })],
        facts: factsOf(
          ['spec.securityContext.runAsNonRoot', it.pod.spec.securityContext?.runAsNonRoot],
          [`${specPath}.securityContext`, spec.securityContext],
        ),
        next: numberOf(user)
          ? it.patch(
              'nonRootKnown',
              { container: name, user, id: numberOf(user) ?? '' },
              { securityContext: { runAsUser: numberOf(user) } },
              container,
            )
          : [
              ...it.change('nonRootNumber', { container: name, user }),
              {
                why: textOf('nonRootId', { user }),
                command: inImage(it, container, `id -u ${user}`),
              },
            ],
      };
    },
  ],
  [
    /runAsNonRoot and image will run as root|container's runAsUser breaks non-root policy/,
    (it, { spec, specPath, name, status, role }) => ({
      title: textOf('nonRootTitle', { container: name }),
      cause: [
        textOf(
          spec.securityContext?.runAsUser === 0 || it.pod.spec.securityContext?.runAsUser === 0
            ? 'nonRootZero'
            : 'nonRoot',
          { container: name, image: status?.image || (spec.image ?? '') },
        ),
      ],
      facts: factsOf(
        [
          'spec.securityContext',
          it.pod.spec.securityContext?.runAsNonRoot === undefined ? undefined : it.pod.spec.securityContext,
        ],
        [`${specPath}.securityContext`, spec.securityContext],
      ),
      next: isRootNginx(spec.image)
        ? it.change('nonRootNginx', { container: name })
        : it.patch('nonRootUser', { container: name }, { securityContext: { runAsUser: 1000 } }, { name, role }),
    }),
  ],
  [
    /failed to sync (?<objects>configmap|secret) cache|(?<services>services) have not yet been read/i,
    (it, container, { groups }) => {
      const objects = groups?.['services']
        ? 'Services'
        : /secret/i.test(groups?.['objects'] ?? '')
          ? 'Secrets'
          : 'ConfigMaps';
      const values = { container: container.name, node: it.node, objects };
      return {
        title: textOf('cacheTitle', values),
        cause: [textOf('cache', values)],
        outlook: [textOf('cacheOutlook')],
        next: [
          { why: textOf('deletingWait'), command: it.kubectl(`get pod ${it.name} -w`) },
          { why: textOf('cacheServer'), command: "kubectl get --raw '/readyz?verbose'" },
          { why: textOf('deletingKubelet', values), command: onNode(it, 'journalctl -u kubelet -n 100 --no-pager') },
        ],
      };
    },
  ],
  [
    /path "?(?<path>[^"\s]+)"? is mounted on "?[^"\s]+"? but it is not a (?:shared|slave)/i,
    (it, { name }, { groups }) => {
      const values = { container: name, node: it.node, path: groups?.['path'] ?? '' };
      return {
        title: textOf('sharedTitle', values),
        cause: [textOf('shared', values)],
        next: [
          { why: textOf('sharedShow', values), command: onNode(it, `findmnt -o TARGET,PROPAGATION -T ${values.path}`) },
          { why: textOf('sharedMake', values), command: onNode(it, 'mount --make-rshared /') },
          ...it.change('sharedFix', values),
        ],
      };
    },
  ],
  [
    /failed to (?:prepare|create) subPath(?:[^"]*for volumeMount "([^"]+)")?/i,
    (it, { name, specPath, spec }, [, mounted = '']) => {
      const mounts = (spec.volumeMounts ?? []).filter(({ subPath, subPathExpr }) => subPath ?? subPathExpr);
      const mount = mounts.find((each) => each.name === mounted) ?? mounts[0];
      const claim = it.pod.spec.volumes?.find((each) => each.name === mount?.name)?.persistentVolumeClaim;
      const path = mount?.subPath ?? mount?.subPathExpr ?? '';
      return {
        title: textOf('subPathTitle'),
        cause: [
          textOf('subPathNamed', { container: name, path, volume: mount?.name ?? '' }),
          ...(mount?.readOnly || claim?.readOnly ? [textOf('subPathReadOnly')] : []),
        ],
        facts: factsOf([`${specPath}.volumeMounts`, mounts]),
        next: it.change('subPathFix', { container: name }),
      };
    },
  ],
  [
    /failed to reserve container name|name "?\S+"? is (?:reserved|already in use)|name is already in use/i,
    (it, { name }) => ({
      title: textOf('nameTakenTitle', { container: name }),
      cause: [textOf('nameTaken', { container: name, node: it.node })],
      next: [
        {
          why: textOf('nameTakenList', { container: name, node: it.node }),
          command: onNode(
            it,
            `${runtimeTool(it)} ps -a${runtimeTool(it) === 'crictl' ? ` --name ${name}` : ` --filter name=${name}`}`,
          ),
        },
        {
          why: textOf('runtimeLoad', { node: it.node }),
          command: onNode(it, `journalctl ${journalUnits(it)} -n 100 --no-pager`),
        },
      ],
    }),
  ],
  [
    /(?:path|source path) "?(\S+?)"? (?:is mounted on|is not a shared|does not exist)|no such file or directory.*mount|mount.*no such file or directory/i,
    (it, { name }, [, path = '']) => ({
      title: textOf('mountSourceTitle', { container: name }),
      cause: [textOf('mountSource', { container: name, path, node: it.node })],
      next: it.change('mountSourceFix', { container: name }),
    }),
  ],
  [
    /no command specified/i,
    (it, { name, spec }) => ({
      title: textOf('noCommandTitle', { container: name }),
      cause: [textOf('noCommand', { container: name, image: spec.image ?? '' })],
      next: it.change('noCommandFix', { container: name }),
    }),
  ],
  [
    /(?:apparmor|seccomp)[^\n]*exec: "(?<tool>[\w./-]+)": (?:executable file not found|no such file)/i,
    (it, { name, specPath, spec }, { groups }) => {
      const tool = groups?.['tool'] ?? '';
      const values = { container: name, node: it.node, tool };
      return {
        title: textOf('profileTitle', values),
        cause: [textOf('profileTool', values)],
        facts: factsOf([`${specPath}.securityContext`, spec.securityContext]),
        next: [
          {
            why: textOf('profileToolAdd', values),
            command: onNode(it, `sh -c 'apt-get install -y apparmor || zypper install -y apparmor-parser'`),
          },
          ...it.change('profileToolElse', values),
        ],
      };
    },
  ],
  [
    /seccomp|apparmor|failed to apply (?:apparmor|seccomp)/i,
    (it, { name, specPath, spec }, { input }) => ({
      title: textOf('profileTitle', { container: name }),
      cause: [
        textOf('profile', {
          container: name,
          node: it.node,
          profile: /profile "?(?<path>[^"\s:]+)/i.exec(input)?.groups?.['path'] ?? '',
        }),
      ],
      facts: factsOf(
        [`${specPath}.securityContext`, spec.securityContext],
        ['spec.securityContext', it.pod.spec.securityContext?.seccompProfile],
      ),
      next: [
        {
          why: textOf('profileLook', { node: it.node }),
          command: onNode(it, 'ls /var/lib/kubelet/seccomp /sys/kernel/security/apparmor'),
        },
        ...it.change('profileFix', { container: name }),
      ],
    }),
  ],
  [
    /stage container volume configuration/,
    (it, { name, spec }) => {
      const claims = (spec.volumeMounts ?? []).flatMap(
        (mount) =>
          it.pod.spec.volumes?.find((each) => each.name === mount.name)?.persistentVolumeClaim?.claimName ?? [],
      );
      const values = { container: name, node: it.node, claims: claims.join(', ') };
      return {
        title: textOf('createSlowTitle', values),
        cause: [textOf('createRelabel', values)],
        next: [
          ...it.change('createRelabelSkip', values),
          ...it.change('createRelabelType', values),
          {
            why: textOf('runtimeLoad', values),
            command: onNode(it, `journalctl ${journalUnits(it)} -n 100 --no-pager`),
          },
        ],
      };
    },
  ],
  [
    /context deadline exceeded|DeadlineExceeded/,
    (it, { name }) => ({
      title: textOf('createSlowTitle', { container: name }),
      cause: [textOf('createSlow', { container: name, node: it.node })],
      next: [
        {
          why: textOf('runtimeLoad', { node: it.node }),
          command: onNode(it, `journalctl ${journalUnits(it)} -n 100 --no-pager`),
        },
      ],
    }),
  ],
];

const reasons = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'PreCreateHookError',
  'PreStartHookError',
]);

/** Diagnoses `CreateContainerConfigError` and `CreateContainerError`. */
export const configurationFinding: ContainerMatcher = (it, container) => {
  const { waiting, name, statusPath } = container;
  if (!waiting || !reasons.has(waiting.reason)) return undefined;
  const event = newest(container.events, ['Failed', 'InspectFailed']);
  const message = waiting.message || (event?.message ?? '');
  for (const [pattern, explain] of causes) {
    const found = pattern.exec(message);
    if (!found) continue;
    const { title, cause, facts = [], next, outlook } = explain(it, container, found);
    const isConfig = waiting.reason === 'CreateContainerConfigError';
    return {
      reason: waiting.reason,
      severity: 'error',
      origin: isConfig ? 'configuration' : 'runtime',
      container: name,
      title,
      cause,
      said: message,
      facts: [...factsOf([`${statusPath}.state.waiting.message`, message]), ...facts],
      outlook: outlook ?? [textOf('configOutlook', { container: name })],
      next,
    };
  }
  const known = recognize(it, container, message);
  if (known)
    return {
      reason: waiting.reason,
      severity: 'error',
      origin: known.origin ?? 'runtime',
      container: name,
      title: known.title,
      cause: known.cause,
      said: message,
      facts: factsOf([`${statusPath}.state.waiting.message`, message]),
      outlook: [textOf('configOutlook', { container: name })],
      next: known.next,
    };
  return {
    reason: waiting.reason,
    severity: 'error',
    origin: 'runtime',
    certainty: 'unknown',
    container: name,
    title: textOf('createOtherTitle', { container: name }),
    cause: [textOf('createOther', { container: name, message: message || waiting.reason })],
    said: message,
    facts: factsOf([`${statusPath}.state.waiting.message`, message]),
    outlook: [textOf('configOutlook', { container: name })],
    next: [{ why: textOf('lookEvents'), command: it.kubectl(`describe pod ${it.name}`) }],
  };
};
