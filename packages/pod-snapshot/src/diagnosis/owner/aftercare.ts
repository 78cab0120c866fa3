/**
 * Adds to a finding the remedies that the owner of the pod needs in addition to the correction: the rollback of a
 * revision that never became ready, and the removal of pods and Jobs that keep the old template. Upstream: the
 * statefulset, job and cronjob controllers (v1.36).
 */

import { type ExplainText, inEnglish, type NextCommand, textOf } from '@podscope/trace/explain';
import { instantOf } from '../../pod-snapshot.ts';
import { conditionOf, type Finding, type PodCase } from '../pod-case.ts';
import { rollBack } from '../program/recognizer.ts';
import { withoutGenerated } from './owner.ts';

/** Time in ms after a pod's creation within which its conditions may be set for the first time. */
const beginning = 60_000;

/** Returns whether the pod has never been ready, as far as its conditions show. */
function neverReady(it: PodCase): boolean {
  const ready = conditionOf(it, 'Ready');
  // The kubelet sets the condition, so a pod without a node lacks it.
  if (it.node === '') return true;
  const created = instantOf(it.pod.metadata.creationTimestamp);
  const changed = instantOf(ready?.lastTransitionTime);
  return ready?.status === 'False' && created !== undefined && changed !== undefined && changed - created <= beginning;
}

/** The causes that lie in the image or the fields of the template, so an earlier revision may not have them. */
const ofRevision =
  /^(?:img(?:Tag|Digest|Repository|Name)|arch|noCommand|nonRoot(?:Name)?|start\w*|hook|object(?:Gone|Key)|profile|run(?:Command|Words|Config|Setting|Env|About|Port|LowPort|ReadOnly|Extension|Syscall))Title$/;
/** The causes of failing probes that are in the fields of the probe itself. */
const ofProbe = /^probe(?:Port|Named|ExecMissing|Path|Tls|Plain)$/;

/** Returns whether an earlier revision of the template may be free of the fault. */
const isOfRevision = ({ title: { id }, cause, container, next }: Finding): boolean =>
  (container !== undefined || id.startsWith('object')) &&
  (ofRevision.test(id) || cause.some((each) => ofProbe.test(each.id))) &&
  !next.some(({ command }) => /\bedit (?:configmap|secret)\b/.test(command));

/**
 * Returns the command that restores the previous revision: with Helm, or with kubectl if no tool like Argo CD manages
 * the owner.
 */
function earlierRevision(it: PodCase, finding: Finding): readonly NextCommand[] {
  if (finding.next.some(({ command }) => / undo |helm rollback /.test(command))) return [];
  const { manager } = it.owner;
  if (manager?.tool === 'Helm' && manager.name !== '')
    return [
      {
        why: textOf('ownHelmRollBack', { name: manager.name }),
        command: `helm rollback ${manager.name} -n ${it.namespace}`,
      },
    ];
  if (manager !== undefined) return [];
  return rollBack({ it, values: {} });
}

const changesTemplate = ({ next }: Finding, { owner: { ref } }: PodCase): boolean =>
  next.some(
    ({ command }) =>
      command.includes(` ${ref}`) && /\b(?:edit|set|undo|patch)\b/.test(command) && !/rollout restart/.test(command),
  );

/** The admission webhooks that add containers, with the names of these containers and where they are configured. */
const injectors: readonly {
  readonly by: string;
  readonly annotation: RegExp;
  readonly container: RegExp;
  readonly command: string;
}[] = [
  {
    by: 'Istio',
    annotation: /^sidecar\.istio\.io\//,
    container: /^istio-(?:proxy|init|validation)$/,
    command: 'kubectl -n istio-system edit configmap istio-sidecar-injector',
  },
  {
    by: 'Linkerd',
    annotation: /^(?:config\.)?linkerd\.io\//,
    container: /^linkerd-(?:proxy|init|network-validator)$/,
    command: 'kubectl -n linkerd edit configmap linkerd-config',
  },
  {
    by: 'Vault',
    annotation: /^vault\.hashicorp\.com\//,
    container: /^vault-agent(?:-init)?$/,
    command: 'kubectl get deployments -A | grep vault-agent-injector',
  },
  {
    by: 'Dapr',
    annotation: /^dapr\.io\//,
    container: /^daprd$/,
    command: 'kubectl get deployments -A | grep dapr-sidecar-injector',
  },
  {
    by: 'Consul',
    annotation: /^consul\.hashicorp\.com\//,
    container: /^consul-(?:dataplane|connect-inject-init)/,
    command: 'kubectl get deployments -A | grep consul-connect-injector',
  },
];

/**
 * Returns the finding with remedies for the injector of the container; undefined if the template itself contains the
 * container.
 */
function ofInjector(it: PodCase, finding: Finding): Finding | undefined {
  // Annotations of the template decide how the injector adds the proxy, so that remedy stays.
  if (finding.title.id === 'jobSidecarTitle') return undefined;
  const names = Object.keys(it.pod.metadata.annotations ?? {});
  const injector = injectors.find(
    ({ annotation, container }) =>
      container.test(finding.container ?? '') && names.some((name) => annotation.test(name)),
  );
  const { ref, label } = it.owner;
  const isTemplate = ({ command }: NextCommand): boolean =>
    command.includes(` ${ref}`) && /\b(?:edit|set|undo|replace|patch)\b/.test(command);
  if (!injector || !finding.next.some(isTemplate)) return undefined;
  const all = { container: finding.container ?? '', by: injector.by, owner: label };
  const rest = finding.next.filter((each) => !isTemplate(each) || /rollout restart/.test(each.command));
  const isOutside =
    ['network', 'node', 'storage'].includes(finding.origin) ||
    finding.next.slice(0, 1).some(({ why }) => why.id === 'runDeniedVault');
  return {
    ...finding,
    cause: [...finding.cause, textOf('injected', all)],
    next: [
      // A cause outside the pod comes first: no change of the container corrects it.
      ...(isOutside ? rest : []),
      { why: textOf(isOutside ? 'injectedElse' : 'injectedFix', all), command: injector.command },
      ...(isOutside ? [] : rest),
      ...(['Deployment', 'StatefulSet', 'DaemonSet'].includes(it.owner.kind) &&
      !rest.some(({ command }) => /rollout restart/.test(command))
        ? [{ why: textOf('injectedRestart', all), command: it.kubectl(`rollout restart ${ref}`) }]
        : []),
    ],
  };
}

/** Returns the commands without repetitions. Of equal ones, the last stays, after all changes to which it belongs. */
function distinct(next: readonly NextCommand[]): readonly NextCommand[] {
  const keyOf = ({ why, command }: NextCommand): string => JSON.stringify([inEnglish(why), command]);
  return next.filter((each, index) => next.findLastIndex((other) => keyOf(other) === keyOf(each)) === index);
}

/**
 * Returns the finding with the additional commands that the pod's owner needs, without repeated commands, and with the
 * number of pods that are available meanwhile.
 */
export function withAftercare(it: PodCase, finding: Finding): Finding {
  const { next, outlook, ...rest } = cared(it, finding);
  return {
    ...rest,
    outlook: [...outlook, ...availability(it, finding)],
    next: distinct(withoutGenerated(it.owner, it.kubectl, it.name, next)),
  };
}

/** Returns how many pods of the owner are available while this one isn't. */
function availability(it: PodCase, { severity }: Finding): readonly ExplainText[] {
  const { replicas } = it.cluster;
  if (severity !== 'error' || !replicas || conditionOf(it, 'Ready')?.status === 'True') return [];
  const all = { ...replicas, owner: it.owner.label };
  return [textOf(replicas.available > 0 ? 'ownAvailable' : 'ownNoneAvailable', all)];
}

function cared(it: PodCase, finding: Finding): Finding {
  if (finding.severity !== 'error') return finding;
  const injected = ofInjector(it, finding);
  if (injected) return injected;
  const { kind, name, label } = it.owner;
  const isNew = neverReady(it);
  const next = [...finding.next, ...(isNew && isOfRevision(finding) ? earlierRevision(it, finding) : [])];
  const all = { owner: label, pod: it.name };
  const after: NextCommand[] = [];
  // With OrderedReady, the controller waits for the broken pod before it applies a changed template.
  if (kind === 'StatefulSet' && isNew && changesTemplate({ ...finding, next }, it))
    after.push({ why: textOf('ownSetPod', all), command: it.kubectl(`delete pod ${it.name}`) });
  const job = it.pod.metadata.ownerReferences?.find((each) => each.kind === 'Job')?.name;
  // The work of a job whose proxy runs on is done: another run would repeat it.
  if (kind === 'CronJob' && job !== undefined && finding.title.id !== 'jobSidecarTitle' && changesTemplate(finding, it))
    after.push(
      {
        why: textOf('ownCronRun', { ...all, job }),
        command: it.kubectl(`delete job ${job}`),
      },
      {
        // A pod that hasn't ended continues once the cause is gone: a second run would repeat its work.
        why: textOf(it.pod.status?.phase === 'Failed' ? 'ownCronNow' : 'ownCronDeleted', all),
        command: it.kubectl(`create job ${name}-again --from=cronjob/${name}`),
      },
    );
  return { ...finding, next: [...next, ...after] };
}
