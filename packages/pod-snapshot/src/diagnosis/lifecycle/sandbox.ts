/**
 * Diagnoses a sandbox that cannot be created: addresses, CNI, runtime classes, the pause image, disk and cgroups.
 */
import { defaultSandboxImages } from '@podscope/cri';
import { type ExplainText, type NextCommand, textOf } from '@podscope/trace/explain';
import { eventFact, type Finding, factsOf, type Matcher, newest, type PodCase } from '../pod-case.ts';
import { journalUnits, loadImage, onNode, runtimeTool } from '../runtime.ts';

interface SandboxCause {
  readonly cause: readonly ExplainText[];
  readonly next: readonly NextCommand[];
  readonly origin: Finding['origin'];
}

/** Returns the end of a message about a pull, which names its cause. */
const pullEnd = (message: string): string =>
  /(?:dial tcp|lookup \S+|x509|tls|unexpected status[^:]*|no space left)[^\n]*$/.exec(message.trim())?.[0] ??
  message
    .trim()
    .slice(message.trim().lastIndexOf(': ') + 1)
    .trim();

const onThatNode = (it: PodCase, pattern: string): string =>
  `kubectl get pods -A -o wide --field-selector spec.nodeName=${it.node} | grep -iE '${pattern}'`;

const sandboxCauses: readonly (readonly [RegExp, (it: PodCase, found: RegExpExecArray) => SandboxCause])[] = [
  [
    /failed to assign an IP address|no (?:more )?(?:free |available )?(?:IPs?|IP addresses)(?: addresses)? (?:available|in)|range is full|IPAM|no available IP|address space exhausted|failed to allocate for range/i,
    (it, { input }) => {
      const plugin = /type="([^"]+)"|plugin "?([\w-]*cni[\w-]*)"?/.exec(input)?.slice(1).find(Boolean) ?? 'CNI';
      const values = { node: it.node, plugin };
      const range = /(?:range|in|set:?|subnet) \[?(?<range>[\da-f.:]+(?:\/\d+|-[\da-f.:]+))/i.exec(input)?.groups?.[
        'range'
      ];
      return {
        cause: [textOf('sandboxNoIp', values), ...(range ? [textOf('sandboxRange', { ...values, range })] : [])],
        next: [
          {
            why: textOf('sandboxPods', values),
            command: `kubectl get pods -A --field-selector spec.nodeName=${it.node} --no-headers | wc -l`,
          },
          {
            why: textOf('sandboxIpam', values),
            command: /aws/.test(plugin)
              ? onNode(it, 'tail -n 100 /var/log/aws-routed-eni/ipamd.log')
              : `kubectl get node ${it.node} -o jsonpath='{.spec.podCIDR}' # the address pool`,
          },
          ...(/aws/.test(plugin)
            ? [
                {
                  why: textOf('sandboxPrefix', values),
                  command: 'kubectl -n kube-system set env daemonset/aws-node ENABLE_PREFIX_DELEGATION=true',
                },
              ]
            : []),
        ],
        origin: 'network',
      };
    },
  ],
  [
    /cni (?:plugin not initialized|config uninitialized)|no networks found in|NetworkPluginNotReady|network (?:plugin )?is not ready/i,
    (it) => ({
      cause: [textOf('sandboxNoCni', { node: it.node })],
      next: [
        {
          why: textOf('sandboxCniPod', { node: it.node }),
          command: onThatNode(it, 'cni|calico|cilium|flannel|weave|aws-node|ovn|kindnet|antrea'),
        },
        { why: textOf('sandboxCniConf', { node: it.node }), command: onNode(it, 'ls -l /etc/cni/net.d') },
      ],
      origin: 'network',
    }),
  ],
  [
    /no runtime for "(?<handler>[^"]+)" is configured|failed to find runtime handler (?<other>\S+)|unknown runtime(?: handler)? "?(?<third>[\w-]+)|RuntimeHandler "(?<fourth>[^"]+)" not supported/i,
    (it, { groups }) => {
      const values = {
        node: it.node,
        handler: groups?.['handler'] ?? groups?.['other'] ?? groups?.['third'] ?? groups?.['fourth'] ?? '',
        runtimeClass: it.pod.spec.runtimeClassName ?? '',
      };
      return {
        cause: [textOf('sandboxHandler', values)],
        next: [
          { why: textOf('sandboxClass', values), command: `kubectl get runtimeclass ${values.runtimeClass} -o yaml` },
          {
            why: textOf('sandboxHandlerConf', values),
            command: onNode(it, 'grep -rn runtimes /etc/containerd/config.toml /etc/crio'),
          },
          ...it.change('sandboxClassFix', values),
        ],
        origin: 'node',
      };
    },
  ],
  [
    /RuntimeClass(?:\.node\.k8s\.io)? "(?<name>[^"]+)" not found/,
    (it, { groups }) => ({
      cause: [textOf('sandboxNoClass', { runtimeClass: groups?.['name'] ?? '' })],
      next: [
        { why: textOf('sandboxClasses'), command: 'kubectl get runtimeclass' },
        ...it.change('sandboxClassFix', { runtimeClass: groups?.['name'] ?? '' }),
      ],
      origin: 'configuration',
    }),
  ],
  [
    /failed to (?:pull|get) (?:sandbox )?image "?(?<image>[^"\s:]+(?::[\w.-]+)?)/i,
    (it, { groups, input }) => ({
      cause: [
        textOf('sandboxPause', { node: it.node, image: groups?.['image'] ?? 'pause' }),
        textOf('sandboxPauseSaid', { node: it.node, said: pullEnd(input) }),
      ],
      next: [
        {
          why: textOf('sandboxPauseTry', { node: it.node }),
          command: onNode(it, `crictl pull ${groups?.['image'] ?? defaultSandboxImages['v1.36']}`),
        },
        {
          why: textOf('sandboxPauseLoad', { node: it.node }),
          command: loadImage(it, groups?.['image'] ?? defaultSandboxImages['v1.36']),
        },
      ],
      origin: 'node',
    }),
  ],
  [
    /OOM-killed|memory limit too low/i,
    (it) => ({
      cause: [textOf('sandboxMemory')],
      next: it.change('sandboxMemoryFix'),
      origin: 'configuration',
    }),
  ],
  [
    /resource temporarily unavailable|cannot allocate memory|too many open files|pthread_create/i,
    (it, { 0: what }) => ({
      cause: [textOf('sandboxProcesses', { node: it.node, what })],
      next: [
        {
          why: textOf('sandboxProcessesLook', { node: it.node }),
          command: onNode(
            it,
            "sh -c 'cat /proc/sys/kernel/pid_max /proc/sys/kernel/threads-max; ps -eLf | wc -l; free -m'",
          ),
        },
        { why: textOf('sandboxCordon', { node: it.node }), command: `kubectl cordon ${it.node}` },
      ],
      origin: 'node',
    }),
  ],
  [
    /cgroup[^\n]*no space left on device/i,
    (it) => ({
      cause: [textOf('sandboxCgroups', { node: it.node })],
      next: [
        { why: textOf('sandboxCgroupsLook', { node: it.node }), command: onNode(it, 'cat /proc/cgroups') },
        {
          why: textOf('sandboxDrain', { node: it.node }),
          command: `kubectl drain ${it.node} --ignore-daemonsets --delete-emptydir-data`,
        },
      ],
      origin: 'node',
    }),
  ],
  [
    /cannot find a network-attachment-definition \((?<name>[\w.-]+)\) in namespace \((?<space>[\w.-]+)\)/,
    (it, { groups }) => {
      const values = { name: groups?.['name'] ?? '', space: groups?.['space'] ?? it.namespace };
      return {
        cause: [textOf('sandboxNetwork', values)],
        next: [
          { why: textOf('sandboxNetworkLook', values), command: 'kubectl get network-attachment-definitions -A' },
          ...it.change('sandboxNetworkFix', values),
        ],
        origin: 'configuration',
      };
    },
  ],
  [
    /"?(?<bridge>cni0|cbr0|kube-bridge|docker0)"? already has an IP address different from (?<range>[\d.]+\/\d+)/,
    (it, { groups }) => {
      const values = { node: it.node, bridge: groups?.['bridge'] ?? '', range: groups?.['range'] ?? '' };
      return {
        cause: [textOf('sandboxBridge', values)],
        next: [
          { why: textOf('sandboxBridgeDelete', values), command: onNode(it, `ip link delete ${values.bridge}`) },
          { why: textOf('sandboxCniPod', { node: it.node }), command: onThatNode(it, 'cni|flannel') },
        ],
        origin: 'node',
      };
    },
  ],
  [
    /no space left on device/i,
    (it) => ({
      cause: [textOf('sandboxSpace', { node: it.node })],
      next: [
        {
          why: textOf('nodeDf', { node: it.node }),
          command: onNode(it, 'df -h /run /var/lib/containerd /var/lib/kubelet'),
        },
      ],
      origin: 'node',
    }),
  ],
  [
    /name "?\S+"? is reserved|already exists|name is already in use/i,
    (it) => ({
      cause: [textOf('sandboxReserved', { node: it.node })],
      next: [
        {
          why: textOf('killRuntime', { node: it.node }),
          command: onNode(
            it,
            `${runtimeTool(it)} ${runtimeTool(it) === 'crictl' ? `pods --name ${it.name}` : 'ps -a'}`,
          ),
        },
      ],
      origin: 'runtime',
    }),
  ],
  [
    /cgroup|systemd|dbus/i,
    (it) => ({
      cause: [textOf('sandboxCgroup', { node: it.node })],
      next: [
        {
          why: textOf('deletingKubelet', { node: it.node }),
          command: onNode(it, `journalctl -u kubelet ${journalUnits(it)} -n 100 --no-pager`),
        },
      ],
      origin: 'node',
    }),
  ],
  [
    /plugin type="?(?<plugin>[\w-]+)|failed to (?:setup|set up) (?:pod )?network|networkPlugin (?<old>\S+) failed|Kube-?OVN|calico|cilium|flannel|multus/i,
    (it, { groups, input }) => {
      const plugin =
        groups?.['plugin'] ?? groups?.['old'] ?? /calico|cilium|flannel|multus|weave/i.exec(input)?.[0] ?? 'CNI';
      const denied = /unauthorized|forbidden/i.test(input);
      const subnet = /subnet\.env: no such file/.test(input);
      const refused = /connection refused|no such file or directory|unable to connect to/.test(input);
      const values = { node: it.node, plugin };
      return {
        cause: [textOf(denied ? 'sandboxCniDenied' : subnet || refused ? 'sandboxCniAgent' : 'sandboxCni', values)],
        next: [
          { why: textOf('sandboxCniPod', values), command: onThatNode(it, `${plugin}|cni`) },
          ...(denied
            ? [
                {
                  why: textOf('sandboxCniRestart', values),
                  command: `${onThatNode(it, plugin)} | awk '{print "kubectl -n "$1" delete pod "$2}'`,
                },
              ]
            : []),
          { why: textOf('sandboxCniConf', values), command: onNode(it, 'ls -l /etc/cni/net.d /opt/cni/bin') },
        ],
        origin: 'network',
      };
    },
  ],
];

/** Diagnoses a sandbox that cannot be created. */
export const sandboxFindings: Matcher = (it) => {
  if (it.node === '' || it.pod.metadata.deletionTimestamp !== undefined) return [];
  if (it.containers.some(({ runningSince, ended }) => runningSince !== undefined || ended !== undefined)) return [];
  const event = newest(it.events, [
    'FailedCreatePodSandBox',
    'NetworkNotReady',
    'FailedCreatePodContainer',
    'FailedStatusPodSandBox',
  ]);
  if (!event) return [];
  const { message } = event;
  let found: SandboxCause | undefined;
  for (const [pattern, explain] of sandboxCauses) {
    const match = pattern.exec(message);
    if (match) {
      found = explain(it, match);
      break;
    }
  }
  const isTimeout = /DeadlineExceeded|context deadline exceeded|timed out/.test(message);
  found ??= {
    cause: [textOf(isTimeout ? 'sandboxTimeout' : 'sandboxOther', { node: it.node })],
    next: [
      {
        why: textOf('deletingKubelet', { node: it.node }),
        command: onNode(it, `journalctl -u kubelet ${journalUnits(it)} -n 100 --no-pager`),
      },
      { why: textOf('nodeDescribe', { node: it.node }), command: `kubectl describe node ${it.node}` },
    ],
    origin: 'runtime',
  };
  return [
    {
      reason: event.reason,
      severity: 'error',
      origin: found.origin,
      title: textOf(event.reason === 'NetworkNotReady' ? 'sandboxNetworkTitle' : 'sandboxFailTitle', { node: it.node }),
      cause: found.cause,
      said: message,
      facts: [...eventFact(event), ...factsOf(['spec.runtimeClassName', it.pod.spec.runtimeClassName])],
      outlook: [textOf('sandboxOutlook', { node: it.node })],
      next: found.next,
    },
  ];
};
