/** The bodies of containers as they were created, which repeat exactly. */
import type { Created } from '../run/engine-trace.ts';
import type { Compare, Comparison } from './compare.ts';
import { mapTexts, neutral } from './normalize.ts';
import type { ReferenceContainer } from './reference.ts';

type Body = Readonly<Record<string, unknown>>;

const record = (value: unknown): Body => (typeof value === 'object' && value !== null ? (value as Body) : {});

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const same = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** With members in order, so that texts can be compared. */
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
  value === undefined || value === null || value === '' || value === 0 || value === false || (typeof value === 'object' && Object.keys(value).length === 0);

/** Members of the sandbox that its image decides. */
const ofPauseImage = ['Env', 'Entrypoint', 'Cmd', 'Image'];
/** Said of every container of ours. */
const ownLabel = /^(io\.podscope\.|annotation\.io\.podscope\.)/;

/** On the host's network a sandbox has the name of its machine. */
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

/** What the engine fills in itself, at one time or another. */
const filledIn: Body = { RestartPolicy: { Name: 'no', MaximumRetryCount: 0 }, Runtime: 'runc' };

/** What is not the engine's default. */
const asked = (value: Body, defaults: Body): Body =>
  Object.fromEntries(Object.entries(value).filter(([name, item]) => !isEmpty(item) && !same(item, defaults[name]) && !same(item, filledIn[name])));

/** The engine could not set negative scores on the recorded machine, and may not here: what was asked for is what counts there. */
const clampedScore = (there: unknown, here: unknown): boolean =>
  typeof there === 'number' && there < 0 && (here === undefined || (typeof here === 'number' && here <= 0));
/** Weighed by the memory of the machine. */
const burstableScore = (there: unknown, here: unknown): boolean => [there, here].every((score) => typeof score === 'number' && score >= 2 && score <= 999);

function hostConfigDiffers(name: string, there: unknown, here: unknown): boolean {
  if (same(there, here)) return false;
  return !(name === 'OomScoreAdj' && (clampedScore(there, here) || burstableScore(there, here)));
}

/** One container. */
async function bodyDiffers(kind: string, theirs: Body, inspection: Body, { normalize, reference }: Comparison): Promise<readonly string[]> {
  const change = (text: string): string => neutral(randomNames(normalize(text)));
  const imageEnv = await reference.imageEnv(String(inspection['Image']));
  const here = ours(kind, inspection, imageEnv, reference, change);
  const thereConfig = asked(
    record(mapTexts(config(kind, record(theirs['Config']), kind === 'POD' ? texts(record(theirs['Config'])['Env']) : [], theirs['HostConfig']), neutral)),
    {},
  );
  const thereHost = record(mapTexts(asked(record(theirs['HostConfig']), reference.HostConfig), neutral));
  const differences: string[] = [];
  for (const name of new Set([...Object.keys(thereConfig), ...Object.keys(here.Config)])) {
    if (!same(thereConfig[name], here.Config[name])) differences.push(difference(`Config.${name}`, thereConfig[name], here.Config[name]));
  }
  for (const name of new Set([...Object.keys(thereHost), ...Object.keys(here.HostConfig)])) {
    const there = name === 'Binds' ? texts(thereHost[name]).toSorted() : thereHost[name];
    if (there === 'engine default' && here.HostConfig[name] === undefined) continue;
    if (hostConfigDiffers(name, there, here.HostConfig[name])) differences.push(difference(`HostConfig.${name}`, there, here.HostConfig[name]));
  }
  return differences;
}

const difference = (what: string, there: unknown, here: unknown): string => `${what}: recorded ${JSON.stringify(there)}, here ${JSON.stringify(here)}`;

/** `containers/app/1a2b3c4d` and when a pod was first seen. */
const randomNames = (text: string): string =>
  text.replace(/(\/containers\/[^/]+\/)[0-9a-f]{8}\b/g, '$1<rand>').replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/, '<time>');

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

/** A pod that was replaced by another of its name has containers of the same names: the UID tells whose is meant, else the later. */
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
    // That it is missing is told by the order of creates.
    if (!inspection) continue;
    const kind = name.slice(0, name.lastIndexOf('/'));
    differences.push(...(await bodyDiffers(kind, theirs, inspection, comparison)).map((text) => `create ${name}: ${text}`));
  }
  return differences;
};
