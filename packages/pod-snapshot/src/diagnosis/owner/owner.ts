/** Finds the object whose template creates a pod, and the commands that change that template. */
import { isMirrorPod, type Pod } from '@podscope/k8s';
import { type ExplainText, type NextCommand, textOf } from '@podscope/trace/explain';
import { customResourceOf } from './operators.ts';

/** The object in which a change has to be made. */
export interface Owner {
  /** The kind, for example `Deployment`. It is `Pod` for a pod without a controller and `Node` for a static pod. */
  readonly kind: string;
  readonly name: string;
  /** The name for kubectl, for example `deployment/web`. */
  readonly ref: string;
  /** The name in texts, for example `Deployment web`. */
  readonly label: string;
  /** Whether a controller creates another pod when one fails or is deleted. */
  readonly replaces: boolean;
  /** Whether the object is a custom resource. */
  readonly isCustom: boolean;
  /** The tool that writes the object, and the name of its release. */
  readonly manager: { readonly tool: 'Helm' | 'Argo CD' | 'Flux' | 'operator'; readonly name: string } | undefined;
  /** The command that finds the settings of the program that creates the pod, for a pod without a controller. */
  readonly settings?: string;
  /** The custom resource from which an operator makes the object, if its labels name it. */
  readonly source?: { readonly ref: string; readonly label: string };
}

const firstRelease = Date.UTC(2015, 6);

const templates = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'CronJob'];
const builtIn = new Set([...templates, 'Job', 'Node']);

const owner = (
  kind: string,
  name: string,
  manager: Owner['manager'],
  ref = `${kind.toLowerCase()}/${name}`,
): Owner => ({
  kind,
  name,
  ref,
  label: `${kind} ${name}`,
  replaces: kind !== 'Pod' && kind !== 'Node',
  isCustom: !builtIn.has(kind) && kind !== 'Pod',
  manager,
});

/** Returns the tool that manages the pod's owner. The pod's labels and annotations name it. */
function managerOf({ metadata: { labels = {}, annotations = {} } }: Pod): Owner['manager'] {
  const helm = annotations['meta.helm.sh/release-name'];
  const instance = labels['app.kubernetes.io/instance'];
  const by = labels['app.kubernetes.io/managed-by'] ?? labels['heritage'];
  const argo = labels['argocd.argoproj.io/instance'] ?? annotations['argocd.argoproj.io/tracking-id']?.split(':')[0];
  if (argo !== undefined) return { tool: 'Argo CD', name: argo };
  const flux = labels['kustomize.toolkit.fluxcd.io/name'] ?? labels['helm.toolkit.fluxcd.io/name'];
  if (flux !== undefined) return { tool: 'Flux', name: flux };
  if (helm !== undefined) return { tool: 'Helm', name: helm };
  if (by === undefined) return undefined;
  if (/^helm$/i.test(by)) return { tool: 'Helm', name: instance ?? labels['release'] ?? '' };
  return { tool: 'operator', name: by };
}

/**
 * Returns the owner of the template. The name of a ReplicaSet ends with its pod-template-hash, and the name of a
 * CronJob's Job ends with the scheduled minute. So the Deployment or CronJob is known without a request to the cluster.
 * @param known the topmost controller, if the cluster was asked for it
 */
export function ownerOf(
  pod: Pod,
  known?: { readonly kind: string; readonly name: string; readonly apiVersion: string },
): Owner {
  const found = controllerOf(pod, known);
  // A pod without a controller can have the labels of another one; a static pod has no operator.
  const custom = found.replaces ? customResourceOf(pod) : undefined;
  const isAbove = known !== undefined && !pod.metadata.ownerReferences?.some((each) => each.kind === found.kind);
  // The resource that the user writes: no other one makes it.
  if (found.isCustom && (custom?.kind === found.kind || isAbove))
    return { ...found, manager: found.manager?.tool === 'operator' ? undefined : found.manager };
  if (!custom) return found;
  const { kind, name, resource } = custom;
  return {
    ...found,
    manager: { tool: 'operator', name: kind },
    source: { ref: `${resource}/${name}`, label: `${kind} ${name}` },
  };
}

/** The programs that create pods without an owner reference, by the labels of these pods. */
const makers: readonly { readonly labels: RegExp; readonly label: string; readonly settings: string }[] = [
  {
    labels: /^(?:job|project|manager)\.runner\.gitlab\.com\//,
    label: 'GitLab Runner (config.toml [runners.kubernetes], .gitlab-ci.yml)',
    settings: 'kubectl get configmaps -A | grep -i gitlab-runner',
  },
  {
    labels: /^jenkins\/|^jenkins$/,
    label: 'Jenkins (podTemplate, Jenkinsfile)',
    settings: 'kubectl get configmaps -A | grep -i jenkins',
  },
  {
    labels: /^(?:dag_id|airflow_version|airflow-worker)$/,
    label: 'Airflow (pod_template_file, DAG)',
    settings: 'kubectl get configmaps -A | grep -i airflow',
  },
];

/**
 * Returns whether the name of a Job ends with the minute for which a CronJob scheduled it. A date such as 20261124 has
 * as many digits; as a minute, it would be before the first release of Kubernetes. Upstream: cronjob getJobName.
 */
function isScheduled(job: string): boolean {
  const minute = /-(?<minute>\d{8})$/.exec(job)?.groups?.['minute'];
  return minute !== undefined && Number(minute) * 60_000 > firstRelease;
}

function controllerOf(pod: Pod, known: Parameters<typeof ownerOf>[1]): Owner {
  const { metadata, spec } = pod;
  const manager = managerOf(pod);
  if (isMirrorPod(pod)) {
    const node = spec.nodeName ?? '';
    const name = metadata.name.endsWith(`-${node}`) ? metadata.name.slice(0, -node.length - 1) : metadata.name;
    return { ...owner('Node', node, manager), name, label: `static pod ${name}` };
  }
  const reference =
    known ?? metadata.ownerReferences?.find(({ controller }) => controller) ?? metadata.ownerReferences?.[0];
  if (!reference) {
    const alone = owner('Pod', metadata.name, manager, `pod/${metadata.name}`);
    const maker = makers.find(({ labels: own }) => Object.keys(metadata.labels ?? {}).some((key) => own.test(key)));
    return maker ? { ...alone, label: maker.label, settings: maker.settings } : alone;
  }
  const { kind, name, apiVersion } = reference;
  const labels = metadata.labels ?? {};
  if (kind === 'ReplicaSet') {
    const hash = labels['pod-template-hash'] ?? labels['rollouts-pod-template-hash'];
    if (hash !== undefined && name.endsWith(`-${hash}`)) {
      const base = name.slice(0, -hash.length - 1);
      return labels['rollouts-pod-template-hash'] === undefined
        ? owner('Deployment', base, manager)
        : owner('Rollout', base, manager);
    }
  }
  // A Job that was read and has no owner isn't made by a CronJob, whatever its name.
  if (kind === 'Job' && !known && isScheduled(name)) return owner('CronJob', name.replace(/-\d{8}$/, ''), manager);
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  if (builtIn.has(kind) && /^(?:apps|batch|extensions|)$/.test(group ?? '')) return owner(kind, name, manager);
  return owner(kind, name, manager ?? { tool: 'operator', name: kind }, `${kind.toLowerCase()}.${group}/${name}`);
}

/** Returns whether the owner has a pod template that kubectl can change. */
const hasTemplate = ({ kind }: Owner): boolean => templates.includes(kind);

/** The output of kubectl that shows the owners of an object. */
const ownersOf = "jsonpath='{.metadata.ownerReferences}'";

const managedBy = {
  Helm: 'ownHelm',
  'Argo CD': 'ownArgo',
  Flux: 'ownFlux',
  operator: 'ownOperator',
} as const;

/** Returns how to make a change in the tool of the owner. The tool would undo a change that is made with kubectl. */
function manage(it: Owner, kubectl: (words: string) => string): readonly NextCommand[] {
  const { manager, ref, label, isCustom } = it;
  if (!manager) return [];
  const { tool, name } = manager;
  if (isCustom && tool === 'operator')
    return [{ why: textOf('ownCustom', { owner: label }), command: kubectl(`get ${ref} -o ${ownersOf}`) }];
  const command = {
    Helm: `helm get values ${name}${/ (-n \S+)/.exec(kubectl(''))?.[0] ?? ''}`,
    'Argo CD': `kubectl get applications.argoproj.io -A | grep -w ${name}`,
    Flux: `flux get all -A | grep -w ${name}`,
    operator: kubectl(`get ${ref} -o yaml`),
  }[tool];
  return [{ why: textOf(managedBy[tool], { name }), command }];
}

/**
 * Returns the commands that make a change in the custom resource of an operator. The operator would undo a change of
 * the template. Returns undefined for an object that no operator makes.
 */
function inSource(
  { source, manager, kind, ref, label }: Owner,
  kubectl: (words: string) => string,
  why: ExplainText,
): readonly NextCommand[] | undefined {
  if (source)
    return [
      { why: { ...why, values: { ...why.values, owner: source.label } }, command: kubectl(`edit ${source.ref}`) },
    ];
  if (manager?.tool !== 'operator' || !/operator/i.test(manager.name) || !templates.includes(kind)) return undefined;
  return [
    {
      why: textOf('ownOperatorFind', { name: manager.name, owner: label }),
      command: kubectl(`get ${ref} -o ${ownersOf}`),
    },
    {
      why: { ...why, values: { ...why.values, owner: `RESOURCE/NAME (${manager.name})` } },
      command: kubectl('edit RESOURCE/NAME'),
    },
  ];
}

/**
 * Returns the commands that change the template, so that the change isn't undone.
 * @param why what to change; its value `owner` names the object
 */
export function change(it: Owner, kubectl: (words: string) => string, why: ExplainText): readonly NextCommand[] {
  const { kind, name, ref } = it;
  const made = inSource(it, kubectl, why);
  if (made) return made;
  if (it.settings !== undefined) return [{ why, command: it.settings }];
  if (kind === 'Node') {
    const node = ref.slice('node/'.length);
    const file = `/etc/kubernetes/manifests/${name}.yaml`;
    return [
      { why, command: `kubectl debug node/${node} -it --profile=sysadmin --image=busybox:1.36 -- vi /host${file}` },
      { why: textOf('ownStatic', { file, node }), command: `ssh ${node} sudo vi ${file}` },
    ];
  }
  if (kind === 'Job' && it.manager?.tool === 'Helm' && it.manager.name !== '') {
    const { name: release } = it.manager;
    const namespace = / -n \S+/.exec(kubectl(''))?.[0] ?? '';
    return [
      { why, command: `helm get values ${release}${namespace}` },
      {
        why: textOf('ownHelmJob', { name: release }),
        command: `helm upgrade ${release} CHART${namespace} -f VALUES.yaml`,
      },
    ];
  }
  if (kind === 'Job' || kind === 'Pod')
    return [
      { why, command: kubectl(`get ${ref} -o yaml > ${name}.yaml`) },
      {
        why: textOf(kind === 'Job' ? 'ownJob' : 'ownPod', { name }),
        command: kubectl(`replace --force -f ${name}.yaml`),
      },
    ];
  return [{ why, command: kubectl(`edit ${ref}`) }, ...manage(it, kubectl)];
}

/** Returns the path of the pod's spec in the owner, with a dot at its end; empty if the path isn't known. */
export const templatePath = ({ kind, source }: Owner): string =>
  source || !templates.includes(kind)
    ? ''
    : kind === 'CronJob'
      ? 'spec.jobTemplate.spec.template.spec.'
      : 'spec.template.spec.';

/** Returns the part of an object with the given fields of its pod template's spec; undefined without a template. */
function inTemplate({ kind }: Owner, spec: object): object | undefined {
  if (!templates.includes(kind)) return undefined;
  const template = { spec: { template: { spec } } };
  return kind === 'CronJob' ? { spec: { jobTemplate: template } } : template;
}

/**
 * Returns the command that merges fields into the spec of the owner's pod template; without a template, the result of
 * {@link change}.
 */
export function patch(
  it: Owner,
  kubectl: (words: string) => string,
  why: ExplainText,
  spec: object,
): readonly NextCommand[] {
  const merged = inTemplate(it, spec);
  if (merged === undefined || inSource(it, kubectl, why)) return change(it, kubectl, why);
  const json = JSON.stringify(merged).replaceAll("'", String.raw`'\''`);
  return [{ why, command: kubectl(`patch ${it.ref} -p '${json}'`) }, ...manage(it, kubectl)];
}

/**
 * Returns a command like `kubectl set image deployment/web app=…`; without a template, the result of {@link change}.
 */
export function set(
  it: Owner,
  kubectl: (words: string) => string,
  why: ExplainText,
  words: (ref: string) => string,
): readonly NextCommand[] {
  if (inSource(it, kubectl, why)) return change(it, kubectl, why);
  // Of the fields that `kubectl set` can change, a pod without a controller allows only the image to change.
  return hasTemplate(it) || (it.kind === 'Pod' && !it.settings && words('').startsWith('image '))
    ? [{ why, command: kubectl(`set ${words(it.ref)}`) }, ...manage(it, kubectl)]
    : change(it, kubectl, why);
}

/** Matches the words of a command that change an object. */
const changing = /\b(?:edit|set|patch|scale|replace|rollout|apply)\b/;

/**
 * Returns the commands without changes of an object that an operator makes from a custom resource, because the operator
 * would undo them: they edit the resource instead, and delete the pod instead of restarting all.
 */
export function withoutGenerated(
  { ref, source }: Owner,
  kubectl: (words: string) => string,
  pod: string,
  next: readonly NextCommand[],
): readonly NextCommand[] {
  if (!source) return next;
  return next.map((each) => {
    const { why, command } = each;
    if (!command.includes(` ${ref}`) || !changing.test(command)) return each;
    return {
      why: { ...why, values: { ...why.values, owner: source.label } },
      command: kubectl(command.includes(' rollout restart ') ? `delete pod ${pod}` : `edit ${source.ref}`),
    };
  });
}
