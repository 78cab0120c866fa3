/**
 * Implements a fake systemd that speaks the D-Bus protocol on a Unix socket and represents slices as directories of a
 * cgroup v2 file tree.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DBusMessage, type DBusValue, decodeMessage, encodeMessage, messageTypes } from '../systemd/dbus-codec.ts';

const signalPath = '/org/freedesktop/systemd1';
const systemd = 'org.freedesktop.systemd1';

type Properties = Record<string, DBusValue>;

const isVariant = (value: DBusValue | undefined): value is { readonly signature: string; readonly value: DBusValue } =>
  typeof value === 'object' && 'signature' in value;

export class FakeSystemd {
  readonly directory: string;
  /** Running units with their properties. */
  readonly units = new Map<string, Properties>();
  /** The member names of all calls, in order. */
  readonly calls: string[] = [];
  /** The result of the next jobs. */
  jobResult = 'done';
  /** The error with which the next calls are rejected; undefined to accept them. */
  error: { readonly name: string; readonly message: string } | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #serial = 0;
  #jobs = 0;

  private constructor(directory: string) {
    this.directory = directory;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(): Promise<FakeSystemd> {
    const fake = new FakeSystemd(await mkdtemp(join(tmpdir(), 'fake-systemd-')));
    await mkdir(fake.mount);
    await writeFile(join(fake.mount, 'cgroup.controllers'), 'cpu memory pids\n');
    await new Promise<void>((resolve) => fake.#server.listen(fake.socket, resolve));
    return fake;
  }

  get socket(): string {
    return join(this.directory, 'private');
  }

  /** The root of the cgroup v2 tree. */
  get mount(): string {
    return join(this.directory, 'cgroup');
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Returns the directory of a slice: `kubepods.slice/kubepods-burstable.slice` for `kubepods-burstable.slice`. */
  #path(unit: string): string {
    const parts = unit.slice(0, -'.slice'.length).split('-');
    return join(this.mount, ...parts.map((_, index) => `${parts.slice(0, index + 1).join('-')}.slice`));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    let received = Buffer.alloc(0);
    let authenticated = false;
    let work = Promise.resolve();
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (!authenticated) {
        const begin = received.indexOf('BEGIN\r\n');
        if (begin < 0) {
          if (received.toString('latin1').startsWith('\0AUTH EXTERNAL ')) socket.write('OK 0123456789abcdef\r\n');
          return;
        }
        authenticated = true;
        received = received.subarray(begin + 'BEGIN\r\n'.length);
      }
      for (let next = decodeMessage(received); next; next = decodeMessage(received)) {
        received = received.subarray(next.length);
        const { message } = next;
        work = work.then(() => this.#answer(socket, message));
      }
    });
  }

  async #answer(socket: Socket, call: DBusMessage): Promise<void> {
    this.calls.push(call.member ?? '');
    const send = (message: Omit<DBusMessage, 'serial'>): void =>
      void socket.write(encodeMessage({ ...message, serial: ++this.#serial }));
    if (this.error) {
      const { name: errorName, message } = this.error;
      send({ type: messageTypes.error, replySerial: call.serial, errorName, signature: 's', body: [message] });
      return;
    }
    const [name] = call.body;
    const unit = typeof name === 'string' ? name : '';
    const isJob = await this.#apply(call, unit);
    const job = `/org/freedesktop/systemd1/job/${++this.#jobs}`;
    if (isJob) {
      // Send the signal before the reply, as a real systemd may do.
      const body = [this.#jobs, job, unit, this.jobResult];
      const header = { path: signalPath, interface: `${systemd}.Manager`, member: 'JobRemoved' };
      send({ type: messageTypes.signal, ...header, signature: 'uoss', body });
    }
    const reply = isJob ? { signature: 'o', body: [job] } : { body: [] };
    send({ type: messageTypes.methodReturn, replySerial: call.serial, ...reply });
  }

  /**
   * Applies a call.
   * @returns true if the call queues a job
   */
  async #apply({ member, body }: DBusMessage, unit: string): Promise<boolean> {
    if (member === 'StartTransientUnit') {
      this.units.set(unit, propertiesOf(body[2]));
      await mkdir(this.#path(unit), { recursive: true });
    } else if (member === 'SetUnitProperties') {
      this.units.set(unit, { ...this.units.get(unit), ...propertiesOf(body[2]) });
      return false;
    } else if (member === 'StopUnit') {
      this.units.delete(unit);
      await rm(this.#path(unit), { recursive: true, force: true });
    } else return false;
    return true;
  }
}

function propertiesOf(list: DBusValue | undefined): Properties {
  const properties: Properties = {};
  if (!Array.isArray(list)) return properties;
  for (const item of list as readonly DBusValue[]) {
    const [name, variant] = Array.isArray(item) ? (item as readonly DBusValue[]) : [];
    if (typeof name === 'string' && isVariant(variant)) properties[name] = variant.value;
  }
  return properties;
}
