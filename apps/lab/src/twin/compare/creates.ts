/**
 * Compares the request bodies of container creations. The bodies are the same in every run. In recordings of v1.36 a
 * CRI runtime is between the kubelet and the engine, so only the members that a CRI request determines are compared.
 */
import { profileOf } from '../recording.ts';
import type { Created } from '../run/engine-trace.ts';
import type { Compare, Comparison } from './comparison.ts';
import { mapTexts, neutral } from './normalize.ts';
import type { ReferenceContainer } from './reference.ts';

type Body = Readonly<Record<string, unknown>>;

const record = (value: unknown): Body => (typeof value === 'object' && value !== null ? (value as Body) : {});

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const same = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** Returns the value with its members sorted, so that equal values have the same JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, sorted(item)]),
  );
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Members of a sandbox that its image determines. */
const ofPauseImage = ['Env', 'Entrypoint', 'Cmd', 'Image'];
/** Labels that only Podscope adds. */
const ownLabel = /^(io\.podscope\.|annotation\.io\.podscope\.)/;

/** Returns whether a sandbox has a hostname of its own; on the host network it has the machine's. */
const hasOwnName = (kind: string, host: unknown): boolean => kind === 'POD' && record(host)['NetworkMode'] !== 'host';

function config(kind: string, value: Body, imageEnv: readonly string[], host: unknown): Body {
  const { Hostname, Env, Labels, ...rest } = value;
  const result: Record<string, unknown> = {
    ...rest,
    Env: texts(Env)
      .filter((entry) => !imageEnv.includes(entry))
      .toSorted(),
    Labels: Object.fromEntries(Object.entries(record(Labels)).filter(([name]) => !ownLabel.test(name))),
    ...(hasOwnName(kind, host) ? { Hostname } : {}),
  };
  if (kind === 'POD') for (const name of ofPauseImage) delete result[name];
  return result;
}

/** Defaults that the engine adds itself, so they don't count as requested. */
const filledIn: Body = { RestartPolicy: { Name: 'no', MaximumRetryCount: 0 }, Runtime: 'runc' };

/** Returns the members that differ from the engine's defaults. */
const asked = (value: Body, defaults: Body): Body =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([name, item]) => !isEmpty(item) && !same(item, defaults[name]) && !same(item, filledIn[name]),
    ),
  );

/**
 * Returns true if the recorded score is negative and the score here isn't positive. They count as equal, because the
 * recorded machine couldn't set negative scores, and this machine may fail to.
 */
const clampedScore = (there: unknown, here: unknown): boolean =>
  typeof there === 'number' && there < 0 && (here === undefined || (typeof here === 'number' && here <= 0));
/**
 * Returns true if both scores are in the range of burstable pods. The scores of burstable pods depend on the memory of
 * the machine, so they count as equal.
 */
const burstableScore = (there: unknown, here: unknown): boolean =>
  [there, here].every((score) => typeof score === 'number' && score >= 2 && score <= 999);

function hostConfigDiffers(name: string, there: unknown, here: unknown): boolean {
  if (same(there, here)) return false;
  return !(name === 'OomScoreAdj' && (clampedScore(there, here) || burstableScore(there, here)));
}

/** Members that a CRI request determines. cri-dockerd determines the others. */
const criMembers = {
  Config: ['Cmd', 'Entrypoint', 'Env', 'Hostname', 'Labels', 'User', 'WorkingDir'],
  HostConfig: ['CgroupParent', 'CpuQuota', 'CpuShares', 'IpcMode', 'Memory', 'NetworkMode', 'OomScoreAdj', 'PidMode'],
};

/** Returns `source:target` or `source:target:ro` for each mount of a body, whichever member carries it. */
function mountsOf(host: Body): readonly string[] {
  const binds = texts(host['Binds']).map((bind) => {
    const [source, target, options = ''] = bind.split(':');
    return `${source}:${target}${options.split(',').includes('ro') ? ':ro' : ''}`;
  });
  const mounts = (Array.isArray(host['Mounts']) ? host['Mounts'] : []).map((mount) => {
    const { Source, Target, ReadOnly } = record(mount);
    return `${String(Source)}:${String(Target)}${ReadOnly === true ? ':ro' : ''}`;
  });
  return [...binds, ...mounts].toSorted();
}

/**
 * Returns the parts of a body that the kubelet requested over CRI. The IPC mode and the user of a sandbox aren't among
 * them, because the runtime chooses them.
 */
function criPart(kind: string, { Config, HostConfig }: { readonly Config: Body; readonly HostConfig: Body }) {
  const isSandbox = kind === 'POD';
  const pick = (body: Body, members: readonly string[]): Body =>
    Object.fromEntries(
      members
        .filter((name) => !(isSandbox && ['IpcMode', 'User', 'CpuShares'].includes(name)) && body[name] !== undefined)
        .map((name) => [name, body[name]]),
    );
  return {
    Config: pick(Config, criMembers.Config),
    HostConfig: { ...pick(HostConfig, criMembers.HostConfig), Mounts: isSandbox ? [] : mountsOf(HostConfig) },
  };
}

/** Compares one container. */
async function bodyDiffers(
  kind: string,
  theirs: Body,
  inspection: Body,
  { recording, normalize, reference }: Comparison,
): Promise<readonly string[]> {
  const change = (text: string): string => neutral(randomNames(normalize(text)));
  const imageEnv = await reference.imageEnv(String(inspection['Image']));
  const isOverCri = profileOf(recording) === 'v1.36';
  const here = ours(kind, inspection, imageEnv, reference, change);
  const allConfig = asked(
    record(
      mapTexts(
        config(
          kind,
          record(theirs['Config']),
          kind === 'POD' ? texts(record(theirs['Config'])['Env']) : [],
          theirs['HostConfig'],
        ),
        neutral,
      ),
    ),
    {},
  );
  const allHost = record(mapTexts(asked(record(theirs['HostConfig']), reference.HostConfig), neutral));
  const theirPart = { Config: allConfig, HostConfig: allHost };
  const there = isOverCri ? criPart(kind, theirPart) : theirPart;
  const own = isOverCri ? criPart(kind, here) : here;
  const differences: string[] = [];
  for (const name of new Set([...Object.keys(there.Config), ...Object.keys(own.Config)])) {
    const [a, b] = [there.Config[name], own.Config[name]];
    if (!same(a, b)) differences.push(difference(`Config.${name}`, a, b));
  }
  const [theirHost, ownHost]: readonly [Body, Body] = [there.HostConfig, own.HostConfig];
  for (const name of new Set([...Object.keys(theirHost), ...Object.keys(ownHost)])) {
    const recorded = name === 'Binds' ? texts(theirHost[name]).toSorted() : theirHost[name];
    if (recorded === 'engine default' && ownHost[name] === undefined) continue;
    if (hostConfigDiffers(name, recorded, ownHost[name]))
      differences.push(difference(`HostConfig.${name}`, recorded, ownHost[name]));
  }
  return differences;
}

const difference = (what: string, there: unknown, here: unknown): string =>
  `${what}: recorded ${JSON.stringify(there)}, here ${JSON.stringify(here)}`;

/**
 * Replaces random parts, such as those of `/containers/app/1a2b3c4d`, and the time at which the kubelet first saw the
 * pod.
 */
const randomNames = (text: string): string =>
  text
    .replace(/(\/containers\/[^/]+\/)[0-9a-f]{8}\b/g, '$1<rand>')
    .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/, '<time>');

function ours(
  kind: string,
  inspection: Body,
  imageEnv: readonly string[],
  reference: ReferenceContainer,
  change: (text: string) => string,
): { readonly Config: Body; readonly HostConfig: Body } {
  const own = asked(config(kind, record(inspection['Config']), imageEnv, inspection['HostConfig']), {
    ...reference.Config,
    Labels: {},
    Env: [],
    Cmd: undefined,
    Image: undefined,
  });
  const host = asked(record(inspection['HostConfig']), reference.HostConfig);
  const binds = texts(host['Binds']);
  const hostConfig = { ...host, ...(binds.length > 0 ? { Binds: binds } : {}) };
  const changed = record(mapTexts(hostConfig, change));
  return {
    Config: record(mapTexts(own, change)),
    HostConfig: { ...changed, ...(binds.length > 0 ? { Binds: texts(changed['Binds']).toSorted() } : {}) },
  };
}

/**
 * Returns the container created here. Pods that replace one another under one name have containers of the same names,
 * so the UID selects among them. Without a match, the latest container is returned.
 */
function createdHere({ recording, seen }: Comparison, name: string, theirs: Body): Created | undefined {
  const created = seen.trace.creates.get(name) ?? [];
  const uid = record(record(theirs['Config'])['Labels'])['io.kubernetes.pod.uid'];
  const at = recording.pod.uids.findIndex((known) => known === uid);
  return created.find(({ identity }) => identity.uid === seen.uids[at]) ?? created.at(-1);
}

export const compareCreates: Compare = async (comparison) => {
  const { recording } = comparison;
  const differences: string[] = [];
  for (const [name, theirs] of Object.entries(recording.creates)) {
    const inspection = await createdHere(comparison, name, theirs)?.inspection;
    // The comparison of the create order reports missing containers.
    if (!inspection) continue;
    const kind = name.slice(0, name.lastIndexOf('/'));
    differences.push(
      ...(await bodyDiffers(kind, theirs, inspection, comparison)).map((text) => `create ${name}: ${text}`),
    );
  }
  return differences;
};
