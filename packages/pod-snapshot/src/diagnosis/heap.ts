/** Reads the heap settings of the JVM and of Node.js, and contains the commands that change them. */
import { type FieldFact, type NextCommand } from '@podscope/trace/explain';
import { mebi } from './memory-limit.ts';
import type { ContainerCase, PodCase } from './pod-case.ts';

const units: Readonly<Record<string, bigint>> = { '': 1n, k: 1024n, m: mebi, g: 1024n * mebi };

export interface Heap {
  readonly setting: string;
  /** The setting of Java's initial heap, for example `-Xms512m`; undefined without one. */
  readonly initial: string | undefined;
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
      initial: java ? /-Xms\d+[kKmMgG]?/.exec(text)?.[0] : undefined,
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

/** Returns the bytes of a setting of Java's heap, such as -Xmx512m. */
const sizeOf = (setting: string): bigint => {
  const [, digits, unit] = /(\d+)([kKmMgG]?)$/.exec(setting) ?? [];
  return javaBytes(digits, unit);
};

/** Returns the commands that set the heap to three quarters of the memory limit. The text gets the value `lowered`. */
export function setHeap(
  it: PodCase,
  { name }: ContainerCase,
  heap: Heap,
  limit: bigint,
  id: 'oomHeapFix' | 'runHeapRaise',
  values: Readonly<Record<string, string | number>>,
): readonly NextCommand[] {
  const { variable, setting, initial } = heap;
  const most = smallerHeap(heap, limit);
  // The JVM doesn't start if its initial heap is larger than the maximum.
  const first =
    initial !== undefined && most.startsWith('-Xmx') && sizeOf(initial) > sizeOf(most)
      ? { from: initial, to: most.replace('-Xmx', '-Xms') }
      : undefined;
  const all = {
    container: name,
    ...values,
    setting: first ? `${setting} ${first.from}` : setting,
    lowered: first ? `${most} ${first.to}` : most,
  };
  return variable
    ? it.set(id, all, (ref) => {
        const lowered = variable.value.replace(setting, most);
        const value = (first ? lowered.replace(first.from, first.to) : lowered).replaceAll("'", String.raw`'\''`);
        return `env ${ref} -c=${name} '${variable.name}=${value}'`;
      })
    : it.change(id, all);
}
