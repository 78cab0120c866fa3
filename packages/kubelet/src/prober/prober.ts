/** Runs one attempt of a probe. Upstream: pkg/kubelet/prober/prober.go (v1.36). */
import { errorMessage, errorText } from '@podscope/base';
import type { RuntimeService } from '@podscope/cri';
import { kubeletPoints } from '@podscope/flow';
import {
  type PodStatus as ApiPodStatus,
  type Container,
  expand,
  goQuote,
  type HTTPGetAction,
  mappingOf,
  type Pod,
  type Probe,
} from '@podscope/k8s';
import {
  type ContainerID,
  type EventRecorder,
  formatPod,
  httpGetRequest,
  resolveContainerPort,
} from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { GrpcProber, HttpProber, TcpProber } from '../dependencies.ts';
import { grpcAnswer } from './grpc-answer.ts';
import { type ProbeProfile, probeProfileV136 } from './probe-profile.ts';
import type { ProbeType } from './update-pod-status.ts';

const maxProbeRetries = 3;
const maxOutputLength = 10 * 1024;

export interface ProberDependencies {
  readonly runtime: Pick<RuntimeService, 'execSync'>;
  readonly http: HttpProber;
  readonly tcp: TcpProber | undefined;
  readonly grpc?: GrpcProber;
  /** The release's rules for probes. Default: v1.36. */
  readonly profile?: ProbeProfile;
  readonly recorder: EventRecorder;
}

/** The target of a probe. */
export interface ProbeTarget {
  readonly type: ProbeType;
  readonly probe: Probe;
  readonly pod: Pod;
  readonly status: ApiPodStatus;
  readonly container: Container;
  readonly id: ContainerID;
}

interface Answer {
  readonly result: 'success' | 'warning' | 'failure';
  readonly output: string;
}

/** Returns the result that a debugger injects instead of the probe's result. */
function givenAnswer(replacement: unknown): Answer | undefined {
  if (typeof replacement !== 'object' || replacement === null || !('result' in replacement)) return undefined;
  const { result, output = '' } = replacement as Partial<Answer>;
  return result === 'success' || result === 'warning' || result === 'failure' ? { result, output } : undefined;
}

const titles: Readonly<Record<ProbeType, string>> = {
  liveness: 'Liveness',
  readiness: 'Readiness',
  startup: 'Startup',
};

/** Runs probes and emits events about failures. */
export class Prober {
  readonly #dependencies: ProberDependencies;
  readonly #profile: ProbeProfile;

  constructor(dependencies: ProberDependencies) {
    this.#dependencies = dependencies;
    this.#profile = dependencies.profile ?? probeProfileV136;
  }

  /**
   * Runs one attempt and emits an event unless the attempt succeeds.
   * @throws Error when the probe couldn't run and therefore has no result
   */
  async probe(ctx: Context, target: ProbeTarget): Promise<'success' | 'failure'> {
    const { type, container, pod } = target;
    const { recorder } = this.#dependencies;
    const facts = { type, container: container.name, containerID: target.id.id };
    return ctx.tracer.span(ctx, kubeletPoints.probe, facts, async (inner) => {
      try {
        const { result, output } = givenAnswer(inner.span.replacement) ?? (await this.#runWithRetries(inner, target));
        inner.span.set({ result, output });
        if (result === 'failure')
          recorder.event(inner, pod, 'Warning', 'Unhealthy', `${titles[type]} probe failed: ${output}`, container);
        if (result === 'warning')
          recorder.event(inner, pod, 'Warning', 'ProbeWarning', `${titles[type]} probe warning: ${output}`, container);
        return result === 'failure' ? 'failure' : 'success';
      } catch (error) {
        if (!ctx.signal.aborted) {
          const text = errorText(error);
          const message = this.#profile.texts.errored(titles[type], text);
          recorder.event(inner, pod, 'Warning', 'Unhealthy', message, container);
        }
        throw error;
      }
    });
  }

  async #runWithRetries(ctx: Context, target: ProbeTarget): Promise<Answer> {
    let last: unknown;
    for (let attempt = 0; attempt < maxProbeRetries && !ctx.signal.aborted; attempt++) {
      try {
        return await this.#run(ctx, target);
      } catch (error) {
        last = error;
      }
    }
    throw last ?? ctx.signal.reason;
  }

  #run(ctx: Context, target: ProbeTarget): Promise<Answer> {
    const { probe, container } = target;
    const timeoutMs = (probe.timeoutSeconds ?? 1) * 1000;
    if (probe.exec) return this.#exec(ctx, target, probe.exec.command ?? [], timeoutMs);
    if (probe.httpGet) return this.#httpGet(ctx, target, probe.httpGet, timeoutMs);
    if (probe.tcpSocket) {
      const { host, port } = probe.tcpSocket;
      return this.#tcpSocket(ctx, host || podIP(target), resolveContainerPort(port, container), timeoutMs);
    }
    if (probe.grpc && this.#profile.supportsGrpc) return this.#grpc(ctx, target, probe.grpc, timeoutMs);
    return Promise.reject(new Error(`missing probe handler for ${formatPod(target.pod)}:${container.name}`));
  }

  /** Runs a gRPC probe. Every error counts as a failure of the service. Upstream: pkg/probe/grpc. */
  async #grpc(
    ctx: Context,
    target: ProbeTarget,
    { port, service }: NonNullable<Probe['grpc']>,
    timeoutMs: number,
  ): Promise<Answer> {
    const { grpc } = this.#dependencies;
    if (!grpc) throw new Error('grpc probes are not supported on this node');
    const address = podIP(target);
    const outcome = await grpc.check({
      host: address,
      port,
      service: service ?? '',
      timeoutMs,
      userAgent: this.#profile.userAgent,
      signal: ctx.signal,
    });
    ctx.signal.throwIfAborted();
    return grpcAnswer(outcome, `${address.includes(':') ? `[${address}]` : address}:${port}`, timeoutMs);
  }

  async #exec(
    ctx: Context,
    { container, id }: ProbeTarget,
    command: readonly string[],
    timeoutMs: number,
  ): Promise<Answer> {
    // As in v1EnvVarsToMap, a variable with valueFrom has an empty value here.
    const literal = Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value ?? '']));
    const cmd = command.map((part) => expand(part, mappingOf(literal)));
    try {
      const { stdout, stderr, exitCode } = await this.#dependencies.runtime.execSync(ctx, {
        containerId: id.id,
        cmd,
        timeout: timeoutMs / 1000,
      });
      const decoder = new TextDecoder();
      const output = `${decoder.decode(stdout)}${decoder.decode(stderr)}`.slice(0, maxOutputLength);
      return { result: exitCode === 0 ? 'success' : 'failure', output };
    } catch (error) {
      if (isTimeout(error)) {
        return { result: 'failure', output: this.#profile.texts.execTimeout(cmd, timeoutMs) };
      }
      throw error;
    }
  }

  async #httpGet(ctx: Context, target: ProbeTarget, action: HTTPGetAction, timeoutMs: number): Promise<Answer> {
    const host = action.host || podIP(target);
    const { scheme, location, headers } = httpGetRequest(action, target.container, host, this.#profile.userAgent);
    const url = `${scheme}://${location}`;
    try {
      const { status, body } = await this.#dependencies.http.get({
        url,
        headers,
        timeoutMs,
        signal: ctx.signal,
      });
      const text = body.slice(0, maxOutputLength);
      if (status < 200 || status >= 400)
        return { result: 'failure', output: `HTTP probe failed with statuscode: ${status}` };
      if (status >= 300) return { result: 'warning', output: this.#profile.texts.redirect(text) };
      return { result: 'success', output: text };
    } catch (error) {
      ctx.signal.throwIfAborted();
      const text = errorMessage(error);
      // A client that formats errors like Go's has already added the prefix.
      return { result: 'failure', output: text.startsWith('Get ') ? text : `Get ${goQuote(url)}: ${text}` };
    }
  }

  async #tcpSocket(ctx: Context, host: string, port: number, timeoutMs: number): Promise<Answer> {
    const { tcp } = this.#dependencies;
    if (!tcp) throw new Error('tcpSocket probes are not supported on this node');
    try {
      await tcp.connect({ host, port, timeoutMs, signal: ctx.signal });
      return { result: 'success', output: '' };
    } catch (error) {
      ctx.signal.throwIfAborted();
      return { result: 'failure', output: errorMessage(error) };
    }
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error as { readonly code?: unknown }).code === 'DeadlineExceeded';

const podIP = ({ status }: ProbeTarget): string => status.podIP ?? '';
