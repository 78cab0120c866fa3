/**
 * Recognizes exits that the platform causes: architecture, privileges, kernel limits and memory of the program.
 */
import { textOf } from '@podscope/trace/explain';
import { heapOf, setHeap } from '../heap.ts';
import { bytesOf, memoryLimit } from '../memory-limit.ts';
import { logs, plain, type Recognizer } from './recognizer.ts';

/**
 * The recognizers for causes in the platform, then for the memory of the program itself. The first one that matches
 * decides.
 */
export const platformCauses: readonly Recognizer[] = [
  [
    /exec format error/i,
    ({ it, values }) => ({
      title: textOf('archTitle', values),
      cause: [textOf('arch', values)],
      next: [
        {
          why: textOf('archBuild', values),
          command: `docker buildx build --platform linux/amd64,linux/arm64 --push -t ${values['image']} .`,
        },
        ...it.change('archSelect', values),
        { why: textOf('archNode', values), command: `kubectl get node ${it.node} -L kubernetes.io/arch` },
      ],
      origin: 'configuration',
    }),
  ],
  [
    /iptables[^\n]*(?:Permission denied|must be root|Operation not permitted)|NET_ADMIN/i,
    ({ it, values }) => ({
      title: textOf('runIptablesTitle', values),
      cause: [textOf('runIptables', values)],
      next: [
        {
          why: textOf('runIptablesCni', values),
          command: "kubectl get daemonset -A | grep -iE 'istio-cni|linkerd-cni'",
        },
        ...it.change('runIptablesFix', values),
      ],
      origin: 'configuration',
    }),
  ],
  [
    /vm\.max_map_count \[\d+\] (?:is )?(?:likely )?too low|max virtual memory areas vm\.max_map_count/i,
    plain('runMaps', 'node', ({ it, values }) => [
      {
        why: textOf('runMapsNode', values),
        command:
          `kubectl debug node/${it.node} -it --profile=sysadmin --image=busybox:1.36 -- sysctl -w ` +
          'vm.max_map_count=262144',
      },
    ]),
  ],
  [
    /System limit for number of file watchers|inotify (?:instance|watch)|too many open files/i,
    plain('runFiles', 'node'),
  ],
  // Memory of the program itself.
  [
    /java\.lang\.OutOfMemoryError: (?:unable to create|unable to create new) native thread|Resource temporarily unavailable|can't start new thread|pthread_create failed/i,
    plain('runThread', 'configuration'),
  ],
  [
    /insufficient memory for the Java Runtime|os::commit_memory|Could not reserve enough space for (?:\d+KB )?object heap|std::bad_alloc|Cannot allocate memory|\bENOMEM\b|Allowed memory size of \d+ bytes exhausted|NoMemoryError/i,
    (exit, _groups, all) => {
      const { it, container, values } = exit;
      const limit = String(
        container.spec.resources?.limits?.['memory'] ?? it.pod.spec.resources?.limits?.['memory'] ?? '',
      );
      const heap = heapOf(container)?.setting ?? '';
      const isPhp = /Allowed memory size/.test(all);
      const kind = { ...values, limit, heap };
      return {
        title: textOf('runNoMemoryTitle', kind),
        cause: [
          textOf(isPhp ? 'runPhpMemory' : limit ? 'runNoMemory' : 'runNoMemoryNode', kind),
          ...(heap && !isPhp ? [textOf('runNoMemoryHeap', kind)] : []),
        ],
        next: [
          ...it.change(isPhp ? 'runPhpMemoryFix' : heap ? 'runNoMemoryHeapFix' : 'runNoMemoryFix', kind),
          ...(limit || isPhp ? [] : [{ why: textOf('oomTopNode', values), command: `kubectl top node ${it.node}` }]),
          logs(exit),
        ],
        origin: 'configuration',
      };
    },
  ],
  [
    /java\.lang\.OutOfMemoryError:? ?(?<what>[^\n]*)|JavaScript heap out of memory|Reached heap limit|\bMemoryError\b|runtime: out of memory/i,
    (exit, { what = '' }, all) => {
      const { it, container, values } = exit;
      const isNode = /JavaScript|heap limit/.test(all);
      const isJava = /java\.lang/.test(all);
      const limit = memoryLimit(it, container)?.text ?? '';
      const heap = heapOf(container);
      const kind = { ...values, what: what.trim() || 'heap', limit, setting: heap?.setting ?? '' };
      const bytes = bytesOf(limit === '' ? undefined : limit);
      const hasRoom = heap?.bytes !== undefined && bytes !== undefined && heap.bytes * 3n <= bytes * 2n;
      return {
        title: textOf(isJava ? 'runHeapJavaTitle' : isNode ? 'runHeapNodeTitle' : 'runHeapTitle', kind),
        cause: [
          textOf(isJava ? 'runHeapJava' : isNode ? 'runHeapNode' : 'runHeap', kind),
          ...(heap ? [textOf('runHeapSetting', { ...kind, place: heap.fact.path })] : []),
          ...(limit === '' ? [] : [textOf('runHeapNotKernel', kind)]),
        ],
        next: [
          ...(hasRoom
            ? setHeap(it, container, heap, bytes, 'runHeapRaise', kind)
            : it.change(isJava ? 'runHeapJavaFix' : isNode ? 'runHeapNodeFix' : 'runHeapFix', kind)),
          logs(exit),
        ],
        origin: 'program',
      };
    },
  ],
];
