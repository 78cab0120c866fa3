/**
 * Gives recorded requests to the v1.20 shim: each call it makes must be the recorded one, and gets the recorded answer. What our shim does
 * beyond v1.20 is switched off for it: ownership (the recording's node has no containers but the kubelet's) and the probing of OOM scores.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Disagreement, protoJSON } from '@podscope/kuberuntime/testing';
import { StreamingServer } from '@podscope/streaming';
import { background, type Context, parseTime, Tracer, VirtualClock } from '@podscope/trace';
import { Deviations } from '../../deviations.ts';
import { instrumentDocker } from '../../docker/instrumented.ts';
import type { DockerClient } from '../../docker/port.ts';
import type { ContainerInspect } from '../../docker/schemas.ts';
import { Capabilities } from '../../engine/capabilities.ts';
import { OomScores } from '../../engine/oom-scores.ts';
import { ImageNames } from '../../image/image-names.ts';
import { labelKeys, type ObjectKind } from '../../labels.ts';
import { managePlugin } from '../../network/plugin-manager.ts';
import { resolveOptions } from '../../options.ts';
import { OwnedObjects } from '../../owned-objects.ts';
import { missingResolvConf } from '../../sandbox/resolv-conf.ts';
import { StartingSandboxes } from '../../sandbox/starting-sandboxes.ts';
import { dockerStreams } from '../../streams/docker-streams.ts';
import { DockershimImageServiceV120, DockershimRuntimeServiceV120 } from '../../v1-20/services.ts';
import { EngineVersion, type ShimV120 } from '../../v1-20/shim.ts';
import { OffTheRecord, RecordedCalls } from './recorded-calls.ts';
import { recordedCheckpoints, recordedDocker, recordedFiles, recordedImages, recordedNetwork } from './recorded-node.ts';
import type { DockershimVector, RecordedRequest } from './vector.ts';

/** Who listens to a recording that is played again. */
export interface DockershimObserver {
  readonly tracer: Tracer;
  /** Called before each step. */
  readonly onStep?: (index: number, step: DockershimVector['steps'][number]) => void;
}

/** Where a recording took another course. */
export interface DockershimDisagreement {
  /** Index of the first step that differs; those after it follow from it. */
  readonly step: number;
  readonly disagreements: readonly Disagreement[];
}

/** The node of a recording has nobody else's containers. */
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

/** The recording's engine may lower scores. */
class AnyOomScore extends OomScores {
  override fit(_ctx: Context, score: number): Promise<number> {
    return Promise.resolve(score);
  }
}

/** The sandbox image of v1.20. */
const defaultSandboxImageV120 = 'k8s.gcr.io/pause:3.2';
const start = parseTime('2026-01-01T00:00:00Z');

/** A shim over what was recorded. */
class Replay {
  readonly #calls = new RecordedCalls();
  readonly #ctx: Context;
  readonly #clock = new VirtualClock(start);
  readonly #networkReady = new Map<string, boolean>();
  readonly #runtime: DockershimRuntimeServiceV120;
  readonly #images: DockershimImageServiceV120;
  /** Texts of resolver files by path. */
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
      sandboxImage: setup.podSandboxImage || defaultSandboxImageV120,
      sandboxImageFallback: null,
      logFiles: false,
    });
    const shim: Omit<ShimV120, 'cgroupSettings' | 'logWriters' | 'imageVolumes' | 'imageUsers' | 'processUsers'> = {
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
      },
      engineVersion: new EngineVersion(docker),
      sandboxPull: {},
      oomScores: new AnyOomScore(docker, deviations, ''),
      capabilities: new Capabilities(docker, deviations, ''),
      imageNames: new ImageNames(docker),
      images: recordedImages(this.#calls),
      files: recordedFiles(this.#calls, vector, {
        // No call is recorded of a file that is not there: only the error tells of it.
        exists: (path) => !this.#recordedError.includes(missingResolvConf(path)),
        write: (path, content) => {
          if (this.#resolvers.get(path) === content) return;
          this.#resolvers.set(path, content);
          this.#written.push({ path, content });
        },
      }),
      deviations,
    };
    // No verb of v1.20 writes logs, mounts images or tells of users.
    const whole = shim as ShimV120;
    this.#runtime = new DockershimRuntimeServiceV120(whole, new StreamingServer(this.#ctx, dockerStreams(whole), {}));
    this.#images = new DockershimImageServiceV120(whole);
  }

  /** As after a restart of the kubelet. */
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
    // In process an answer may come beside the error; over gRPC, and here, it does not.
    if (recorded.error === null) check('response', recorded.response, response);
    const writes = recorded.calls.filter(({ on }) => on === 'file').map(({ path, content }) => ({ path, content }));
    check('files', writes, this.#written);
    check('networkReady', recorded.networkReady, Object.fromEntries(this.#networkReady));
    await this.#clock.advance(1000);
    return found;
  }

  async #answer({ method, body }: RecordedRequest['request']): Promise<{ readonly response?: unknown; readonly error?: Error }> {
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
      return { error: error instanceof Error ? error : new Error(String(error)) };
    }
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members that a recording leaves out as they are zero, where our messages must have them. `zeroState`: the state of number 0. */
function withDefaults(message: Readonly<Record<string, unknown>>, zeroState: string, isRequest = true): Record<string, unknown> {
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

/** The first step that differs; undefined when none does. */
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
