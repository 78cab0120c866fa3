/**
 * Implements `kubectl_complete-podscope`, which kubectl runs to complete the words of the plugin's command line. Prints
 * one candidate per line and then a directive of cobra. Upstream: kubectl plugin completion (v1.26 and newer).
 */
import { optionsIn } from '@podscope/command-line';
import { ClusterConnection } from '@podscope/server/cluster';
import { kubectlCommands } from './commands.ts';
import { workloadsPath, workloadTypes } from './workloads.ts';

/** cobra's ShellCompDirectiveNoFileComp, ShellCompDirectiveNoSpace and ShellCompDirectiveDefault. */
const noFiles = 4;
const noSpace = 2;
const files = 0;

export interface Completion {
  readonly words: readonly string[];
  readonly directive: number;
}

const valueOf = (words: readonly string[], ...names: readonly string[]): string | undefined => {
  for (const [index, word] of words.entries()) {
    if (names.includes(word)) return words[index + 1];
    const long = names.find((name) => word.startsWith(`${name}=`));
    if (long !== undefined) return word.slice(long.length + 1);
  }
  return undefined;
};

interface Names {
  readonly items?: readonly { readonly metadata?: { readonly name?: string } }[];
}

async function namesOf(cluster: ClusterConnection, path: string): Promise<readonly string[]> {
  const { items = [] } = (await cluster.get(path)) as Names;
  return items.flatMap(({ metadata }) => metadata?.name ?? []);
}

/** Returns the candidates for the last of the words, which may be incomplete or empty. */
export async function complete(words: readonly string[]): Promise<Completion> {
  const last = words.at(-1) ?? '';
  const before = words.at(-2);
  const [name = ''] = words;
  const matching = (candidates: readonly string[], directive = noFiles): Completion => ({
    words: candidates.filter((each) => each.startsWith(last)),
    directive,
  });
  if (words.length <= 1) return matching(Object.keys(kubectlCommands));
  const listed = kubectlCommands[name];
  if (!listed) return matching([]);
  try {
    const kubeconfig = valueOf(words, '--kubeconfig');
    if (before === '--kubeconfig') return matching([], files);
    if ((before === '-o' || before === '--output') && name === 'record') return matching([], files);
    if (before === '-o' || before === '--output') return matching(['text', 'json']);
    if (before === '--profile') return matching(['v1.36', 'v1.20']);
    const open = (): ClusterConnection =>
      new ClusterConnection({ kubeconfig, context: valueOf(words.slice(0, -1), '--context') });
    if (before === '--context') return matching(new ClusterConnection({ kubeconfig, context: undefined }).contexts);
    if (before === '-n' || before === '--namespace') return matching(await namesOf(open(), '/api/v1/namespaces'));
    if (last.startsWith('-'))
      return matching(optionsIn((await listed.load()).help).map((option) => `--${option.name}`));
    if (name === 'watch' || before === '-l' || before === '--selector') return matching([]);
    const cluster = open();
    const namespace = valueOf(words, '-n', '--namespace') ?? cluster.namespace;
    const pods = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
    const slash = last.indexOf('/');
    if (slash >= 0) {
      const type = last.slice(0, slash);
      const path = /^(?:pods?|po)$/.test(type) ? pods : name === 'why' ? workloadsPath(namespace, type) : undefined;
      return matching(path === undefined ? [] : (await namesOf(cluster, path)).map((each) => `${type}/${each}`));
    }
    const typed = name === 'why' && before !== undefined ? workloadsPath(namespace, before) : undefined;
    if (typed !== undefined) return matching(await namesOf(cluster, typed));
    // The type must be followed by a name, so the shell adds no space after the slash.
    const types = name === 'why' && last !== '' ? workloadTypes(last).map((each) => `${each}/`) : [];
    const found = matching([...(await namesOf(cluster, pods)), ...types]);
    return found.words.length > 0 && found.words.every((each) => each.endsWith('/'))
      ? { ...found, directive: noFiles | noSpace }
      : found;
  } catch {
    // If the cluster doesn't respond, return no candidates. An error message would disturb the user's command line.
    return matching([]);
  }
}
