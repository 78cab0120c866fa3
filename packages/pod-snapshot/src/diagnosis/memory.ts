/**
 * Diagnoses containers that the kernel killed for lack of memory: at the container's or pod's limit, when the node
 * ran out, or only one of several processes. Upstream: the runtime's OOM events; kubelet's reason OOMKilled.
 */
import { parseQuantity } from '@podscope/k8s';
import { type ExplainText, type FieldFact, textOf } from '@podscope/trace/explain';
import { instantOf } from '../pod-snapshot.ts';
import {
  type ContainerCase,
  type ContainerMatcher,
  crashOutlook,
  factsOf,
  isPresent,
  isRestarted,
  logsCommand,
  newest,
  type PodCase,
  ranFor,
  roughly,
} from './pod-case.ts';

const mebi = 1024n ** 2n;

/** Returns a quantity in units of 10⁻⁹; undefined if the text isn't a quantity. */
export function quantityNanos(text: string | number | undefined): bigint | undefined {
  try {
    return text === undefined ? undefined : parseQuantity(text).nanos;
  } catch {
    return undefined;
  }
}

/** Returns the amount in bytes; undefined if the text isn't a quantity. */
export function bytesOf(text: string | number | undefined): bigint | undefined {
  const nanos = quantityNanos(text);
  return nanos === undefined ? undefined : nanos / 1_000_000_000n;
}

/** Formats bytes as `1536Mi` or `6Gi`. */
export const quantityText = (bytes: bigint): string =>
  bytes % (1024n * mebi) === 0n ? `${bytes / (1024n * mebi)}Gi` : `${bytes / mebi || 1n}Mi`;

/** Returns one and a half times a limit, rounded up to MiB: the value to try first. */
export const more = (bytes: bigint): string => quantityText((((bytes * 3n) / 2n + mebi - 1n) / mebi) * mebi);

const units: Readonly<Record<string, bigint>> = { '': 1n, k: 1024n, m: mebi, g: 1024n * mebi };

/** Returns the maximum heap size that the program's settings allow. */
export function heapOf({
  spec,
  specPath,
}: ContainerCase):
  | { readonly setting: string; readonly bytes: bigint | undefined; readonly fact: FieldFact }
  | undefined {
  const places = [
    ...(spec.env ?? []).map(({ name, value = '' }, index) => ({
      text: value,
      path: `${specPath}.env[${index}] ${name}`,
    })),
    { text: (spec.command ?? []).join(' '), path: `${specPath}.command` },
    { text: (spec.args ?? []).join(' '), path: `${specPath}.args` },
  ];
  for (const { text, path } of places) {
    const java = /-Xmx(\d+)([kKmMgG]?)/.exec(text);
    const percent = /-XX:MaxRAMPercentage=[\d.]+/.exec(text);
    const node = /--max[-_]old[-_]space[-_]size=(\d+)/.exec(text);
    const found = java ?? node ?? percent;
    if (!found) continue;
    const bytes = java
      ? BigInt(java[1] ?? 0) * (units[(java[2] ?? '').toLowerCase()] ?? 1n)
      : node
        ? BigInt(node[1] ?? 0) * mebi
        : undefined;
    return { setting: found[0], bytes, fact: { path, value: text } };
  }
  return undefined;
}

const memoryLimit = (
  { pod }: PodCase,
  { spec, specPath }: ContainerCase,
): { readonly text: string; readonly path: string } | undefined => {
  const own = spec.resources?.limits?.['memory'];
  if (own !== undefined) return { text: String(own), path: `${specPath}.resources.limits.memory` };
  const whole = pod.spec.resources?.limits?.['memory'];
  return whole === undefined ? undefined : { text: String(whole), path: 'spec.resources.limits.memory' };
};

/** Diagnoses `OOMKilled`. */
export const memoryFinding: ContainerMatcher = (it, container) => {
  const { ended, name, role } = container;
  if (
    !ended ||
    !isPresent(container, instantOf(it.pod.metadata.creationTimestamp)) ||
    (ended.reason !== 'OOMKilled' && !/OOM/.test(ended.reason ?? ''))
  )
    return undefined;
  const limit = memoryLimit(it, container);
  const heap = heapOf(container);
  const bytes = bytesOf(limit?.text);
  const ran = ranFor(ended);
  const values = {
    container: name,
    limit: limit?.text ?? '',
    node: it.node,
    ran: ran === undefined ? '' : roughly(ran),
    setting: heap?.setting ?? '',
    code: ended.exitCode,
  };
  // The kernel ends the main process with SIGKILL, which makes the exit code 137.
  const isChild = ended.exitCode !== 137 && ran !== undefined;
  const isHeap = heap?.bytes !== undefined && bytes !== undefined && heap.bytes * 10n >= bytes * 8n;
  const isSmall = bytes !== undefined && bytes < 16n * mebi;
  const cause: ExplainText[] = [];
  if (!limit) cause.push(textOf('oomUnlimited', values));
  else {
    cause.push(
      textOf(
        limit.path.startsWith('spec.resources')
          ? 'oomPodLimit'
          : isChild
            ? 'oomChild'
            : ran !== undefined && ran > 1_000
              ? 'oomAfter'
              : 'oomAtOnce',
        values,
      ),
    );
    if (isSmall) cause.push(textOf('oomUnit', values));
    else if (isHeap) cause.push(textOf('oomHeap', values));
    else cause.push(textOf('oomWhy', values));
  }
  const heapBytes = isHeap ? heap.bytes : 0n;
  const raised = bytes === undefined ? '' : more(heapBytes > bytes ? heapBytes : bytes);
  const request = container.spec.resources?.requests?.['memory'];
  const raise =
    limit && !limit.path.startsWith('spec.resources')
      ? it.set(
          isSmall ? 'oomFixUnit' : 'oomRaise',
          { ...values, raised: isSmall ? '256Mi' : raised },
          (ref) =>
            `resources ${ref} -c=${name} ` +
            `--limits=memory=${isSmall ? '256Mi' : raised}` +
            (request === undefined ? '' : ` --requests=memory=${isSmall ? '256Mi' : raised}`),
        )
      : limit
        ? it.change('oomRaise', { ...values, raised })
        : it.change('oomSet', values);
  return {
    reason: ended.reason ?? 'OOMKilled',
    severity: container.runningSince !== undefined && container.status?.ready ? 'info' : 'error',
    origin: limit ? 'program' : 'node',
    container: name,
    title: textOf(limit ? 'oomLimitTitle' : 'oomNodeTitle', values),
    cause: [...cause, ...(role === 'sidecar' ? [textOf('sidecarHolds', values)] : [])],
    said: ended.message?.trim() || undefined,
    facts: [
      ...factsOf(
        [`${ended.path}.reason`, ended.reason],
        [`${ended.path}.exitCode`, ended.exitCode],
        [limit?.path ?? `${container.specPath}.resources`, limit?.text ?? container.spec.resources ?? {}],
      ),
      ...(heap ? [heap.fact] : []),
    ],
    outlook: crashOutlook(it, container, isRestarted(it, container)),
    next: [
      ...(isRestarted(it, container)
        ? [{ why: textOf('oomTop', values), command: it.kubectl(`top pod ${it.name} --containers`) }]
        : [{ why: textOf('oomLog', values), command: logsCommand(it, container) }]),
      ...(limit ? [] : [{ why: textOf('oomTopNode', values), command: `kubectl top node ${it.node}` }]),
      ...(heap && limit ? it.change('oomHeapFix', values) : []),
      ...raise,
      ...(isChild && limit ? it.change('oomChildFewer', values) : []),
    ],
  };
};

const killedChild = /\bKilled\b|signal(?: |: )?(?:9|killed)|SIGKILL|exit (?:status|code) 137|code=137/;

/** Diagnoses a process that the kernel killed inside a container whose runtime doesn't report OOMKilled. */
export const childMemoryFinding: ContainerMatcher = (it, container) => {
  const { ended, name } = container;
  const said = [ended?.message ?? '', it.cluster.logs?.[name] ?? ''].join('\n');
  const event = newest(it.events, ['OOMKilling', 'SystemOOM', 'OOMKilled']);
  if (
    !ended ||
    ended.exitCode === 0 ||
    !isPresent(container, instantOf(it.pod.metadata.creationTimestamp)) ||
    (!killedChild.test(said) && !event)
  )
    return undefined;
  if (container.probeKill || newest(container.events, ['Killing'], /probe|hook/i)) return undefined;
  const limit = memoryLimit(it, container);
  const bytes = bytesOf(limit?.text);
  const program = /program (\S+)/.exec(said)?.[1] ?? /(?:worker|process) \(?pid[: ]?\d+/i.exec(said)?.[0] ?? '';
  const values = {
    container: name,
    limit: limit?.text ?? '',
    node: it.node,
    program,
    code: ended.exitCode,
    raised: bytes === undefined ? '' : more(bytes),
  };
  const ran = ranFor(ended);
  return {
    reason: ended.reason ?? 'Error',
    severity: 'error',
    origin: 'program',
    certainty: 'likely',
    container: name,
    title: textOf('childOomTitle', values),
    cause: [
      textOf(program ? 'childOomNamed' : 'childOom', values),
      textOf(limit ? 'childOomLimit' : 'childOomNode', values),
    ],
    said: said.trim(),
    facts: factsOf(
      [`${ended.path}.exitCode`, ended.exitCode],
      [`${ended.path}.message`, ended.message],
      [limit?.path ?? '', limit?.text],
    ),
    outlook:
      ran === undefined
        ? crashOutlook(it, container, isRestarted(it, container))
        : crashOutlook(it, container, isRestarted(it, container)),
    next: [
      { why: textOf('oomTop', values), command: it.kubectl(`top pod ${it.name} --containers`) },
      ...(limit
        ? it.set(
            'childOomRaise',
            values,
            (ref) =>
              `resources ${ref} -c=${name} ` +
              `--limits=memory=${values.raised}` +
              (container.spec.resources?.requests?.['memory'] === undefined
                ? ''
                : ` --requests=memory=${values.raised}`),
          )
        : it.change('oomSet', values)),
      { why: textOf('childOomLog', values), command: logsCommand(it, container) },
    ],
  };
};
