/**
 * Diagnoses containers that the kernel killed for lack of memory: at the container's or pod's limit, when the node
 * ran out, or only one of several processes. Upstream: the runtime's OOM events; kubelet's reason OOMKilled.
 */
import { type ExplainText, type NextCommand, textOf } from '@podscope/trace/explain';
import { heapOf, setHeap } from './heap.ts';
import { bytesOf, mebi, memoryLimit, more, setLimit } from './memory-limit.ts';
import {
  type ContainerMatcher,
  crashOutlook,
  factsOf,
  isPresent,
  isRestarted,
  logsCommand,
  newest,
  ranFor,
  roughly,
} from './pod-case.ts';
import { rollBack } from './program/recognizer.ts';
import { workerCount } from './workers.ts';

/**
 * Returns when after its start a program reached its limit. A program that is killed early needs the memory to start;
 * the memory of a program that worked for at least an hour grows.
 */
function paceOf(ran: number | undefined): 'early' | 'middle' | 'late' {
  if (ran === undefined) return 'middle';
  return ran < 60_000 ? 'early' : ran < 3_600_000 ? 'middle' : 'late';
}

/** The texts about why a program needs more than its limit. */
const paces = { work: 'oomWhyWork', early: 'oomWhyStart', middle: 'oomWhy', late: 'oomWhyGrows' } as const;

/** Diagnoses `OOMKilled`. */
export const memoryFinding: ContainerMatcher = (it, container) => {
  const { ended, name, role } = container;
  if (!ended || !isPresent(it, container) || (ended.reason !== 'OOMKilled' && !/OOM/.test(ended.reason ?? '')))
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
  const isHeap =
    heap !== undefined &&
    bytes !== undefined &&
    (heap.bytes === undefined ? (heap.percent ?? 0) >= 80 : heap.bytes * 10n >= bytes * 8n);
  const isSmall = bytes !== undefined && bytes < 16n * mebi;
  // Files in an emptyDir with medium Memory count as memory of the container that writes them.
  const files = (container.spec.volumeMounts ?? [])
    .filter((mount) =>
      it.pod.spec.volumes?.some(
        ({ name: volume, emptyDir }) =>
          volume === mount.name &&
          emptyDir?.medium === 'Memory' &&
          // A small part of the limit isn't what filled it.
          (bytesOf(emptyDir.sizeLimit) ?? bytes ?? 0n) * 10n >= (bytes ?? 0n),
      ),
    )
    .map(({ mountPath }) => mountPath);
  const isWork = it.owner.kind === 'Job' || it.owner.kind === 'CronJob' || role === 'init';
  const pace = isWork ? 'work' : paceOf(ran);
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
    else cause.push(textOf(paces[pace], values));
    if (files.length > 0) cause.push(textOf('oomFiles', { ...values, files: files.join(', ') }));
  }
  const largest = isHeap && heap.bytes !== undefined && bytes !== undefined && heap.bytes > bytes ? heap.bytes : bytes;
  const raised = isSmall ? '256Mi' : largest === undefined ? '' : more(largest);
  const all = { ...values, raised, owner: it.owner.label };
  const restarts = isRestarted(it, container);
  const count = workerCount(container);
  const raise = (
    id: 'oomFixUnit' | 'oomRaise' | 'oomRaiseFirst' | 'oomRaisePeak' | 'oomRaiseLast' | 'oomRaiseWork',
  ): readonly NextCommand[] => (limit ? setLimit(it, container, id, raised, all) : it.change('oomSet', all));
  const look = (id: 'oomTop' | 'oomTopDecides' | 'oomTopGrows'): NextCommand =>
    restarts
      ? { why: textOf(id, all), command: it.kubectl(`top pod ${it.name} --containers`) }
      : { why: textOf('oomLog', all), command: logsCommand(it, container) };
  const lower = (): readonly NextCommand[] =>
    heap && bytes !== undefined ? setHeap(it, container, heap, bytes, 'oomHeapFix', all) : [];
  const undo = rollBack({ it, values: { container: name } });
  const remedies = (): readonly NextCommand[] => {
    if (!limit) return [look('oomTop'), { why: textOf('oomTopNode', all), command: `kubectl top node ${it.node}` }];
    if (isSmall) return raise('oomFixUnit');
    if (isHeap) {
      const isFarBeyond = heap.bytes !== undefined && bytes !== undefined && heap.bytes * 4n > bytes * 5n;
      return isFarBeyond ? [...raise('oomRaiseFirst'), ...lower()] : [...lower(), ...raise('oomRaise')];
    }
    if (isChild && pace !== 'work')
      return [...raise('oomRaiseFirst'), ...it.change('oomChildFewer', all), look('oomTop')];
    if (pace === 'work')
      return [
        ...raise('oomRaiseWork'),
        ...(isChild && count ? it.change('workersFewer', { ...all, ...count }) : []),
        look('oomTop'),
      ];
    if (pace === 'early') return [...raise('oomRaiseFirst'), look('oomTop')];
    if (pace === 'late')
      return [look('oomTopGrows'), ...it.change('oomGrowthFix', all), ...undo, ...raise('oomRaiseLast')];
    return [look('oomTopDecides'), ...raise('oomRaisePeak'), ...undo.slice(0, 1)];
  };
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
      ...(files.length > 0 && !isSmall && !isHeap ? it.change('oomFilesFix', { ...all, files: files.join(', ') }) : []),
      ...remedies(),
      ...(limit ? [] : raise('oomRaise')),
    ],
  };
};

const killedChild = /\bKilled\b|signal(?: |: )?(?:9|killed)|SIGKILL|exit (?:status|code) 137|code=137/;

/** Diagnoses a process that the kernel killed inside a container whose runtime doesn't report OOMKilled. */
export const childMemoryFinding: ContainerMatcher = (it, container) => {
  const { ended, name } = container;
  const said = [ended?.message ?? '', it.cluster.logs?.[name] ?? ''].join('\n');
  const event = newest(it.events, ['OOMKilling', 'SystemOOM', 'OOMKilled']);
  if (!ended || ended.exitCode === 0 || !isPresent(it, container) || (!killedChild.test(said) && !event))
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
    outlook: crashOutlook(it, container, isRestarted(it, container)),
    next: [
      ...(limit ? setLimit(it, container, 'childOomRaise', values.raised, values) : it.change('oomSet', values)),
      ...(isRestarted(it, container)
        ? [{ why: textOf('oomTop', values), command: it.kubectl(`top pod ${it.name} --containers`) }]
        : []),
      { why: textOf('childOomLog', values), command: logsCommand(it, container) },
    ],
  };
};
