/**
 * Implements the container runtime that the shadow engine runs on. Reads are answered from observed state. Writes are
 * recorded as predictions, matched with the calls of the genuine sync, and get the response that the genuine call got.
 */
import {
  type ContainerStatusRequest,
  type ContainerStatusResponse,
  type CreateContainerRequest,
  type CreateContainerResponse,
  CriError,
  type ExecSyncRequest,
  type ExecSyncResponse,
  type ImageStatusRequest,
  type ImageStatusResponse,
  type PodSandboxStatusRequest,
  type PodSandboxStatusResponse,
  type PullImageRequest,
  type PullImageResponse,
  type RemoveContainerRequest,
  type RemoveContainerResponse,
  type RunPodSandboxRequest,
  type RunPodSandboxResponse,
  type StartContainerRequest,
  type StartContainerResponse,
  type StopContainerRequest,
  type StopContainerResponse,
  type StopPodSandboxRequest,
  type StopPodSandboxResponse,
  UnimplementedImageService,
  UnimplementedRuntimeService,
  type UpdateContainerResourcesRequest,
  type UpdateContainerResourcesResponse,
  type UpdatePodSandboxResourcesRequest,
  type UpdatePodSandboxResourcesResponse,
} from '@podscope/cri';
import { type Clock, type Context, grpcCodeOf, sleep } from '@podscope/trace';
import type { CallMessage, CallRecord } from '../inputs.ts';
import { textAt } from '../state/fields.ts';
import { type CallIdentity, identityOf, sameCall } from './identity.ts';

/** A call that the shadow engine would make. */
export interface Prediction extends CallIdentity {
  /** The time at which the shadow engine makes the call. */
  readonly at: number;
  /** The number of the genuine call that matches; undefined if none does. */
  readonly call: number | undefined;
}

/** The observed state from which reads are answered. */
export interface ObservedReads {
  sandboxStatus(id: string): unknown;
  containerStatus(id: string): unknown;
  /** Returns the newest answer of ImageStatus for an image, or undefined if no answer was observed. */
  image(image: string): unknown;
}

export interface ConversationOptions {
  /** The calls of the sync, in order. */
  readonly calls: readonly CallRecord[];
  /** Calls that may answer a prediction, but don't have to be predicted. */
  readonly optional: readonly CallRecord[];
  readonly reads: ObservedReads;
  readonly clock: Clock;
}

/** The calls of one genuine sync, with which the shadow engine's calls are matched. */
export class Conversation {
  readonly predictions: Prediction[] = [];
  /** For each call of the engine, in order: the number of the genuine call that answered it, or undefined. */
  readonly answers: (number | undefined)[] = [];
  readonly #options: ConversationOptions;
  readonly #used = new Set<number>();

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** Returns the genuine calls that match no prediction. */
  unmatched(): readonly CallRecord[] {
    return this.#options.calls.filter(({ number }) => !this.#used.has(number));
  }

  get reads(): ObservedReads {
    return this.#options.reads;
  }

  /**
   * Records a prediction. Resolves at the time when the genuine call was answered, with its response.
   * @throws CriError with the status that the kubelet received; Unavailable if no genuine call matches
   */
  async write(method: string, request: object): Promise<CallMessage> {
    const { calls, optional, clock } = this.#options;
    const identity = identityOf(method, { ...request });
    const call = [...calls, ...optional].find(
      (each) =>
        !this.#used.has(each.number) && each.method === method && sameCall(identity, identityOf(method, each.request)),
    );
    this.answers.push(call?.number);
    this.predictions.push({ ...identity, at: clock.now(), call: call?.number });
    if (!call) throw new CriError('Unavailable', `the kubelet did not make this call: ${method} ${identity.target}`);
    this.#used.add(call.number);
    return this.#answer(call);
  }

  /**
   * Returns the answer to a read that the genuine sync made, or undefined if the sync made no such read. The kubelet
   * reads the status of a container twice before it removes the container, the engine once. So a failed read comes
   * first: it decides what the kubelet did next.
   */
  async read(method: string, matches: (request: CallMessage | undefined) => boolean): Promise<CallMessage | undefined> {
    const reads = this.#options.calls.filter(
      (each) => !this.#used.has(each.number) && each.method === method && matches(each.request),
    );
    const call = reads.find(({ result }) => result !== undefined && result.status !== 0) ?? reads[0];
    this.answers.push(call?.number);
    if (!call) return undefined;
    this.#used.add(call.number);
    return this.#answer(call);
  }

  async #answer({ result, method }: CallRecord): Promise<CallMessage> {
    const { clock } = this.#options;
    if (!result) throw new CriError('DeadlineExceeded', `${method} has not been answered`);
    if (result.end > clock.now()) await sleep(clock, result.end - clock.now());
    if (result.status !== 0) throw new CriError(grpcCodeOf(result.status) ?? 'Unknown', result.message);
    return result.response ?? {};
  }
}

export class ObservedRuntimeService extends UnimplementedRuntimeService {
  readonly #conversation: Conversation;

  constructor(conversation: Conversation) {
    super();
    this.#conversation = conversation;
  }

  async #write<T>(method: string, request: object): Promise<T> {
    // The cast is safe: the messages come from a genuine runtime and were decoded with the CRI schema.
    return (await this.#conversation.write(method, request)) as T;
  }

  override runPodSandbox(_ctx: Context, request: RunPodSandboxRequest): Promise<RunPodSandboxResponse> {
    return this.#write('RunPodSandbox', request);
  }
  override stopPodSandbox(_ctx: Context, request: StopPodSandboxRequest): Promise<StopPodSandboxResponse> {
    return this.#write('StopPodSandbox', request);
  }
  override createContainer(_ctx: Context, request: CreateContainerRequest): Promise<CreateContainerResponse> {
    return this.#write('CreateContainer', request);
  }
  override startContainer(_ctx: Context, request: StartContainerRequest): Promise<StartContainerResponse> {
    return this.#write('StartContainer', request);
  }
  override stopContainer(_ctx: Context, request: StopContainerRequest): Promise<StopContainerResponse> {
    return this.#write('StopContainer', request);
  }
  override removeContainer(_ctx: Context, request: RemoveContainerRequest): Promise<RemoveContainerResponse> {
    return this.#write('RemoveContainer', request);
  }
  override execSync(_ctx: Context, request: ExecSyncRequest): Promise<ExecSyncResponse> {
    return this.#write('ExecSync', request);
  }
  override updateContainerResources(
    _ctx: Context,
    request: UpdateContainerResourcesRequest,
  ): Promise<UpdateContainerResourcesResponse> {
    return this.#write('UpdateContainerResources', request);
  }
  override updatePodSandboxResources(
    _ctx: Context,
    request: UpdatePodSandboxResourcesRequest,
  ): Promise<UpdatePodSandboxResourcesResponse> {
    return this.#write('UpdatePodSandboxResources', request);
  }

  override async podSandboxStatus(
    _ctx: Context,
    { podSandboxId }: PodSandboxStatusRequest,
  ): Promise<PodSandboxStatusResponse> {
    const seen = await this.#conversation.read(
      'PodSandboxStatus',
      (request) => textAt(request, 'podSandboxId') === podSandboxId,
    );
    const status = this.#conversation.reads.sandboxStatus(podSandboxId);
    if (!seen && !status) throw new CriError('NotFound', `the status of sandbox ${podSandboxId} was not seen`);
    return (seen ?? { status }) as unknown as PodSandboxStatusResponse;
  }

  override async containerStatus(
    _ctx: Context,
    { containerId }: ContainerStatusRequest,
  ): Promise<ContainerStatusResponse> {
    const seen = await this.#conversation.read(
      'ContainerStatus',
      (request) => textAt(request, 'containerId') === containerId,
    );
    const known = seen ?? this.#conversation.reads.containerStatus(containerId);
    if (!known) throw new CriError('NotFound', `the status of container ${containerId} was not seen`);
    return known as ContainerStatusResponse;
  }
}

export class ObservedImageService extends UnimplementedImageService {
  readonly #conversation: Conversation;

  constructor(conversation: Conversation) {
    super();
    this.#conversation = conversation;
  }

  override async imageStatus(_ctx: Context, { image }: ImageStatusRequest): Promise<ImageStatusResponse> {
    const seen = await this.#conversation.read(
      'ImageStatus',
      (request) => textAt(request, 'image', 'image') === image.image,
    );
    const known = seen ?? this.#conversation.reads.image(image.image);
    // Assume that an unknown image is present. The calls that follow show whether it was.
    return known ?? { image: { id: image.image, repoTags: [image.image], repoDigests: [], size: 0 } };
  }

  override async pullImage(_ctx: Context, request: PullImageRequest): Promise<PullImageResponse> {
    return (await this.#conversation.write('PullImage', request)) as unknown as PullImageResponse;
  }
}
