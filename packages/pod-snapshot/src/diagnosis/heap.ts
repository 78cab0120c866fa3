/** Reads the heap settings of the JVM and of Node.js, and contains the commands that change them. */
import { type FieldFact, type NextCommand } from '@podscope/trace/explain';
import { mebi } from './memory-limit.ts';
import type { ContainerCase, PodCase } from './pod-case.ts';

const units: Readonly<Record<string, bigint>> = { '': 1n, k: 1024n, m: mebi, g: 1024n * mebi };

export interface Heap {
  readonly setting: string;
  /** The largest heap in bytes; undefined if it is a share of the limit. */
  readonly bytes: bigint | undefined;
  /** The share of the limit in percent, of `-XX:MaxRAMPercentage`. */
  readonly percent: number | undefined;
  readonly fact: FieldFact;
  /** The variable with the setting and its whole value; undefined if an argument contains the setting. */
  readonly variable: { readonly name: string; readonly value: string } | undefined;
}

/** Returns the bytes of a size of the JVM, such as 512m. */
const javaBytes = (digits = '0', unit = ''): bigint => BigInt(digits) * (units[unit.toLowerCase()] ?? 1n);

/** Returns the maximum heap size that the program's settings allow. */
export function heapOf({ spec, specPath }: ContainerCase): Heap | undefined {
  const places = [
    ...(spec.env ?? []).map(({ name, value = '' }, index) => ({
      text: value,
      path: `${specPath}.env[${index}] ${name}`,
      variable: { name, value },
    })),
    { text: (spec.command ?? []).join(' '), path: `${specPath}.command`, variable: undefined },
    { text: (spec.args ?? []).join(' '), path: `${specPath}.args`, variable: undefined },
  ];
  for (const { text, path, variable } of places) {
    const java = /-Xmx(\d+)([kKmMgG]?)/.exec(text);
    const percent = /-XX:MaxRAMPercentage=([\d.]+)/.exec(text);
    const node = /--max[-_]old[-_]space[-_]size=(\d+)/.exec(text);
    const found = java ?? node ?? percent;
    if (!found) continue;
    const bytes = java ? javaBytes(java[1], java[2]) : node ? BigInt(node[1] ?? 0) * mebi : undefined;
    return {
      setting: found[0],
      bytes,
      percent: java || node ? undefined : Number(percent?.[1]),
      fact: { path, value: text },
      variable,
    };
  }
  return undefined;
}

/** Returns the heap setting with three quarters of the limit. */
function smallerHeap({ setting, percent }: Heap, limit: bigint): string {
  if (percent !== undefined) return '-XX:MaxRAMPercentage=75';
  const size = `${(limit * 3n) / 4n / mebi}`;
  return setting.startsWith('-Xmx') ? `-Xmx${size}m` : setting.replace(/\d+$/, size);
}

/**
 * Returns the value of a variable with a smaller heap setting. An initial heap of Java that is larger than the new
 * maximum is lowered to it, because the JVM would not start otherwise.
 */
function withHeap(value: string, setting: string, lowered: string): string {
  const replaced = value.replace(setting, lowered);
  const most = /^-Xmx(\d+)(\w?)$/.exec(lowered);
  if (!most) return replaced;
  const bytes = javaBytes(most[1], most[2]);
  return replaced.replace(/-Xms(\d+)([kKmMgG]?)/, (initial: string, digits: string, unit: string) =>
    javaBytes(digits, unit) > bytes ? lowered.replace('-Xmx', '-Xms') : initial,
  );
}

/** Returns the commands that set the heap to three quarters of the memory limit. The text gets the value `lowered`. */
export function setHeap(
  it: PodCase,
  { name }: ContainerCase,
  heap: Heap,
  limit: bigint,
  id: 'oomHeapFix' | 'runHeapRaise',
  values: Readonly<Record<string, string | number>>,
): readonly NextCommand[] {
  const lowered = smallerHeap(heap, limit);
  const { variable, setting } = heap;
  const all = { container: name, ...values, setting, lowered };
  return variable
    ? it.set(id, all, (ref) => {
        const value = withHeap(variable.value, setting, lowered).replaceAll("'", String.raw`'\''`);
        return `env ${ref} -c=${name} '${variable.name}=${value}'`;
      })
    : it.change(id, all);
}
