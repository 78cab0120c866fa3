/**
 * Builds the files of config map, secret, downward API and projected volumes. Upstream:
 * pkg/volume/{configmap,secret,downwardapi,projected} (v1.36).
 */
import { errorMessage } from '@podscope/base';
import {
  type DownwardAPIVolumeFile,
  decodeBase64,
  goQuote,
  type KeyToPath,
  type Pod,
  type StringMap,
  type Volume,
  type VolumeProjection,
} from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { KubeClient } from '../../dependencies.ts';
import type { FileProjection } from './atomic-writer.ts';
import { fsUserOf } from './fs-user.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';

export interface PayloadSources {
  readonly client: Pick<KubeClient, 'getConfigMap' | 'getSecret'>;
  /** Returns the content of a downward API file. */
  readonly downwardValue: (pod: Pod, file: DownwardAPIVolumeFile) => string;
  readonly tokens: Pick<ServiceAccountTokens, 'get' | 'forget'>;
}

type Files = Map<string, FileProjection>;
type Data = ReadonlyMap<string, FileProjection['data']>;

const defaultFileMode = 0o644;
/** The mode of a token file that is owned by one user or by the pod's group. */
const ownedTokenMode = 0o600;
const defaultTokenSeconds = 3600;

const decodeAll = (data: StringMap | undefined): [string, Uint8Array][] =>
  Object.entries(data ?? {}).map(([key, text]) => [key, decodeBase64(text) ?? new Uint8Array()]);

/** Adds the files of all keys, or only those of the selected keys, each under its path. */
function addKeys(
  files: Files,
  data: Data,
  items: readonly KeyToPath[] | undefined,
  mode: number,
  missingKey: (key: string) => string | undefined,
): void {
  if (!items || items.length === 0) {
    for (const [key, content] of data) files.set(key, { data: content, mode });
    return;
  }
  for (const { key, path, mode: own } of items) {
    const content = data.get(key);
    if (content !== undefined) {
      files.set(path, { data: content, mode: own ?? mode });
      continue;
    }
    const fault = missingKey(key);
    if (fault !== undefined) throw new Error(fault);
  }
}

interface ObjectSource {
  readonly name?: string;
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
}

async function addConfigMap(
  files: Files,
  { client }: PayloadSources,
  pod: Pod,
  source: ObjectSource,
  mode: number,
): Promise<void> {
  const name = source.name ?? '';
  const configMap = await client.getConfigMap(pod.metadata.namespace ?? '', name);
  if (!configMap && !source.optional) throw new Error(`configmap ${goQuote(name)} not found`);
  const data: Data = new Map<string, FileProjection['data']>([
    ...Object.entries(configMap?.data ?? {}),
    ...decodeAll(configMap?.binaryData),
  ]);
  addKeys(files, data, source.items, mode, (key) =>
    source.optional ? undefined : `configmap references non-existent config key: ${key}`,
  );
}

async function addSecret(
  files: Files,
  { client }: PayloadSources,
  pod: Pod,
  source: ObjectSource,
  mode: number,
): Promise<void> {
  const name = source.name ?? '';
  const secret = await client.getSecret(pod.metadata.namespace ?? '', name);
  if (!secret && !source.optional) throw new Error(`secret ${goQuote(name)} not found`);
  const missingKey = (key: string): string | undefined =>
    source.optional ? undefined : `references non-existent secret key: ${key}`;
  addKeys(files, new Map(decodeAll(secret?.data)), source.items, mode, missingKey);
}

function addDownward(
  files: Files,
  { downwardValue }: PayloadSources,
  pod: Pod,
  items: readonly DownwardAPIVolumeFile[] | undefined,
  mode: number,
): void {
  for (const item of items ?? []) files.set(item.path, { data: downwardValue(pod, item), mode: item.mode ?? mode });
}

type TokenSource = NonNullable<VolumeProjection['serviceAccountToken']>;

/** Adds a token file that only the pod's user or group can read. */
async function addToken(
  ctx: Context,
  files: Files,
  { tokens }: PayloadSources,
  pod: Pod,
  source: TokenSource,
  mode: number,
): Promise<void> {
  const { audience, path, expirationSeconds = defaultTokenSeconds } = source;
  const data = await tokens.get(ctx, pod, { audience, expirationSeconds });
  const user = fsUserOf(pod);
  const owned = user !== undefined || pod.spec.securityContext?.fsGroup !== undefined;
  files.set(path, { data, mode: owned ? ownedTokenMode : mode, ...(user === undefined ? {} : { user }) });
}

async function addProjection(
  ctx: Context,
  files: Files,
  sources: PayloadSources,
  pod: Pod,
  projection: VolumeProjection,
  mode: number,
): Promise<void> {
  const unknown = Object.keys(projection).find((source) => !knownSources.has(source));
  if (unknown !== undefined)
    throw new Error(`this node can't project ${unknown}: it supports ${[...knownSources].join(', ')}`);
  if (projection.configMap) await addConfigMap(files, sources, pod, projection.configMap, mode);
  if (projection.secret) await addSecret(files, sources, pod, projection.secret, mode);
  if (projection.downwardAPI) addDownward(files, sources, pod, projection.downwardAPI.items, mode);
  if (projection.serviceAccountToken) await addToken(ctx, files, sources, pod, projection.serviceAccountToken, mode);
}

const knownSources: ReadonlySet<string> = new Set<keyof VolumeProjection>([
  'configMap',
  'secret',
  'downwardAPI',
  'serviceAccountToken',
]);

/** Adds the files of all projected sources. If several sources fail, one error contains all messages. */
async function addProjections(
  ctx: Context,
  files: Files,
  sources: PayloadSources,
  pod: Pod,
  projections: readonly VolumeProjection[],
  mode: number,
): Promise<void> {
  const faults: string[] = [];
  for (const projection of projections) {
    try {
      await addProjection(ctx, files, sources, pod, projection, mode);
    } catch (error) {
      faults.push(errorMessage(error));
    }
  }
  if (faults.length > 0) throw new Error(faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`);
}

/**
 * Returns the files of a volume; undefined for a kind that has no files.
 * @throws Error that names the missing object or key
 */
export async function volumePayload(
  ctx: Context,
  sources: PayloadSources,
  pod: Pod,
  volume: Volume,
): Promise<Files | undefined> {
  const files: Files = new Map();
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap) await addConfigMap(files, sources, pod, configMap, configMap.defaultMode ?? defaultFileMode);
  else if (secret)
    await addSecret(files, sources, pod, { ...secret, name: secret.secretName }, secret.defaultMode ?? defaultFileMode);
  else if (downwardAPI) addDownward(files, sources, pod, downwardAPI.items, downwardAPI.defaultMode ?? defaultFileMode);
  else if (projected)
    await addProjections(ctx, files, sources, pod, projected.sources ?? [], projected.defaultMode ?? defaultFileMode);
  else return undefined;
  return files;
}
