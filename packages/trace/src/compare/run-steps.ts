/**
 * Extracts the steps of a run. A step is identified by pod, action, target and attempt. Event numbers, ids and times
 * are not used, so a step can be matched with the same step of another run of these pods.
 */
import { changingPoints } from '../changing-calls.ts';
import { asHappened } from '../events/as-happened.ts';
import type { TraceEvent, TraceEventOf } from '../events/event.ts';
import { criTimeAt, numberAt, objectAt, textAt } from '../folds/attribute-values.ts';
import { manifestName } from './manifest-name.ts';

/** A call that changes something, or an observed change. */
export interface RunStep {
  /** The pod as `namespace/name`. */
  readonly pod: string;
  /** The same with the name in the pod's manifest, with which steps of different nodes are matched. */
  readonly manifest: string;
  /**
   * The action: the name of a CRI call that changes something, a hook, or `pull`, `start`, `exit`, `backOff`, `phase`.
   */
  readonly action: string;
  /** The object of the action: the name of a container, `POD` for the sandbox, the image of a pull, or the phase. */
  readonly target: string;
  /** The attempt of the container or sandbox; 0 if it has no attempt. */
  readonly attempt: number;
  /** The number of the step among those with equal names, from 1. A retried call has the next number. */
  readonly occurrence: number;
  readonly outcome: 'ok' | 'error' | 'canceled';
  /**
   * The reason of the error, the exit code or the length of the back-off. Steps with different reasons have different
   * outcomes.
   */
  readonly reason: string | undefined;
  readonly message: string | undefined;
  /** The interventions inside the step. They show that a failure was injected and isn't genuine. */
  readonly injected: readonly string[];
  readonly start: number;
  /** The duration in ms; undefined if the step has no duration or hadn't ended. */
  readonly duration: number | undefined;
  /** The number of the step's first event. */
  readonly seq: number;
}

/** The errors of starts and pulls that were not attempted because of a back-off. */
const postponed: ReadonlySet<string> = new Set(['CrashLoopBackOff', 'ImagePullBackOff']);
/** Matches ids, which differ between runs. */
const identifiers = /\b[0-9a-f]{12,64}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

interface Named {
  readonly target: string;
  readonly attempt: number;
}

type Unnumbered = Omit<RunStep, 'occurrence'>;
type Said = Omit<Unnumbered, 'pod' | 'manifest' | 'seq' | 'injected'>;

/** Collects the steps of a run from its events, in order. */
export class RunSteps {
  readonly #steps: RunStep[] = [];
  readonly #counts = new Map<string, number>();
  readonly #pods = new Map<string, Pick<RunStep, 'pod' | 'manifest'>>();
  readonly #phases = new Map<string, string>();
  /** The containers and sandboxes by id. */
  readonly #ids = new Map<string, Named>();
  readonly #open = new Map<number, TraceEventOf<'spanStarted'>>();
  /** The spans that contain a failed call. Their own failure isn't recorded as a further step. */
  readonly #failedInside = new Set<number>();

  /** The interventions on open spans and on the calls inside them, by span. */
  readonly #injected = new Map<number, string[]>();
  /** The containers whose exit is a step already, by id. */
  readonly #exited = new Set<string>();
  /** The interventions that killed a container, by container id. */
  readonly #killed = new Map<string, string>();

  get steps(): readonly RunStep[] {
    return this.#steps;
  }

  take(received: TraceEvent): void {
    const event = asHappened(received);
    switch (event.type) {
      case 'podChanged': {
        const name = textAt(event.object, 'metadata', 'name');
        const prefix = `${textAt(event.object, 'metadata', 'namespace') ?? 'default'}/`;
        if (event.pod && name)
          this.#nameOf(event.pod, {
            pod: prefix + name,
            manifest: prefix + (manifestName(event.object) ?? name),
          });
        return;
      }
      case 'spanStarted':
        this.#open.set(event.span, event);
        return;
      case 'spanEnded': {
        const started = this.#open.get(event.span);
        this.#open.delete(event.span);
        if (started) this.#ended(started, event);
        return;
      }
      case 'intervention': {
        const id = textAt(event.details, 'id');
        if (event.span !== undefined) this.#inject(event.span, [event.text]);
        else if (event.action === 'kill' && id !== undefined) this.#killed.set(id, event.text);
        return;
      }
      case 'runtimeStateChanged':
        this.#ids.set(event.id, { target: event.object === 'sandbox' ? 'POD' : event.name, attempt: event.attempt });
        if (event.to === 'exited' && event.object === 'container' && !this.#exited.has(event.id)) {
          this.#exited.add(event.id);
          const killed = this.#killed.get(event.id);
          const start = event.startedAt ?? event.time;
          const duration =
            event.startedAt !== undefined && event.finishedAt !== undefined
              ? event.finishedAt - event.startedAt
              : undefined;
          const reason = event.exitCode === undefined ? event.reason : `exit code ${event.exitCode}`;
          this.#add(
            event,
            {
              action: 'exit',
              target: event.name,
              attempt: event.attempt,
              outcome: event.exitCode === 0 ? 'ok' : 'error',
              reason,
              message: event.reason,
              start,
              duration,
            },
            { injected: killed === undefined ? [] : [killed] },
          );
        }
        return;
      case 'backOff':
        if (event.state === 'armed') {
          this.#add(event, {
            action: 'backOff',
            target: event.container,
            attempt: 0,
            outcome: 'ok',
            reason: `${event.seconds} s`,
            message: undefined,
            start: event.time,
            duration: undefined,
          });
        }
        return;
      case 'podStatus': {
        const phase = textAt(event.status, 'phase');
        if (!event.pod || !phase || this.#phases.get(event.pod) === phase) return;
        this.#phases.set(event.pod, phase);
        this.#add(event, {
          action: 'phase',
          target: phase,
          attempt: 0,
          outcome: 'ok',
          reason: textAt(event.status, 'reason'),
          message: undefined,
          start: event.time,
          duration: undefined,
        });
        return;
      }
      default:
    }
  }

  takeAll(events: Iterable<TraceEvent>): this {
    for (const event of events) this.take(event);
    return this;
  }

  #ended(started: TraceEventOf<'spanStarted'>, ended: TraceEventOf<'spanEnded'>): void {
    const { point, attributes, time, seq, parent } = started;
    if (point === 'cri.ContainerStatus' && started.source === 'cri') this.#observedStatus(ended);
    const injected = this.#injected.get(started.span) ?? [];
    this.#injected.delete(started.span);
    if (parent !== undefined && injected.length > 0) this.#inject(parent, injected);
    const failed = ended.outcome !== 'ok';
    const known = this.#failedInside.delete(started.span);
    // A call that the shadow engine predicts isn't a step, because the kubelet's own call already is.
    const isCall = this.#isStep(started) || point.startsWith('shadow.');
    if (failed && parent !== undefined && (known || isCall)) this.#failedInside.add(parent);
    if (!this.#isStep(started) && !(failed && !known && this.#isStart(point))) return;
    if (postponed.has(ended.error?.reason ?? '')) return;
    const { target, attempt } = this.#named(started, ended);
    this.#add(
      { ...started, pod: started.pod ?? textAt(attributes, 'request', 'sandboxConfig', 'metadata', 'uid') },
      {
        action: this.#isStart(point) ? 'start' : point.replace(/^cri\.|^lifecycle\./, ''),
        target,
        attempt,
        outcome: ended.outcome,
        reason: ended.error?.reason,
        message: ended.error?.message,
        start: time,
        duration: ended.time - time,
      },
      { at: seq, injected },
    );
  }

  /**
   * Adds the exit that a genuine kubelet learns from the runtime. Its PLEG can't be observed, but it requests the
   * status of each container that has exited.
   */
  #observedStatus(ended: TraceEventOf<'spanEnded'>): void {
    const status = objectAt(ended.attributes, 'response', 'status');
    const id = textAt(status, 'id');
    if (id === undefined || textAt(status, 'state') !== 'CONTAINER_EXITED' || this.#exited.has(id)) return;
    this.#exited.add(id);
    const [startedAt, finishedAt] = [criTimeAt(status, 'startedAt'), criTimeAt(status, 'finishedAt')];
    const exitCode = numberAt(status, 'exitCode') ?? 0;
    this.#add(ended, {
      action: 'exit',
      target: textAt(status, 'metadata', 'name') ?? '',
      attempt: numberAt(status, 'metadata', 'attempt') ?? 0,
      outcome: exitCode === 0 ? 'ok' : 'error',
      reason: `exit code ${exitCode}`,
      message: textAt(status, 'reason'),
      start: startedAt ?? ended.time,
      duration: startedAt !== undefined && finishedAt !== undefined ? finishedAt - startedAt : undefined,
    });
  }

  /**
   * Stores the name of a pod. The calls of a genuine kubelet can precede the answer of `/pods` that names their pod, so
   * steps that were recorded under the pod's uid get the name later.
   */
  #nameOf(uid: string, names: Pick<RunStep, 'pod' | 'manifest'>): void {
    const known = this.#pods.get(uid);
    if (known?.pod === names.pod && known.manifest === names.manifest) return;
    this.#pods.set(uid, names);
    for (const [index, step] of this.#steps.entries())
      if (step.pod === uid) this.#steps[index] = { ...step, ...names, occurrence: this.#next({ ...step, ...names }) };
  }

  #isStep({ point }: TraceEventOf<'spanStarted'>): boolean {
    return changingPoints.has(point) || point.startsWith('lifecycle.');
  }

  /**
   * Returns true for the function that starts a container. If a start fails before it reaches the runtime, no CRI call
   * records it.
   */
  #isStart(point: string): boolean {
    return point === 'kuberuntime.startContainer';
  }

  #named({ point, attributes, span }: TraceEventOf<'spanStarted'>, ended: TraceEventOf<'spanEnded'>): Named {
    const request = objectAt(attributes, 'request');
    const metadata = objectAt(request, 'config', 'metadata');
    const attempt = numberAt(metadata, 'attempt') ?? 0;
    const response = objectAt(ended.attributes, 'response');
    if (point === 'cri.PullImage')
      return {
        target: textAt(request, 'image', 'userSpecifiedImage') ?? textAt(request, 'image', 'image') ?? '',
        attempt: 0,
      };
    if (point === 'cri.RunPodSandbox') return this.#learn(textAt(response, 'podSandboxId'), { target: 'POD', attempt });
    if (point === 'cri.CreateContainer')
      return this.#learn(textAt(response, 'containerId'), { target: textAt(metadata, 'name') ?? '', attempt });
    const id = textAt(request, 'containerId') ?? textAt(request, 'podSandboxId');
    const known = id === undefined ? undefined : this.#ids.get(id);
    return known ?? { target: this.#containerAround(span, attributes), attempt: 0 };
  }

  #containerAround(span: number, attributes: unknown): string {
    const own = textAt(attributes, 'container') ?? textAt(attributes, 'container', 'name');
    if (own !== undefined) return own;
    for (
      let around = this.#open.get(span);
      around;
      around = around.parent === undefined ? undefined : this.#open.get(around.parent)
    ) {
      const name = textAt(around.attributes, 'container');
      if (name !== undefined) return name;
    }
    return '';
  }

  #learn(id: string | undefined, named: Named): Named {
    if (id !== undefined) this.#ids.set(id, named);
    return named;
  }

  #inject(span: number, texts: readonly string[]): void {
    this.#injected.set(span, [...(this.#injected.get(span) ?? []), ...texts]);
  }

  #add(
    { pod, seq }: Pick<TraceEvent, 'pod' | 'seq'>,
    said: Said,
    { at = seq, injected = [] }: { readonly at?: number; readonly injected?: readonly string[] } = {},
  ): void {
    const unnamed = pod ?? '';
    const names = this.#pods.get(unnamed) ?? { pod: unnamed, manifest: unnamed };
    this.#steps.push({
      ...said,
      ...names,
      message: said.message?.replaceAll(identifiers, '…'),
      injected,
      occurrence: this.#next({ ...said, ...names }),
      seq: at,
    });
  }

  /** Returns the next number among the steps with equal names. */
  #next({ manifest, action, target, attempt }: Pick<RunStep, 'manifest' | 'action' | 'target' | 'attempt'>): number {
    const key = [manifest, action, target, attempt].join('\u0000');
    const occurrence = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, occurrence);
    return occurrence;
  }
}
