/** Recognizes why the containers of a service mesh fail: a missing control plane or a node without its CNI plugin. */
import { textOf } from '@podscope/trace/explain';
import { onNode } from '../runtime.ts';
import type { Recognizer } from './recognizer.ts';

/** The namespaces and DaemonSets of the CNI plugins of meshes. */
const plugins = { linkerd: ['linkerd-cni', 'linkerd-cni'], istio: ['istio-system', 'istio-cni-node'] } as const;

/** The recognizers of the mesh's own messages, which other recognizers would take for a program's. */
export const meshCauses: readonly Recognizer[] = [
  [
    /lookup (?<service>istiod(?:-(?<revision>[a-z0-9][\w-]*))?)\.(?<space>[\w-]+)[^\n]*no such host/,
    ({ it, values }, { service = '', revision = '', space = '' }) => {
      const all = { ...values, service, revision: revision || 'default', space, owner: it.owner.label };
      const isRestartable = ['Deployment', 'StatefulSet', 'DaemonSet'].includes(it.owner.kind);
      return {
        title: textOf('meshGoneTitle', all),
        cause: [textOf('meshGone', all)],
        next: [
          { why: textOf('meshRevisions', all), command: `kubectl -n ${space} get svc,deploy -l app=istiod` },
          {
            why: textOf('meshLabel', all),
            command: `kubectl label namespace ${it.namespace} istio.io/rev=REVISION --overwrite`,
          },
          ...(isRestartable
            ? [{ why: textOf('injectedRestart', all), command: it.kubectl(`rollout restart ${it.owner.ref}`) }]
            : []),
        ],
        origin: 'network',
        heals: true,
      };
    },
  ],
  [
    /(?:validate networking configuration|ensure iptables rules are rewriting|iptables validation failed|connection to (?:the )?validation (?:port|server))/i,
    ({ it, container, values }) => {
      const mesh = /linkerd/.test(container.name) ? 'linkerd' : 'istio';
      const [space, plugin] = plugins[mesh];
      const all = { ...values, plugin, pod: it.name };
      return {
        title: textOf('meshCniTitle', all),
        cause: [textOf('meshCni', all), textOf('meshCniSandbox', all)],
        next: [
          {
            why: textOf('meshCniPods', all),
            command: `kubectl -n ${space} get pods -o wide --field-selector spec.nodeName=${it.node}`,
          },
          { why: textOf('meshCniFiles', all), command: onNode(it, 'ls -l /etc/cni/net.d') },
          { why: textOf('meshCniAgain', all), command: it.kubectl(`delete pod ${it.name}`) },
        ],
        origin: 'node',
      };
    },
  ],
];
