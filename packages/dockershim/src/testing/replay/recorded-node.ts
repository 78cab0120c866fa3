/** Provides the engine, network plugin, checkpoints and files of a recording. They return the recorded answers. */

import { parseImageReference } from '@podscope/base';
import { type AuthConfig, resolvConf } from '@podscope/cri';
import { CorruptCheckpointError, parseCheckpoint, serializeCheckpoint } from '@podscope/cri/sandbox-checkpoint';
import { z } from 'zod';
import type { CheckpointStore } from '../../checkpoint/store.ts';
import { goJSONError } from '../../container/v1-20/go-json-error.ts';
import { DockerError } from '../../docker/error.ts';
import type { DockerArgs, DockerClient, PullImageArgs } from '../../docker/port.ts';
import { registryAuthHeader } from '../../docker/registry-auth.ts';
import * as schemas from '../../docker/schemas.ts';
import { type ImageLookups, ImageNotFoundError } from '../../image/v1-20/image-lookups.ts';
import type { NetworkPlugin } from '../../network/plugin.ts';
import { missingResolvConf } from '../../sandbox/resolv-conf.ts';
import type { NodeFiles } from '../../service/v1-20/dependencies.ts';
import { recordedLabels } from './normal-form.ts';
import { OffTheRecord, type RecordedCalls } from './recorded-calls.ts';
import type { DockershimVector, RecordedCall } from './vector.ts';

function answer<T>(call: RecordedCall, schema: z.ZodType<T>): T {
  if (call.error !== undefined)
    throw call.imageNotFound
      ? new ImageNotFoundError(String(call.image))
      : new DockerError('Unknown', call.error, call.code);
  return schema.parse(call.result);
}

const nothing = z.unknown().transform(() => undefined);
const sorted = (filters: Readonly<Record<string, readonly string[]>>): Record<string, readonly string[]> =>
  Object.fromEntries(Object.entries(filters).map(([key, values]) => [key, values.toSorted()]));

/** Replaces the random suffix of a name by `00000000`, as in the recordings. */
const nameOf = (name: string): string =>
  name.split('_').length === 7 ? name.replace(/_[0-9a-f]{8}$/, '_00000000') : name;

/** Throws for an operation that no recording contains. */
const unrecorded = (operation: string): never => {
  throw new OffTheRecord(`no recording has ${operation}`);
};

type Recorded = Pick<
  DockerClient,
  | 'version'
  | 'info'
  | 'listContainers'
  | 'inspectContainer'
  | 'createContainer'
  | 'startContainer'
  | 'stopContainer'
  | 'removeContainer'
  | 'updateContainer'
  | 'listImages'
  | 'pullImage'
  | 'removeImage'
>;

/** Returns an engine that returns the recorded answers. */
export function recordedDocker(calls: RecordedCalls): DockerClient {
  const call = async <T>(method: string, args: Readonly<Record<string, unknown>>, schema: z.ZodType<T>): Promise<T> =>
    answer(calls.take('docker', method, args), schema);
  const known: Recorded = {
    // dockershim doesn't use the values of this answer.
    version: async () => {
      await call('Version', {}, nothing);
      return schemas.versionSchema.parse({ Version: '20.10.0', ApiVersion: '1.41' });
    },
    info: () => call('Info', {}, schemas.infoSchema),
    listContainers: (_ctx, { all, filters }) =>
      call('ListContainers', { all, filters: sorted(filters) }, z.array(schemas.containerSummarySchema)),
    inspectContainer: (_ctx, { id }) => call('InspectContainer', { id }, schemas.containerInspectSchema),
    createContainer: (_ctx, { name, body: { HostConfig, Labels, ...rest } }) =>
      call(
        'CreateContainer',
        // The recording has no ShmSize, because the real client adds it to every create request.
        {
          name: nameOf(name),
          config: { ...rest, Labels: recordedLabels(Labels) },
          hostConfig: { ...HostConfig, ShmSize: 0 },
        },
        schemas.createdSchema,
      ),
    startContainer: (_ctx, { id }) => call('StartContainer', { id }, nothing),
    stopContainer: (_ctx, { id, timeout }) => call('StopContainer', { id, timeout }, nothing),
    removeContainer: (_ctx, { id, force }) => call('RemoveContainer', { id, removeVolumes: true, force }, nothing),
    updateContainer: (_ctx, { id, body }: DockerArgs<'updateContainer'>) =>
      call('UpdateContainerResources', { id, update: body }, nothing),
    listImages: (_ctx, { filters }) =>
      call('ListImages', { filters: sorted(filters) }, z.array(schemas.imageSummarySchema)),
    pullImage: (_ctx, { fromImage, tag, auth }: PullImageArgs) => {
      const recorded = calls.peek();
      // The recording has the whole reference. In the request, name and tag are separate.
      const reference = typeof recorded?.image === 'string' ? parseImageReference(recorded.image) : undefined;
      const same = reference?.familiarName === fromImage && (reference.digest ?? reference.tag ?? 'latest') === tag;
      return call(
        'PullImage',
        { image: same ? recorded?.image : `${fromImage}:${tag}`, auth: sentCredentials(auth) },
        nothing,
      );
    },
    removeImage: (_ctx, { ref }) => call('RemoveImage', { image: ref, pruneChildren: true }, nothing),
  };
  return {
    diskUsage: () => unrecorded('DiskUsage'),
    containerStats: () => unrecorded('Stats'),
    createExec: () => unrecorded('CreateExec'),
    startExec: () => unrecorded('StartExec'),
    inspectExec: () => unrecorded('InspectExec'),
    resizeExec: () => unrecorded('ResizeExec'),
    resizeContainer: () => unrecorded('ResizeContainer'),
    startExecAttached: () => unrecorded('StartExec'),
    attach: () => unrecorded('Attach'),
    inspectImage: () => unrecorded('an image looked at below ImageLookups'),
    archive: () => unrecorded('Archive'),
    logs: () => unrecorded('Logs'),
    events: () => unrecorded('Events'),
    ...known,
    apiVersion: '1.41',
    endpoint: 'unix:///var/run/docker.sock',
    close: () => undefined,
  };
}

const credentialsSchema = z.record(z.string(), z.string());

/** Returns the credentials as the request contains them. */
const sentCredentials = (auth: AuthConfig | undefined): Record<string, string> =>
  credentialsSchema.parse(JSON.parse(Buffer.from(registryAuthHeader(auth), 'base64url').toString('utf8')));

/** The recordings contain image lookups instead of the calls to the engine that a lookup makes. */
export const recordedImages = (calls: RecordedCalls): ImageLookups => ({
  byRef: async (_ctx, image) =>
    answer(calls.take('docker', 'InspectImageByRef', { image }), schemas.imageInspectSchema),
  byID: async (_ctx, image) => answer(calls.take('docker', 'InspectImageByID', { image }), schemas.imageInspectSchema),
});

const podStatusSchema = z
  .object({ ip: z.string().nullish(), ips: z.array(z.string()).nullish() })
  .nullish()
  .transform((status) =>
    status ? (status.ips && status.ips.length > 0 ? status.ips : status.ip ? [status.ip] : undefined) : undefined,
  );

/** Returns a network plugin that returns the recorded answers. */
export function recordedNetwork(calls: RecordedCalls, name: string): NetworkPlugin {
  const call = async <T>(method: string, args: Readonly<Record<string, unknown>>, schema: z.ZodType<T>): Promise<T> =>
    answer(calls.take('network', method, args), schema);
  return {
    name,
    networkMode: name === 'kubernetes.io/no-op' ? 'default' : 'none',
    setUpPod: (_ctx, { sandboxId: id, ...pod }, annotations, options) =>
      call('SetUpPod', { ...pod, id, annotations, options }, nothing),
    tearDownPod: (_ctx, { sandboxId: id, ...pod }) => call('TearDownPod', { ...pod, id }, nothing),
    podIPs: (_ctx, { sandboxId: id, ...pod }) => call('GetPodNetworkStatus', { ...pod, id }, podStatusSchema),
    status: () => unrecorded("the plugin's status"),
    podCidrChanged: () => unrecorded('a pod CIDR'),
  };
}

/** Returns a checkpoint store that returns the recorded files. */
export function recordedCheckpoints(calls: RecordedCalls): CheckpointStore {
  return {
    async create(key, checkpoint) {
      // A recorded call with an error is a write that failed, so it has no content.
      const content = calls.peek()?.error === undefined ? serializeCheckpoint(checkpoint) : undefined;
      answer(calls.take('checkpoint', 'CreateCheckpoint', { key, content }), nothing);
    },
    async get(key) {
      const content = calls.peek()?.content;
      const recorded = calls.take('checkpoint', 'GetCheckpoint', { key, content });
      if (typeof content !== 'string' || recorded.error === 'checkpoint is not found') return undefined;
      const problem = goJSONError(content);
      if (problem !== undefined) throw new CorruptCheckpointError({ cause: new SyntaxError(problem) });
      return parseCheckpoint(content);
    },
    remove: async (key) => answer(calls.take('checkpoint', 'RemoveCheckpoint', { key }), nothing),
    list: async () =>
      answer(
        calls.take('checkpoint', 'ListCheckpoints', {}),
        z
          .array(z.string())
          .nullish()
          .transform((keys) => keys ?? []),
      ),
  };
}

/** The resolv.conf files of the node, by path. */
export interface ResolverFiles {
  readonly exists: (path: string) => boolean;
  readonly write: (path: string, text: string) => void;
}

/** Returns the files of the node. */
export function recordedFiles(calls: RecordedCalls, { setup }: DockershimVector, resolvers: ResolverFiles): NodeFiles {
  return {
    symlink: async (target, link) => answer(calls.take('os', 'Symlink', { target, link }), nothing),
    remove: async (path) => answer(calls.take('os', 'Remove', { path }), nothing),
    rewriteResolvConf: async (path, dns) => {
      await Promise.resolve();
      const text = resolvConf(dns);
      if (path === '' || text === '') return;
      if (!resolvers.exists(path)) throw new Error(missingResolvConf(path));
      resolvers.write(path, text);
    },
    read: async (path) => {
      await Promise.resolve();
      const text = setup.files?.[path];
      if (text === undefined)
        throw Object.assign(new Error(`open ${path}: no such file or directory`), { code: 'ENOENT' });
      return text;
    },
  };
}
