/**
 * Implements the debugger of a node: a gate that stops threads, inspects them and changes their results. While no
 * breakpoint, fault or request exists, each span boundary costs one comparison. Clients use {@link Debugger.commands}
 * or the methods of this class.
 */
import { errorMessage } from '@podscope/base';
import type {
  BreakpointSpec,
  BreakpointState,
  DebugOptions,
  DebugState,
  ExceptionFilterSpec,
  FaultSpec,
  StoppedThread,
} from '@podscope/protocol';
import type { Attributes, Clock, Context, EventLog, Gate, Point, Span, SpanContext, SpanResult } from '@podscope/trace';
import { type Breakpoint, BreakpointList } from './breakpoints/breakpoints.ts';
import { ExceptionFilters } from './breakpoints/exception-filters.ts';
import { DebuggerError } from './errors.ts';
import { describeFault } from './faults/failures.ts';
import { type Fault, FaultList } from './faults/fault-list.ts';
import { groupOfPlan, type KeptPlan, parseFaultPlan, planOfGroup, planState } from './faults/fault-plans.ts';
import { FaultRunner } from './faults/fault-runner.ts';
import { BreakController } from './gate/break-controller.ts';
import { DecisionGate } from './gate/decision-gate.ts';
import { Interventions } from './gate/interventions.ts';
import { threadKind } from './gate/span-boundary.ts';
import { type Resume, type ThreadStop, Threads } from './gate/threads.ts';
import type { DebugHost } from './host.ts';
import { formatValue } from './inspect/format-value.ts';
import { FrameInspector } from './inspect/frame-inspector.ts';
import { startOf } from './inspect/frame-scopes.ts';
import { type DebugPersistence, type KeptDebugState, keptDebugStateSchema } from './persistence.ts';
import { PointCatalog } from './point-catalog.ts';
import { pointSources } from './point-sources.generated.ts';
import { sourcesOf } from './point-sources.ts';
import { StateSaver } from './state-saver.ts';

export interface DebuggerOptions {
  readonly clock: Clock;
  readonly log: EventLog;
  readonly host: DebugHost;
  readonly persistence?: DebugPersistence;
  readonly options?: Partial<DebugOptions>;
  /** The Kubernetes release whose source files are reported as locations. Default: v1.36. */
  readonly profile?: string;
  /**
   * Called when the first client connects and when the last one disconnects. The debugger reacts when this function
   * calls `takeEffect`. Default: it reacts at once. A run that can be repeated calls `takeEffect` at a time that the
   * repetition reproduces.
   */
  readonly presence?: (hasClient: boolean, takeEffect: () => void) => void;
  /** The time after which faults without their own expiry end. Default: they don't expire. */
  readonly faultExpiry?: FaultSpec['expires'];
  /** Receives warnings that don't belong to the response of a command. */
  readonly warn?: (message: string) => void;
}

const defaultOptions: DebugOptions = { probes: 'missed', onDisconnect: 'release' };

export class Debugger implements Gate {
  readonly catalog: PointCatalog;
  readonly inspector: FrameInspector;
  readonly threads = new Threads();
  readonly runner: FaultRunner;
  readonly interventions = new Interventions();
  readonly host: DebugHost;
  readonly #options: DebuggerOptions;
  readonly #breakpoints: BreakpointList;
  readonly #filters: ExceptionFilters;
  readonly #faults: FaultList;
  readonly #controller: BreakController;
  readonly #decisions: DecisionGate;
  readonly #saver: StateSaver;
  readonly #plans = new Map<string, KeptPlan>();
  #settings: DebugOptions;
  #clients = 0;
  #hasClient = false;
  #version = 0;
  #closed = false;
  /** True if no breakpoint, fault or request exists, so the gate stops no thread. */
  #idle = true;

  constructor(options: DebuggerOptions) {
    const { clock, log, host, persistence, warn } = options;
    this.#options = options;
    this.host = host;
    this.#settings = { ...defaultOptions, ...options.options };
    this.#saver = new StateSaver(persistence, () => this.#kept(), warn);
    const pods = host.pod.bind(host);
    this.catalog = new PointCatalog(host.points(), sourcesOf(pointSources, options.profile ?? 'v1.36'), (id) =>
      host.refusal?.(id),
    );
    this.inspector = new FrameInspector({
      catalog: this.catalog,
      events: log,
      mask: (text, place) => host.mask(text, place),
    });
    this.#breakpoints = new BreakpointList(this.catalog);
    this.#filters = new ExceptionFilters(pods);
    this.#faults = new FaultList({
      catalog: this.catalog,
      pods,
      counted: () => this.#saver.save(),
      now: () => clock.now(),
      expiry: options.faultExpiry,
    });
    this.runner = new FaultRunner({
      clock,
      interventions: this.interventions,
      failures: () => host.failures(),
      changed: () => this.#touch(),
    });
    const parts = {
      breakpoints: this.#breakpoints,
      filters: this.#filters,
      faults: this.#faults,
      threads: this.threads,
      interventions: this.interventions,
      pods,
    };
    const format = (value: unknown): string => formatValue(value, (text, place) => host.mask(text, place));
    const used = (breakpoint: Breakpoint): void => this.#used(breakpoint);
    this.#decisions = new DecisionGate({ ...parts, mayStop: () => this.attached, format, used });
    this.#controller = new BreakController({
      ...parts,
      runner: this.runner,
      now: () => clock.now(),
      probes: () => this.#settings.probes,
      mayStop: () => this.attached,
      format,
      stopped: (stop) => {
        stop.at = stop.boundary.phase === 'before' ? (startOf(stop.boundary.span, log) ?? log.lastSeq) : log.lastSeq;
        this.inspector.began(stop);
        this.#touch();
      },
      resumed: (stop) => {
        this.inspector.ended(stop);
        this.#touch();
      },
      used,
      restarted: (thread) => host.resync(thread),
    });
  }

  // Methods of the gate, which the tracer calls.

  before(ctx: SpanContext, span: Span): Promise<SpanResult | undefined> | undefined {
    if (this.#idle) return undefined;
    return this.#controller.pass({ ctx, span, phase: 'before', result: undefined });
  }

  after(ctx: SpanContext, span: Span, result: SpanResult): Promise<SpanResult | undefined> | undefined {
    if (this.#idle) return undefined;
    return this.#controller.pass({ ctx, span, phase: 'after', result });
  }

  decided(ctx: Context, rule: string, facts: Attributes, outcome: unknown, decisive: boolean): void {
    if (!this.#idle) this.#decisions.decided(ctx, { rule, facts, outcome, decisive });
  }

  watches(ctx: Context, point: Point): boolean {
    return !this.#idle && this.#controller.watches(ctx, point);
  }

  // Methods for connected clients.

  /** True while threads may stop: a client is connected to continue them, or stops are kept without a client. */
  get attached(): boolean {
    return !this.#closed && (this.#hasClient || this.#settings.onDisconnect === 'keep');
  }

  /**
   * Registers a client until the returned function is called. When the last client leaves, stopped threads continue,
   * unless the options keep stops without a client.
   */
  attach(): () => void {
    this.#clients += 1;
    if (this.#clients === 1) this.#changePresence(true);
    let here = true;
    return () => {
      if (!here) return;
      here = false;
      this.#clients -= 1;
      if (this.#clients === 0) this.#changePresence(false);
    };
  }

  #changePresence(hasClient: boolean): void {
    const takeEffect = (): void => {
      this.#hasClient = hasClient;
      if (!this.attached) this.releaseAll('disconnected');
    };
    if (this.#options.presence) this.#options.presence(hasClient, takeEffect);
    else takeEffect();
  }

  /** Continues every thread and discards pending requests such as steps and pauses. Breakpoints and faults stay set. */
  releaseAll(how: 'disconnected' | 'shutdown'): void {
    for (const stop of this.threads.stops()) stop.end({ how });
    this.threads.clear();
    this.#settle();
  }

  /** Ends the debugger with its node: releases all stops and held calls, and prevents new ones. */
  close(): void {
    this.#closed = true;
    this.releaseAll('shutdown');
    this.runner.release();
    this.#idle = true;
  }

  /** Continues the threads of a deleted pod, so that stops don't delay its deletion. */
  podGone(uid: string): void {
    this.#filters.forget(uid);
    this.cancelPause(uid);
    for (const stop of this.threads.stops()) {
      const { ctx } = stop.boundary;
      if (ctx.pod?.uid === uid && threadKind(ctx) !== 'loop') stop.end({ how: 'canceled' });
    }
  }

  // Breakpoints, filters and faults.

  /** Replaces a group's breakpoints. */
  setBreakpoints(group: string, specs: readonly BreakpointSpec[]): readonly Breakpoint[] {
    const own = this.#breakpoints.replace(group, specs);
    this.#changed();
    return own;
  }

  /** Returns the state that a breakpoint would have, without setting it. */
  checkBreakpoint(spec: BreakpointSpec): Pick<BreakpointState, 'verified' | 'message' | 'source'> {
    const { verified, message, source } = this.#breakpoints.check(spec);
    return { verified, message, source };
  }

  /** Adds a breakpoint to a group. */
  addBreakpoint(group: string, spec: BreakpointSpec): Breakpoint {
    const breakpoint = this.#breakpoints.add(group, spec);
    this.#changed();
    return breakpoint;
  }

  /** Replaces the exception filters. @throws DebuggerError Invalid for a condition that isn't valid CEL */
  setFilters(specs: readonly ExceptionFilterSpec[]): void {
    this.#filters.set(specs);
    this.#changed();
  }

  /** Replaces a group's faults. */
  setFaults(group: string, specs: readonly FaultSpec[]): readonly Fault[] {
    const own = this.#faults.replace(group, specs);
    this.#changed();
    return own;
  }

  /**
   * Adds or replaces a plan. Returns the stored plan, or the errors in its text.
   * @param since the time from which the expiry of its faults counts
   */
  setFaultPlan(
    yaml: string,
    enabled = true,
    since: number = this.#options.clock.now(),
  ): { readonly plan?: ReturnType<typeof planState>; readonly errors: ReturnType<typeof parseFaultPlan>['errors'] } {
    const { plan, errors } = parseFaultPlan(yaml);
    if (!plan) return { errors };
    const kept = { plan, yaml, enabled, since };
    this.#plans.set(plan.name, kept);
    this.#applyPlan(kept);
    return { plan: planState(kept), errors: [] };
  }

  /**
   * Enables a plan and resets its counters, or disables it.
   * @throws DebuggerError NotFound
   */
  enableFaultPlan(name: string, enabled: boolean): ReturnType<typeof planState> {
    const kept = { ...this.#plan(name), enabled, since: this.#options.clock.now() };
    this.#plans.set(name, kept);
    this.#applyPlan(kept);
    return planState(kept);
  }

  /**
   * Sets the faults of a plan if it is enabled, removes them otherwise. A fault that this runtime can't apply only
   * causes a warning, because a plan may be written for several runtimes.
   */
  #applyPlan({ plan: { name, faults }, enabled, since }: KeptPlan): void {
    const set = this.#faults.replace(groupOfPlan(name), enabled ? faults : [], since);
    for (const [index, fault] of set.entries()) {
      const { verified, message = '' } = fault.state();
      if (!verified) this.#options.warn?.(`Fault plan ${name}: faults[${index}] does nothing: ${message}`);
    }
    this.#changed();
  }

  /** Removes a plan and its faults. @throws DebuggerError NotFound */
  deleteFaultPlan(name: string): void {
    this.#plan(name);
    this.#plans.delete(name);
    this.#faults.replace(groupOfPlan(name), []);
    this.#changed();
  }

  #plan(name: string): KeptPlan {
    const plan = this.#plans.get(name);
    if (!plan) throw new DebuggerError('NotFound', `there is no fault plan ${JSON.stringify(name)}`);
    return plan;
  }

  setOptions(options: Partial<DebugOptions>): DebugOptions {
    this.#settings = { ...this.#settings, ...options };
    if (!this.attached) this.releaseAll('disconnected');
    this.#changed();
    return this.#settings;
  }

  // Methods for stopped threads, and for the state that clients receive.

  /** Returns the stop of a thread. @throws DebuggerError NotStopped */
  stopOf(thread: string): ThreadStop {
    const stop = this.threads.get(thread)?.stop;
    if (!stop) throw new DebuggerError('NotStopped', `thread ${thread} is not stopped: pause it, or set a breakpoint`);
    return stop;
  }

  /** Continues a stopped thread. */
  resume(stop: ThreadStop, resume: Resume): void {
    stop.end(resume);
  }

  /** Requests that a thread stops at its next span boundary or decision. */
  pause(thread: string): void {
    this.threads.open(thread).pausing = true;
    this.#touch();
    this.#report();
  }

  /**
   * Withdraws the requests made by {@link pause}, for one thread or for all. Returns the threads that had a request.
   */
  cancelPause(thread?: string): readonly string[] {
    const canceled = this.threads.pausing().filter((id) => thread === undefined || id === thread);
    for (const id of canceled) {
      const pausing = this.threads.open(id);
      pausing.pausing = false;
      this.threads.settle(pausing);
    }
    if (canceled.length > 0) {
      this.#touch();
      this.#report();
    }
    return canceled;
  }

  /** Updates the gate and the clients. Call it after every request to a thread. */
  asked(): void {
    this.#settle();
  }

  /** Returns the complete state for clients. */
  state(): DebugState {
    return {
      version: this.#version,
      attached: this.attached,
      options: this.#settings,
      stopped: this.threads.stops().map((stop) => this.#stopped(stop)),
      pausing: [...this.threads.pausing()],
      held: [...this.runner.held],
      ...this.#lists(),
    };
  }

  #stopped({ boundary: { ctx, span, phase }, cause, since, number }: ThreadStop): StoppedThread {
    const { reason, text, breakpoints, filter } = cause;
    const { id: point, title } = span.point;
    const place = { point, title, phase, span: span.id, source: this.catalog.locate(span) };
    return {
      thread: ctx.thread,
      pod: ctx.pod && { ...ctx.pod },
      reason,
      text,
      ...place,
      breakpoints: [...breakpoints],
      filter,
      since,
      stop: number,
    };
  }

  #lists(): Pick<DebugState, 'breakpoints' | 'filters' | 'faults' | 'plans'> {
    return {
      breakpoints: this.#breakpoints.all.map((breakpoint) => breakpoint.state()),
      filters: [...this.#filters.specs],
      faults: this.#faults.all.map((fault) => fault.state()),
      plans: [...this.#plans.values()].map(planState),
    };
  }

  #used(breakpoint: Breakpoint): void {
    this.#breakpoints.remove(breakpoint);
    this.#changed();
  }

  #touch(): void {
    this.#version += 1;
    this.#settle();
  }

  #settle(): void {
    this.#idle =
      this.#closed || (this.threads.size === 0 && this.#breakpoints.idle && this.#filters.idle && this.#faults.idle);
  }

  #changed(): void {
    this.#touch();
    this.#report();
    this.#saver.save();
  }

  /** Notifies every client that the state has changed, so that it requests the new state. */
  #report(): void {
    this.#options.log.append({ type: 'breakpointsChanged', thread: 'debugger', ...this.#lists() });
  }

  // Methods that load and save the state.

  /** Restores the saved state. Entries that can't be read are reported and dropped. */
  async load(): Promise<void> {
    const { persistence, warn } = this.#options;
    const kept = await persistence?.load();
    if (kept === undefined) return;
    const parsed = keptDebugStateSchema.safeParse(kept);
    if (!parsed.success) {
      warn?.(`The saved state of the debugger is invalid and is ignored: ${parsed.error.issues[0]?.message ?? ''}`);
      return;
    }
    const { breakpoints, filters, faults, plans, options } = parsed.data;
    this.#breakpoints.restore(breakpoints);
    const restored = this.#faults.restore(faults);
    // Warn about faults restored from a previous run.
    if (restored.length > 0)
      warn?.(`Still in force from before the restart: ${restored.map(({ spec }) => describeFault(spec)).join('; ')}.`);
    try {
      this.#filters.set(filters);
    } catch (error) {
      warn?.(`The debugger's kept filters are left out: ${errorMessage(error)}`);
    }
    // Options from the start of the node take precedence over saved ones.
    this.#settings = { ...defaultOptions, ...options, ...this.#options.options };
    for (const { yaml, enabled, since } of plans) this.setFaultPlan(yaml, enabled, since);
    this.#touch();
    // Emit the restored state, so that the events of this run show which breakpoints and faults affected it.
    if (breakpoints.length + filters.length + restored.length > 0) this.#report();
  }

  #kept(): KeptDebugState {
    return {
      version: 1,
      breakpoints: this.#breakpoints.all
        .filter(({ spec }) => !spec.oneShot)
        .map(({ id, group, spec }) => ({ id, group, spec })),
      filters: [...this.#filters.specs],
      plans: [...this.#plans.values()].map(({ yaml, enabled, since }) => ({ yaml, enabled, since })),
      faults: this.#faults.all
        .filter((fault) => !fault.isSpent && !this.#plans.has(planOfGroup(fault.group) ?? ''))
        .map((fault) => fault.kept()),
      options: this.#settings,
    };
  }

  /** Resolves when the last change is saved. */
  saved(): Promise<void> {
    return this.#saver.saved();
  }
}
