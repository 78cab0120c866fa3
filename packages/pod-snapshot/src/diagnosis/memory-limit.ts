/** Reads memory limits, and contains the commands that raise them. */
import { parseQuantity } from '@podscope/k8s';
import type { NextCommand, textOf } from '@podscope/trace/explain';
import type { ContainerCase, PodCase } from './pod-case.ts';

export const mebi = 1024n ** 2n;

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

/** Returns the memory limit of a container or of its pod, with the path of its field; undefined without one. */
export const memoryLimit = (
  { pod }: PodCase,
  { spec, specPath }: ContainerCase,
): { readonly text: string; readonly path: string } | undefined => {
  const own = spec.resources?.limits?.['memory'];
  if (own !== undefined) return { text: String(own), path: `${specPath}.resources.limits.memory` };
  const whole = pod.spec.resources?.limits?.['memory'];
  return whole === undefined ? undefined : { text: String(whole), path: 'spec.resources.limits.memory' };
};

/**
 * Returns the argument or variable that limits the memory of the program, for example `--maxmemory 1600mb` or
 * `WIRED_TIGER_CACHE_SIZE=2G`; undefined without one.
 */
export function memorySetting({ spec }: ContainerCase): string | undefined {
  const named = /max[-_]?mem|memory|cache|buffer|heap|\bmem\b|-Xmx|space-size/i;
  const amount = /^\d+(?:\.\d+)?\s?(?:[kmg]i?b?)?$/i;
  const words = [...(spec.command ?? []), ...(spec.args ?? [])].flatMap((word) => word.trim().split(/\s+/));
  for (const [index, word] of words.entries()) {
    const [, flag = '', given] = /^(-{1,2}[\w.-]+)(?:=(\S+))?$/.exec(word) ?? [];
    const value = given ?? words[index + 1] ?? '';
    if (flag !== '' && named.test(flag) && amount.test(value)) return given === undefined ? `${flag} ${value}` : word;
  }
  const variable = (spec.env ?? []).find(({ name, value = '' }) => named.test(name) && amount.test(value.trim()));
  return variable && `${variable.name}=${variable.value?.trim()}`;
}

/**
 * Returns the commands that set the memory limit of a container. A request is raised with it, so that the pod keeps its
 * QoS class. A limit of the whole pod is changed in the template.
 */
export function setLimit(
  it: PodCase,
  container: ContainerCase,
  id: Parameters<typeof textOf>[0],
  raised: string,
  values: Readonly<Record<string, string | number>>,
): readonly NextCommand[] {
  const { name, spec } = container;
  const all = { container: name, ...values, raised };
  const isOfPod = memoryLimit(it, container)?.path.startsWith('spec.resources') === true;
  return isOfPod
    ? it.change(id, all)
    : it.set(
        id,
        all,
        (ref) =>
          `resources ${ref} -c=${name} --limits=memory=${raised}` +
          (spec.resources?.requests?.['memory'] === undefined ? '' : ` --requests=memory=${raised}`),
      );
}
