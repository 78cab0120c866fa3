/**
 * Finds the source lines of each point of the flow: the line that passes the point to `tracer.span`, the function of a
 * step of SyncPod, the lines that make a CRI or Docker call, the line that evaluates a rule. Reads the sources as text
 * and the points as modules.
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { imageServiceMethods, runtimeServiceMethods } from '../../packages/cri/src/index.ts';
import type { PointSources } from '../../packages/debugger/src/index.ts';
import * as flow from '../../packages/flow/src/index.ts';

const root = resolve(import.meta.dirname, '../..');
const enginePackages = ['kuberuntime', 'kubelet', 'dockershim', 'simulated-runtime'];

interface Source {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly text: string;
}

async function engineSources(): Promise<readonly Source[]> {
  const sources: Source[] = [];
  for (const name of enginePackages) {
    const directory = join(root, 'packages', name, 'src');
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (!entry.isFile() || !file.endsWith('.ts') || /\.test\.ts$|\/testing\//.test(file)) continue;
      sources.push({ path: relative(root, file), text: await readFile(file, 'utf8') });
    }
  }
  return sources.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

const flowIndex = 'packages/flow/src/index.ts';

/** Returns the file that exports a name that another file imports, and the exported name. */
function importOf({ path, text }: Source, name: string): { readonly path: string; readonly name: string } | undefined {
  for (const [, list = '', from = ''] of text.matchAll(
    /import (?:type )?\{([^}]*)\} from '(\.[^']*|@podscope\/flow)'/g,
  )) {
    for (const item of list.split(',')) {
      const [exported = '', local = exported] = item
        .trim()
        .replace(/^type /, '')
        .split(' as ');
      if (local === name)
        return { path: from === '@podscope/flow' ? flowIndex : join(dirname(path), from), name: exported };
    }
  }
  return undefined;
}

const idOf = (value: unknown): readonly string[] => {
  const id = (value as { readonly id?: unknown } | undefined)?.id;
  return typeof id === 'string' ? [id] : [];
};

/** Returns the ids of the points that an expression such as `steps.setPodStatus` can refer to in a file. */
async function pointIDs(source: Source, expression: string): Promise<readonly string[]> {
  const [head = '', ...members] = expression.split('.');
  const alias = new RegExp(`const ${head} = (\\w+);`).exec(source.text)?.[1];
  const from = importOf(source, alias ?? head);
  if (!from) return handedIn(members.at(-1) ?? '');
  let value: unknown = ((await import(join(root, from.path))) as Record<string, unknown>)[from.name];
  for (const member of members) value = (value as Record<string, unknown> | undefined)?.[member];
  return idOf(value);
}

/**
 * Returns the ids of a step of the kubelet's SyncPod in both releases, because code that both releases share gets its
 * steps from the profile.
 */
const handedIn = (member: string): readonly string[] => [
  ...new Set(
    [flow.kubeletSyncPodPoints, flow.kubeletSyncPodPointsV120].flatMap((points) =>
      idOf((points as Readonly<Record<string, unknown>>)[member]),
    ),
  ),
];

type Found = Map<string, { path: string; line: number }[]>;

function add(found: Found, id: string, path: string, line: number): void {
  const places = found.get(id) ?? [];
  if (!places.some((place) => place.path === path && place.line === line)) places.push({ path, line });
  found.set(id, places);
}

/** Finds the calls `tracer.span(ctx, POINT, …)` and, for messages, `tracer.handOver(ctx, POINT, …)`. */
async function findSpans(source: Source, found: Found): Promise<void> {
  for (const match of source.text.matchAll(/\.(?:span|handOver)\(\s*\w+,\s*([A-Za-z_]\w*(?:\.\w+)*)\s*,/g)) {
    for (const id of await pointIDs(source, match[1] ?? ''))
      add(found, id, source.path, lineAt(source.text, match.index));
  }
}

/**
 * Finds steps in the tables of steps. The point of `killPod: { applies, run: killPod }` is the function that the step
 * runs, which may be imported; the point of `killPod: { applies, run: (ctx) => … }` is the line itself.
 */
function findSteps(source: Source, sources: readonly Source[], found: Found): void {
  if (!/\/sync\/(?:step-lists|v1-20\/steps)\.ts$/.test(source.path)) return;
  const step = /^ {2}(\w+): \{(?:[^{}]|\{[^{}]*\})*?run: (?:(?:async )?\(|(\w+))/gm;
  for (const match of source.text.matchAll(step)) {
    const [whole, name = '', local] = match;
    const run = local === undefined ? undefined : (importOf(source, local) ?? { path: source.path, name: local });
    const file = run ? sources.find(({ path }) => path === run.path) : source;
    const at = run
      ? file?.text.search(new RegExp(`^(?:export )?(?:(?:async )?function ${run.name}\\(|const ${run.name}\\b)`, 'm'))
      : match.index + whole.lastIndexOf('run: ');
    if (!file || at === undefined || at < 0) continue;
    for (const points of [flow.syncPodPoints, flow.syncPodPointsV120])
      for (const id of idOf((points as Readonly<Record<string, unknown>>)[name]))
        add(found, id, file.path, lineAt(file.text, at));
  }
}

/** Finds the lines that make a call. Other code, which wraps all calls, opens the span of the call. */
function findCalls(source: Source, receivers: string, calls: ReadonlyMap<string, string>, found: Found): void {
  for (const match of source.text.matchAll(new RegExp(`\\b(?:${receivers})\\.(\\w+)\\(`, 'g'))) {
    const id = calls.get(match[1] ?? '');
    if (id !== undefined) add(found, id, source.path, lineAt(source.text, match.index));
  }
}

/** Finds rules: calls of `tracer.decide(ctx, 'rule', …)`, and rules in tables. */
function findDecisions({ path, text }: Source, found: Found): void {
  for (const match of text.matchAll(/\.decide\(\s*\w+,\s*(?:'([^']+)'|`([^`]+)`)/g)) {
    const rule = match[1] ?? (match[2] ?? '').replaceAll(/\$\{[^}]*\}/g, '*');
    add(found, rule, path, lineAt(text, match.index));
  }
  for (const match of text.matchAll(/name: '(computePodActions\.[\w.]+)'/g))
    add(found, match[1] ?? '', path, lineAt(text, match.index));
}

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Returns the source lines of all points and rules. */
export async function findPointSources(): Promise<PointSources> {
  const points: Found = new Map();
  const decisions: Found = new Map();
  const criCalls = new Map(
    [...runtimeServiceMethods, ...imageServiceMethods].map((method) => [lowerFirst(method), `cri.${method}`]),
  );
  const dockerCalls = new Map(Object.entries(flow.dockerPoints).map(([operation, { id }]) => [operation, id]));
  const sources = await engineSources();
  for (const source of sources) {
    await findSpans(source, points);
    findSteps(source, sources, points);
    findDecisions(source, decisions);
    if (/^packages\/(kuberuntime|kubelet\/src\/prober)\//.test(source.path))
      findCalls(source, 'runtime|images', criCalls, points);
    if (source.path.startsWith('packages/dockershim/')) findCalls(source, 'docker', dockerCalls, points);
  }
  const sorted = <T>(found: ReadonlyMap<string, T>): (readonly [string, T])[] =>
    [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    points: Object.fromEntries(sorted(points)),
    decisions: Object.fromEntries(sorted(decisions).flatMap(([rule, [first]]) => (first ? [[rule, first]] : []))),
  };
}

/** Returns the source text of the module that contains the source lines. */
export function pointSourcesModule({ points, decisions }: PointSources): string {
  const place = ({ path, line }: { readonly path: string; readonly line: number }): string =>
    `{ path: '${path}', line: ${line} }`;
  return [
    '/** Lists the source line of each point and rule. Generated by `pnpm generate`; a test fails if it is stale. */',
    "import type { PointSources } from './point-sources.ts';",
    '',
    '// biome-ignore format: one line each',
    'export const pointSources: PointSources = {',
    '  points: {',
    ...Object.entries(points).map(([id, places]) => `    '${id}': [${places.map(place).join(', ')}],`),
    '  },',
    '  decisions: {',
    ...Object.entries(decisions).map(([rule, source]) => `    '${rule}': ${place(source)},`),
    '  },',
    '};',
    '',
  ].join('\n');
}
