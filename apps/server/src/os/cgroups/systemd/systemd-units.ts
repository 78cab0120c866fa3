/**
 * Starts, changes and stops the slices of pods through systemd. Upstream: libcontainer cgroups/systemd,
 * coreos/go-systemd dbus.
 */

import type { DBusValue, Variant } from './dbus-codec.ts';
import { DBusConnection, DBusError } from './dbus-connection.ts';

/** systemd's own socket. Unlike the system bus, it works without a bus daemon. Only root can use it. */
const systemdPrivateSocket = '/run/systemd/private';

const systemd = 'org.freedesktop.systemd1';
const manager = { destination: systemd, path: '/org/freedesktop/systemd1', interface: `${systemd}.Manager` } as const;
const unitExists = `${systemd}.UnitExists`;
const noSuchUnit = `${systemd}.NoSuchUnit`;

/** The properties of a unit by name. */
export type UnitProperties = Readonly<Record<string, Variant>>;

const toList = (properties: UnitProperties): readonly DBusValue[] =>
  Object.entries(properties).map(([name, value]) => [name, value]);

export class SystemdUnits {
  readonly #connection: DBusConnection;

  private constructor(connection: DBusConnection) {
    this.#connection = connection;
  }

  /** Connects to systemd. @throws Error when it can't be reached */
  static async open(socket: string = systemdPrivateSocket): Promise<SystemdUnits> {
    const connection = await DBusConnection.open(socket);
    // systemd emits JobRemoved signals only to clients that have subscribed.
    await connection.call({ ...manager, member: 'Subscribe' });
    return new SystemdUnits(connection);
  }

  close(): void {
    this.#connection.close();
  }

  /**
   * Starts a transient unit and waits for its job. Does nothing if the unit already exists.
   * @throws Error if the job fails
   */
  async startTransientUnit(name: string, properties: UnitProperties): Promise<void> {
    try {
      await this.#job(name, 'StartTransientUnit', 'ssa(sv)a(sa(sv))', [name, 'replace', toList(properties), []]);
    } catch (error) {
      if (!(error instanceof DBusError && error.name === unitExists)) throw error;
    }
  }

  /**
   * Changes properties until the next boot.
   * @throws DBusError if systemd rejects a property
   */
  async setUnitProperties(name: string, properties: UnitProperties): Promise<void> {
    const body = [name, true, toList(properties)];
    await this.#connection.call({ ...manager, member: 'SetUnitProperties', signature: 'sba(sv)', body });
  }

  /**
   * Stops a unit and waits for its job. Does nothing if the unit doesn't exist.
   * @throws Error if the job fails
   */
  async stopUnit(name: string): Promise<void> {
    try {
      await this.#job(name, 'StopUnit', 'ss', [name, 'replace']);
    } catch (error) {
      if (!(error instanceof DBusError && error.name === noSuchUnit)) throw error;
    }
  }

  /** Calls a method that queues a job and waits for the job's JobRemoved signal. */
  async #job(unit: string, member: string, signature: string, body: readonly DBusValue[]): Promise<void> {
    const removed = new Map<DBusValue, DBusValue>();
    let wake = (): void => undefined;
    // Start listening before the call, because the signal can arrive before the reply that names the job.
    const stopListening = this.#connection.onSignal(({ member: signal, body: [, job, , result] }) => {
      if (signal !== 'JobRemoved' || job === undefined || result === undefined) return;
      removed.set(job, result);
      wake();
    });
    try {
      const [job] = await this.#connection.call({ ...manager, member, signature, body });
      if (job === undefined) throw new Error(`${member} of ${unit} returned no job`);
      while (!removed.has(job)) await new Promise<void>((resolve) => (wake = resolve));
      const result = removed.get(job);
      if (result !== 'done') throw new Error(`${member} of ${unit} ended with ${JSON.stringify(result)}`);
    } finally {
      stopListening();
    }
  }
}
