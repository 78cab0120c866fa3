/**
 * Implements the session of one DAP client. Requests become commands of a node, and the node's events become DAP
 * events. Pod workers and loops are threads; open spans are stack frames. A thread that stepped back shows the recorded
 * past until it returns to the present.
 */
import type { ExceptionFilterSpec } from '@podscope/protocol';
import { productVersion, StartError, tokensEqual } from '@podscope/server/embed';
import type { PageServer } from '@podscope/server/viewer';
import { type TraceEvent } from '@podscope/trace';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { z } from 'zod';
import { capabilities } from './capabilities.ts';
import { ClientBreakpoints } from './client-breakpoints.ts';
import type { DebugSession, RequestHandler } from './debug-session.ts';
import { EventTranslator } from './event-translator.ts';
import { type LaunchedNode, launchNode } from './node/launched-node.ts';
import { connectToServer, type NodeConnection, NodeRefusal, type Welcome } from './node/node-connection.ts';
import { type PageSource, serveSessionPage } from './page/session-page.ts';
import { relayTo } from './page/stream-relay.ts';
import { RecordedPast } from './recorded-past.ts';
import { attachSchema, launchSchema, requestSchemas } from './requests/arguments.ts';
import { executionRequests } from './requests/execution-requests.ts';
import { inspectionRequests } from './requests/inspection-requests.ts';
import { ThreadIds } from './thread-ids.ts';

export interface DapSessionOptions {
  readonly send: (message: DebugProtocol.ProtocolMessage) => void;
  /** Called when the session has ended and its transport may be closed. */
  readonly onEnd: () => void;
  /** Directory of the engine's sources. */
  readonly root: string;
  /**
   * True if clients get the text of the sources from the adapter, read-only. False if clients open the files
   * themselves.
   */
  readonly servesSources?: boolean;
  /** The directory of the built page. Default: the page of this Podscope. */
  readonly pageDirectory?: string;
  /** The value that clients must send as `adapterToken`. */
  readonly token?: string;
  /** Connects to a node in place of the address in an attach request. */
  readonly attach?: () => Promise<NodeConnection> | NodeConnection;
}

interface Target {
  readonly connection: NodeConnection;
  readonly group: string;
  readonly launched: LaunchedNode | undefined;
  readonly events: boolean;
  /** Source of sessions for the page; undefined if the node has no address. */
  readonly clients: PageSource | undefined;
}

/** Maximum number of frames whose thread is stored. */
const maxFrames = 10_000;

const requestSchema = z.looseObject({
  seq: z.int(),
  type: z.literal('request'),
  command: z.string(),
  arguments: z.unknown().optional(),
});

export class DapSession implements DebugSession {
  readonly threads = new ThreadIds();
  readonly past = new RecordedPast();
  readonly breakpoints: ClientBreakpoints;
  readonly stops: DebugSession['stops'] = new Map();
  readonly options: DapSessionOptions;
  readonly #handlers: Readonly<Record<string, RequestHandler>>;
  readonly #translator: EventTranslator;
  #target: Target | undefined;
  #launchArguments: z.infer<typeof launchSchema> | undefined;
  #filters: z.infer<typeof requestSchemas.setExceptionBreakpoints> | undefined;
  /**
   * Exception filters that other clients have set on an attached node. This session keeps them when it sets its own.
   */
  #othersFilters: readonly ExceptionFilterSpec[] = [];
  readonly #frames = new Map<number, string>();
  #page: Promise<PageServer> | undefined;
  #seq = 0;
  #afterResponse: (() => void)[] = [];
  #isOver = false;
  #configured = false;
  /** True after a rerun, until a request continues virtual time. */
  #standsStill = false;
  /** Called when this session is connected to another run, or has ended. */
  #onMoved: () => void = () => undefined;

  constructor(options: DapSessionOptions) {
    this.options = options;
    this.breakpoints = new ClientBreakpoints(options.root, options.servesSources ?? false);
    this.#translator = new EventTranslator(this);
    this.#handlers = {
      initialize: () => capabilities,
      launch: (args) => this.#launch(args),
      attach: (args) => this.#attach(args),
      configurationDone: () => this.#configurationDone(),
      restart: () => this.#restart(),
      terminate: () => this.#terminate(),
      disconnect: () => this.#disconnect(),
      cancel: () => ({}),
      setFunctionBreakpoints: (args) =>
        this.#set(this.breakpoints.setFunctions(requestSchemas.setFunctionBreakpoints.parse(args).breakpoints)),
      setBreakpoints: (args) => {
        const { source, breakpoints } = requestSchemas.setBreakpoints.parse(args);
        return this.#set(this.breakpoints.setSource(source.path ?? source.name ?? '', breakpoints));
      },
      setExceptionBreakpoints: (args) => this.#setFilters(requestSchemas.setExceptionBreakpoints.parse(args)),
      // Handles commands of the node's whole protocol, for features outside DAP.
      podscope: async (args) => {
        const command = requestSchemas.podscope.parse(args);
        return { result: await (command.command === 'rerun' ? this.rerun(command) : this.node.request(command)) };
      },
      podscopePage: (args) => this.#servePage(requestSchemas.podscopePage.parse(args)),
      ...executionRequests(this),
      ...inspectionRequests(this),
    };
  }

  get node(): NodeConnection {
    if (!this.#target) throw new NodeRefusal('NotConnected', 'launch or attach first');
    return this.#target.connection;
  }

  rememberFrame(frame: number, thread: string): void {
    if (this.#frames.size > maxFrames) this.#frames.clear();
    this.#frames.set(frame, thread);
  }

  frameThread(frame: number | undefined): string {
    const thread = (frame === undefined ? undefined : this.#frames.get(frame)) ?? [...this.stops.keys()].at(-1);
    if (thread === undefined)
      throw new NodeRefusal('NotStopped', 'no thread is stopped: pause one, or set a breakpoint');
    return thread;
  }

  get group(): string {
    return this.#target?.group ?? 'dap';
  }

  /** Handles one message of the client. Never throws, even for an invalid message. */
  async receive(message: unknown): Promise<void> {
    const parsed = requestSchema.safeParse(message);
    // Ignore messages that aren't requests. The adapter sends no requests, so clients send no responses.
    if (!parsed.success) return;
    const { seq, command, arguments: args } = parsed.data;
    const handler = Object.hasOwn(this.#handlers, command) ? this.#handlers[command] : undefined;
    try {
      if (!handler) throw new NodeRefusal('Unsupported', `this adapter knows no request ${command}`);
      const body = await handler(args ?? {});
      this.#respond(seq, command, { success: true, body: body ?? {} });
    } catch (error) {
      this.#respond(seq, command, { success: false, ...failureOf(error, seq) });
    }
    for (const task of this.#afterResponse.splice(0)) task();
  }

  event(event: string, body?: object): void {
    if (!this.#isOver) this.options.send({ seq: ++this.#seq, type: 'event', event, body } as DebugProtocol.Event);
  }

  print(output: string, category: 'console' | 'important' | 'stderr' = 'console'): void {
    this.event('output', { category, output: `${output}\n` });
  }

  later(task: () => void): void {
    this.#afterResponse.push(task);
  }

  /** Ends the session and everything that it started. Called when the client disconnects and when the session ends. */
  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const target = this.#target;
    if (target && !target.launched) await this.#takeBack(target);
    this.#target = undefined;
    await target?.connection.close();
    await target?.launched?.stop();
    await this.#page?.then(
      (page) => page.close(),
      () => undefined,
    );
    this.options.onEnd();
  }

  ended(exitCode: number): void {
    this.event('exited', { exitCode });
    this.event('terminated');
  }

  #respond(requestSeq: number, command: string, rest: object): void {
    this.options.send({
      seq: ++this.#seq,
      type: 'response',
      request_seq: requestSeq,
      command,
      ...rest,
    } as DebugProtocol.Response);
  }

  #checkToken(given: string | undefined): void {
    if (this.options.token !== undefined && !tokensEqual(given ?? '', this.options.token))
      throw new NodeRefusal('Unauthorized', 'adapterToken is not the token that "podscope dap --listen" printed');
    if (this.#target) throw new NodeRefusal('Invalid', 'this session has a node already');
  }

  async #launch(args: unknown): Promise<undefined> {
    const parsed = launchSchema.parse(args);
    this.#checkToken(parsed.adapterToken);
    this.#launchArguments = parsed;
    await this.#startNode();
    this.later(() => this.event('initialized'));
  }

  async #startNode(): Promise<void> {
    const args = this.#launchArguments;
    if (!args) throw new NodeRefusal('Invalid', 'only what was launched can be restarted');
    const launched = await launchNode(args, (message) => this.print(message));
    await this.#connect({ ...launched, group: args.group, launched, events: args.events });
    this.print(`${launched.runtime}, ${args.profile}`);
    for (const notice of launched.notices) this.print(notice, 'important');
  }

  async #attach(args: unknown): Promise<undefined> {
    const own = this.options.attach;
    const parsed = own
      ? { url: undefined, token: '', ...attachSchema.partial({ url: true, token: true }).parse(args) }
      : attachSchema.parse(args);
    this.#checkToken(parsed.adapterToken);
    const connection = own ? await own() : await connectToServer(parsed.url ?? '', parsed.token ?? '');
    await this.#connect({
      connection,
      group: parsed.group,
      launched: undefined,
      events: parsed.events,
      clients: own ? undefined : relayTo(parsed.url ?? '', parsed.token ?? ''),
    });
    this.later(() => this.event('initialized'));
  }

  async #connect(target: Target): Promise<void> {
    const { connection } = target;
    let reported = Number.POSITIVE_INFINITY;
    const waiting: TraceEvent[] = [];
    const take = (events: readonly TraceEvent[]): void => {
      this.past.append(events);
      for (const event of events) this.#translator.take(event, event.seq > reported);
      if (target.events) this.event('podscopeEvents', { events });
    };
    connection.onEvents((events) =>
      reported === Number.POSITIVE_INFINITY ? void waiting.push(...events) : take(events),
    );
    connection.onEnd((reason) => {
      this.#onMoved();
      this.print(reason, 'important');
      this.event('terminated');
    });
    connection.onMove((welcome) => {
      reported = welcome.lastSeq;
      this.#moved(welcome);
    });
    const { lastSeq, debug, node, pods } = await connection.welcome;
    this.past.begin(node.profile, pods);
    this.#target = target;
    // Events up to this one happened before the client attached, so they aren't reported as new.
    reported = lastSeq;
    if (!target.launched) this.#othersFilters = debug?.filters ?? [];
    for (const stop of debug?.stopped ?? []) this.stops.set(stop.thread, { ...stop, seq: lastSeq });
    take(waiting);
  }

  /**
   * Continues the session with the rerun, at the time up to which it was replayed. Reports that threads that were
   * stopped in the previous run have continued.
   */
  #moved({ node: { repeats, profile }, lastSeq, debug, time, pods }: Welcome): void {
    for (const thread of this.stops.keys())
      this.event('continued', { threadId: this.threads.idOf(thread), allThreadsContinued: false });
    for (const pod of this.#translator.beginAgain())
      this.event('thread', { reason: 'exited', threadId: this.threads.idOf(pod) });
    this.stops.clear();
    this.#frames.clear();
    this.past.clear();
    this.past.begin(profile, pods);
    this.#standsStill = time?.paused ?? false;
    const where = repeats ? ` to event ${repeats.seq}` : '';
    const still = this.#standsStill ? ' Time is paused: make a change, then continue, or type /go in the console.' : '';
    this.print(`Replayed${where}.${still}`, 'important');
    for (const { thread, ...stop } of debug?.stopped ?? []) {
      const said = { ...stop, seq: lastSeq };
      this.stops.set(thread, said);
      this.#translator.stopped(thread, said);
    }
    const renew = async (): Promise<void> => {
      // Set the current breakpoints and filters, because the rerun may have replayed different ones.
      await this.#set([]);
      if (this.#filters) await this.#setFilters(this.#filters);
    };
    // If the node has ended, `onEnd` has already reported it.
    renew()
      .catch(() => undefined)
      .finally(() => this.#onMoved());
  }

  /** Serves the page of this session. The first call determines which pages may show it in a frame. */
  async #servePage({ frameAncestors, origin }: z.infer<typeof requestSchemas.podscopePage>): Promise<object> {
    const source = (): PageSource => {
      const clients = this.#target?.clients;
      if (!clients) throw new NodeRefusal('NotConnected', 'launch or attach first');
      return clients;
    };
    source();
    this.#page ??= serveSessionPage({
      source,
      frameAncestors,
      announce: () => this.print('Building the page…'),
      pageDirectory: this.options.pageDirectory,
    });
    try {
      const page = await this.#page;
      if (origin !== undefined) page.forwardFrom(origin);
      return { url: page.url, version: productVersion };
    } catch (error) {
      this.#page = undefined;
      throw error instanceof StartError ? new NodeRefusal('Unavailable', error.message) : error;
    }
  }

  async rerun(command: Readonly<Record<string, unknown>>): Promise<unknown> {
    const moved = new Promise<void>((resolve) => {
      this.#onMoved = resolve;
    });
    const answer = await this.node.request({ ...command, command: 'rerun' });
    await moved;
    return answer;
  }

  async letTimePass(): Promise<boolean> {
    if (!this.#standsStill) return false;
    this.#standsStill = false;
    await this.node.request({ command: 'setTime', paused: false });
    return true;
  }

  async #configurationDone(): Promise<undefined> {
    this.#configured = true;
    for (const [thread, stop] of this.stops) this.later(() => this.#translator.stopped(thread, stop));
    const launched = this.#target?.launched;
    if (launched) await this.#begin(launched);
  }

  async #begin(launched: LaunchedNode): Promise<void> {
    const args = this.#launchArguments;
    try {
      if (args?.stopOnEntry && !args.noDebug)
        this.#translator.entry = (
          await this.node.debug({
            command: 'setBreakpoints',
            group: `${this.group}-entry`,
            breakpoints: [{ point: 'kubelet.SyncPod', oneShot: true }],
          })
        ).breakpoints[0]?.id;
      this.#translator.watch(await launched.begin());
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error;
      this.later(() => {
        this.print(error.message, 'stderr');
        this.ended(2);
      });
    }
  }

  async #restart(): Promise<undefined> {
    const before = this.#target;
    if (!before?.launched)
      throw new NodeRefusal('Invalid', 'only what was launched can be restarted; attach again instead');
    this.#target = undefined;
    await before.connection.close();
    await before.launched.stop();
    this.stops.clear();
    this.past.clear();
    this.#translator.reset();
    await this.#startNode();
    await this.#set([]);
    if (this.#filters) await this.#setFilters(this.#filters);
    const { launched } = this.#target as unknown as Target;
    if (this.#configured && launched) await this.#begin(launched);
  }

  /** Terminates gracefully: deletes the pods of the program. The launched node ends after them. */
  async #terminate(): Promise<undefined> {
    for (const { namespace, name } of this.#translator.pods())
      await this.node.request({ command: 'deletePod', namespace, name }).catch(() => undefined);
    await this.node.debug({ command: 'setBreakpoints', group: this.group, breakpoints: [] });
    await this.node.debug({ command: 'continue' });
    if (!this.#target?.launched) this.later(() => this.event('terminated'));
  }

  #disconnect(): undefined {
    this.later(() => void this.close());
  }

  /** Removes the client's breakpoints from a node that continues to run. */
  async #takeBack({ connection, group }: Target): Promise<void> {
    // Keep the list without a name, because other clients share it.
    if (group === '') return;
    const gone = (): undefined => undefined;
    await connection.debug({ command: 'setBreakpoints', group, breakpoints: [] }).catch(gone);
    if (this.#filters)
      await connection.debug({ command: 'setExceptionBreakpoints', filters: [...this.#othersFilters] }).catch(gone);
  }

  async #set(
    entries: Parameters<ClientBreakpoints['answer']>[0],
  ): Promise<{ readonly breakpoints: readonly DebugProtocol.Breakpoint[] }> {
    const noDebug = this.#launchArguments?.noDebug ?? false;
    const { breakpoints } = await this.node.debug({
      command: 'setBreakpoints',
      group: this.group,
      breakpoints: noDebug ? [] : [...this.breakpoints.specs],
    });
    return { breakpoints: this.breakpoints.answer(entries, breakpoints) };
  }

  async #setFilters(args: z.infer<typeof requestSchemas.setExceptionBreakpoints>): Promise<object> {
    this.#filters = args;
    const filters = [
      ...args.filters.map((filter) => ({ filter })),
      ...args.filterOptions.map(({ filterId, condition }) => ({
        filter: filterId,
        ...(condition ? { condition } : {}),
      })),
    ];
    await this.node.request({ command: 'setExceptionBreakpoints', filters: [...this.#othersFilters, ...filters] });
    return { breakpoints: filters.map(() => ({ verified: true })) };
  }
}

/** Converts an error to DAP's form: a short reason for programs and a sentence for people. */
function failureOf(error: unknown, id: number): Pick<DebugProtocol.ErrorResponse, 'message' | 'body'> {
  const isRefusal = error instanceof NodeRefusal;
  const [issue] = error instanceof z.ZodError ? error.issues : [];
  const text = issue
    ? `${issue.path.join('.')}: ${issue.message}`
    : error instanceof Error
      ? error.message
      : String(error);
  // Pass the text as a variable, because clients would replace braces in the format.
  return {
    message: isRefusal ? error.reason : issue ? 'Invalid' : 'InternalError',
    body: { error: { id, format: '{text}', variables: { text }, showUser: true } },
  };
}
