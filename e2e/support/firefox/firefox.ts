/**
 * Drives Debian's Firefox over WebDriver BiDi (https://w3c.github.io/webdriver-bidi/), which this Firefox supports.
 * Playwright would need its own build of Firefox.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const installed = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** Returns the path of the machine's Firefox; undefined if it isn't installed. */
export const firefoxPath = (): string | undefined => installed.find((path) => existsSync(path));

const messageSchema = z.object({
  id: z.number().optional(),
  type: z.enum(['success', 'error', 'event']),
  method: z.string().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  message: z.string().optional(),
});
type Message = z.infer<typeof messageSchema>;

const contextSchema = z.object({ context: z.string() });
const logSchema = z.object({ level: z.string(), text: z.string().nullable() });
const evaluatedSchema = z.object({
  type: z.string(),
  result: z.object({ value: z.unknown() }).optional(),
  exceptionDetails: z.object({ text: z.string() }).optional(),
});

/** A page in Firefox. */
export interface FirefoxPage {
  /** Opens an address. */
  goto(url: string): Promise<void>;
  /** Returns the JSON value of an expression. @throws Error with the exception of the page */
  evaluate(expression: string): Promise<unknown>;
  /** Errors on the console and uncaught exceptions so far. */
  readonly errors: readonly string[];
}

/** Time limit until Firefox accepts connections, in milliseconds. */
const startTimeout = 120_000;

/**
 * Returns the address that Firefox prints when it accepts connections.
 * @throws Error if Firefox exits or doesn't print an address in time
 */
function listening(process: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`Firefox does not listen: ${output}`)), startTimeout);
    process.stderr?.on('data', (data: Buffer) => {
      output += data.toString();
      const [, address] = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(output) ?? [];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
    process.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`Firefox exited with ${code}: ${output}`));
    });
  });
}

class BidiSession {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  readonly errors: string[] = [];
  #last = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(messageSchema.parse(JSON.parse(String(data)))));
  }

  command(method: string, params: object): Promise<unknown> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #take({ id, type, method, result, params, message }: Message): void {
    if (type === 'event') {
      const entry = method === 'log.entryAdded' ? logSchema.safeParse(params) : undefined;
      if (entry?.data?.level === 'error') this.errors.push(entry.data.text ?? '');
      return;
    }
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id !== undefined) this.#waiting.delete(id);
    if (type === 'success') waiting?.resolve(result);
    else waiting?.reject(new Error(message ?? 'Firefox refused a command'));
  }
}

/** Runs `use` with a page of a new Firefox with an empty profile, and ends it afterwards. */
export async function withFirefox(path: string, use: (page: FirefoxPage) => Promise<void>): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'podscope-firefox-'));
  const browser = spawn(
    path,
    ['--headless', '--remote-debugging-port', '0', '--profile', profile, '--width', '1440', '--height', '900'],
    // Firefox refuses to run as root with the home of another user.
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: profile } },
  );
  const ended = new Promise((done) => browser.once('exit', done));
  try {
    const socket = new WebSocket(`${await listening(browser)}/session`);
    await new Promise((open, fail) => {
      socket.addEventListener('open', open, { once: true });
      socket.addEventListener('error', () => fail(new Error('Firefox closed the connection')), { once: true });
    });
    const session = new BidiSession(socket);
    await session.command('session.new', { capabilities: {} });
    await session.command('session.subscribe', { events: ['log.entryAdded'] });
    const { context } = contextSchema.parse(await session.command('browsingContext.create', { type: 'tab' }));
    await use({
      errors: session.errors,
      async goto(url) {
        await session.command('browsingContext.navigate', { context, url, wait: 'complete' });
      },
      async evaluate(expression) {
        const { result, exceptionDetails } = evaluatedSchema.parse(
          await session.command('script.evaluate', {
            expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
            target: { context },
            awaitPromise: true,
          }),
        );
        if (exceptionDetails) throw new Error(exceptionDetails.text);
        return JSON.parse(String(result?.value)) as unknown;
      },
    });
    socket.close();
  } finally {
    browser.kill('SIGTERM');
    await ended;
    await rm(profile, { recursive: true, force: true });
  }
}
