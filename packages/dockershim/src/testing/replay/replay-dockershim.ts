/**
 * Replays recorded requests. Each call must equal the recorded one and gets the recorded answer. Two checks are off:
 * the check of owners, because the recorded node has only containers of the kubelet, and the probe of OOM scores.
 */

import { isDeepStrictEqual } from 'node:util';
import { asError, isRecord } from '@podscope/base';
import { type Disagreement, protoJSON } from '@podscope/kuberuntime/testing';
import { StreamingServer } from '@podscope/streaming';
import { background, type Context, parseTime, Tracer, VirtualClock } from '@podscope/trace';
import { instrumentDocker } from '../../docker/instrumented.ts';
import type { DockerClient } from '../../docker/port.ts';
import type { ContainerInspect } from '../../docker/schemas.ts';
import { Capabilities } from '../../engine/capabilities.ts';
import { Deviations } from '../../engine/deviations.ts';
import { OomScores } from '../../engine/oom-scores.ts';
import { ImageNames } from '../../image/image-names.ts';
import { managePlugin } from '../../network/plugin-manager.ts';
import { labelKeys, type ObjectKind } from '../../objects/labels.ts';
import { OwnedObjects } from '../../objects/owned-objects.ts';
import { resolveOptions } from '../../options.ts';
import { missingResolvConf } from '../../sandbox/resolv-conf.ts';
import { StartingSandboxes } from '../../sandbox/starting-sandboxes.ts';
import { type DockershimDependenciesV120, EngineVersion } from '../../service/v1-20/dependencies.ts';
import { DockershimImageServiceV120, DockershimRuntimeServiceV120 } from '../../service/v1-20/services.ts';
import { dockerStreams } from '../../streams/docker-streams.ts';
import { NamespaceDialers } from '../../streams/namespace-dialers.ts';
import { OffTheRecord, RecordedCalls } from './recorded-calls.ts';
import {
  recordedCheckpoints,
  recordedDocker,
  recordedFiles,
  recordedImages,
  recordedNetwork,
} from './recorded-node.ts';
import type { DockershimVector, RecordedRequest } from './vector.ts';

/** Receives notifications during a replay. */
export interface DockershimObserver {
  readonly tracer: Tracer;
  /** Called before each step. */
  readonly onStep?: (index: number, step: DockershimVector['steps'][number]) => void;
}

/** A difference between a recording and its replay. */
export interface DockershimDisagreement {
  /** The index of the first step that differs. Differences in later steps may be consequences of it. */
  readonly step: number;
  readonly disagreements: readonly Disagreement[];
}

/** Treats every container as owned, because the recorded node has no containers of other owners. */
class EverythingIsOurs extends OwnedObjects {
  readonly #docker: DockerClient;

  constructor(docker: DockerClient) {
    super(docker, '');
    this.#docker = docker;
  }

  override labelFilter(kind: ObjectKind): string[] {
    return [`${labelKeys.type}=${kind}`];
  }
  override ownershipFilter(): string[] {
    return [];
  }
  override owns(): Promise<boolean> {
    return Promise.resolve(true);
  }
  override resolve(_ctx: Context, id: string): Promise<string> {
    return Promise.resolve(id);
  }
  override inspect(ctx: Context, id: string): Promise<ContainerInspect> {
    return this.#docker.inspectContainer(ctx, { id });
  }
}

/** Accepts every score, because the recorded engine can lower scores. */
class AnyOomScore extends OomScores {
  override fit(_ctx: Context, score: number): Promise<number> {
    return Promise.resolve(score);
  }
}

const start = parseTime('2026-01-01T00:00:00Z');

/** Replays one recording. */
class Replay {
  readonly #calls = new RecordedCalls();
  readonly #ctx: Context;
  readonly #clock = new VirtualClock(start);
  readonly #networkReady = new Map<string, boolean>();
  readonly #runtime: DockershimRuntimeServiceV120;
  readonly #images: DockershimImageServiceV120;
  /** The texts of resolv.conf files, by path. */
  readonly #resolvers = new Map<string, string>();
  #recordedError = '';
  #written: { readonly path: string; readonly content: string }[] = [];

  constructor(vector: DockershimVector, tracer: Tracer) {
    this.#ctx = background(this.#clock, tracer);
    const { setup } = vector;
    const docker = instrumentDocker(recordedDocker(this.#calls));
    const deviations = new Deviations();
    const options = resolveOptions({
      stateDirectory: '/',
      instance: 'recording',
      release: 'v1.20',
      sandboxImage: setup.podSandboxImage,
      sandboxImageFallback: null,
      logFiles: false,
    });
    const shim: Omit<
      DockershimDependenciesV120,
      'cgroupSettings' | 'logWriters' | 'imageVolumes' | 'imageUsers' | 'processUsers'
    > = {
      docker,
      options,
      checkpoints: recordedCheckpoints(this.#calls),
      network: managePlugin(recordedNetwork(this.#calls, setup.networkPlugin)),
      networkStates: new Map(),
      startingSandboxes: StartingSandboxes.inMemory(),
      networkReady: this.#networkReady,
      objects: new EverythingIsOurs(docker),
      engine: {
        cgroupDriver: setup.cgroupDriver === 'systemd' ? 'SYSTEMD' : 'CGROUPFS',
        isLocal: true,
        hasLocalFiles: true,
        rootDirectory: '/var/lib/docker',
        hasAppArmor: true,
        hasSELinux: false,
      },
      engineVersion: new EngineVersion(docker),
      sandboxPull: {},
      oomScores: new AnyOomScore(docker, deviations, ''),
      capabilities: new Capabilities(docker, deviations, ''),
      imageNames: new ImageNames(docker),
      images: recordedImages(this.#calls),
      files: recordedFiles(this.#calls, vector, {
        // The recordings don't contain accesses to files. Only the recorded error shows that a file was missing.
        exists: (path) => !this.#recordedError.includes(missingResolvConf(path)),
        write: (path, content) => {
          if (this.#resolvers.get(path) === content) return;
          this.#resolvers.set(path, content);
          this.#written.push({ path, content });
        },
      }),
      deviations,
      dialers: new NamespaceDialers(),
    };
    // No RPC of v1.20 uses the missing dependencies.
    const whole = shim as DockershimDependenciesV120;
    this.#runtime = new DockershimRuntimeServiceV120(whole, new StreamingServer(this.#ctx, dockerStreams(whole), {}));
    this.#images = new DockershimImageServiceV120(whole);
  }

  /** Clears the state that a kubelet loses when it restarts. */
  restart(): void {
    this.#networkReady.clear();
  }

  async step(recorded: RecordedRequest): Promise<Disagreement[]> {
    this.#calls.begin(recorded.calls);
    this.#written = [];
    this.#recordedError = recorded.error ?? '';
    const { response, error } = await this.#answer(recorded.request);
    if (error instanceof OffTheRecord) return this.#calls.disagreements;
    this.#calls.end();
    const found = [...this.#calls.disagreements];
    const check = (what: string, expected: unknown, got: unknown): void => {
      if (!isDeepStrictEqual(expected, got)) found.push({ what, expected, got });
    };
    check('error', recorded.error, error ? error.message : null);
    // A Go function can return an answer and an error together; over gRPC, only the error is sent.
    if (recorded.error === null) check('response', recorded.response, response);
    const writes = recorded.calls.filter(({ on }) => on === 'file').map(({ path, content }) => ({ path, content }));
    check('files', writes, this.#written);
    check('networkReady', recorded.networkReady, Object.fromEntries(this.#networkReady));
    await this.#clock.advance(1000);
    return found;
  }

  async #answer({
    method,
    body,
  }: RecordedRequest['request']): Promise<{ readonly response?: unknown; readonly error?: Error }> {
    const name = `${method.charAt(0).toLowerCase()}${method.slice(1)}`;
    const service: object = name in this.#images && method.includes('Image') ? this.#images : this.#runtime;
    const verb: unknown = Reflect.get(service, name);
    if (typeof verb !== 'function') throw new Error(`no CRI service has ${method}`);
    try {
      const response: unknown = await Reflect.apply(verb, service, [
        this.#ctx,
        withDefaults(body, method.includes('Sandbox') ? 'SANDBOX_READY' : 'CONTAINER_CREATED'),
      ]);
      return { response: protoJSON(response) };
    } catch (error) {
      return { error: asError(error) };
    }
  }
}

/**
 * Adds the fields that the recording omits because they are zero.
 * @param zeroState the state with the number 0
 */
function withDefaults(
  message: Readonly<Record<string, unknown>>,
  zeroState: string,
  isRequest = true,
): Record<string, unknown> {
  const complete = (key: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown) => complete(key, item));
    if (!isRecord(value)) return value;
    if (key === 'metadata') return { name: '', uid: '', namespace: '', attempt: 0, ...value };
    if (key === 'image') return { image: '', ...value };
    if (key === 'envs') return { key: '', value: '', ...value };
    if (key === 'state') return { state: zeroState, ...value };
    return withDefaults(value, zeroState, false);
  };
  const members = Object.entries(message).map(([key, value]): [string, unknown] => [key, complete(key, value)]);
  return { ...(isRequest ? { timeout: 0, podSandboxId: '', containerId: '' } : {}), ...Object.fromEntries(members) };
}

/** Replays a recording and returns the first difference; undefined if all steps match. */
export async function dockershimDisagreement(
  vector: DockershimVector,
  { tracer, onStep }: DockershimObserver = { tracer: new Tracer() },
): Promise<DockershimDisagreement | undefined> {
  const replay = new Replay(vector, tracer);
  for (const [index, step] of vector.steps.entries()) {
    onStep?.(index, step);
    if ('restart' in step) {
      replay.restart();
      continue;
    }
    const disagreements = await replay.step(step);
    if (disagreements.length > 0) return { step: index, disagreements };
  }
  return undefined;
}
