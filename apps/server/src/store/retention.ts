/** Keeps the store within its bounds: whole runs go, the oldest first, and never the current one. */
import type { DatabaseSync } from 'node:sqlite';
import { eventKey } from './database.ts';

export interface StoreLimits {
  /** What the events of all runs may take, in bytes. */
  readonly maxBytes: number;
  /** How long a run is kept after it came into the store, in milliseconds. */
  readonly maxAge: number;
}

/** How much may be written between two looks. */
const lookEvery = 16 * 1024 * 1024;
/** Events deleted in one go: a few milliseconds. */
const sweepSize = 4_000;
/** Time between goes, in milliseconds. */
const sweepPause = 20;
/** Time between looks where little is written, in milliseconds: runs grow old all the same. */
export const ageLook = 3_600_000;

export class Retention {
  readonly #database: DatabaseSync;
  readonly #limits: StoreLimits;
  readonly #now: () => number;
  #grown = 0;
  /** So much was written that runs have to be looked through. */
  #pruneDue = false;
  #timer: NodeJS.Timeout | undefined;
  #ageTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(database: DatabaseSync, limits: StoreLimits, now: () => number) {
    this.#database = database;
    this.#limits = limits;
    this.#now = now;
  }

  /** Looks for runs that have grown too old from now on, for the process that writes them. */
  watchAge(): void {
    if (this.#closed || this.#ageTimer) return;
    this.#ageTimer = setInterval(() => this.#pruneLater(), ageLook);
    this.#ageTimer.unref();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#ageTimer);
  }

  /** Told of all that is written. */
  grew(bytes: number): void {
    this.#grown += bytes;
    if (this.#grown < lookEvery) return;
    this.#grown = 0;
    // Not inside the transaction that writes.
    this.#pruneLater();
  }

  #pruneLater(): void {
    this.#pruneDue = true;
    this.#schedule();
  }

  prune(): void {
    const rows = this.#database.prepare('SELECT key, bytes, added_at, state FROM runs ORDER BY key').all() as unknown as {
      key: number;
      bytes: number;
      added_at: number;
      state: string;
    }[];
    let total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
    const oldest = this.#now() - this.#limits.maxAge;
    for (const { key, bytes, added_at: addedAt, state } of rows) {
      if (state === 'current' || (total <= this.#limits.maxBytes && addedAt >= oldest)) continue;
      this.delete(key);
      total -= bytes;
    }
    this.#pruneDue = false;
    this.#schedule();
  }

  /** The run is gone at once; its events follow bit by bit, also after a restart. */
  delete(key: number): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      this.#database.prepare('DELETE FROM runs WHERE key = ?').run(key);
      this.#database.prepare('INSERT OR IGNORE INTO doomed (run) VALUES (?)').run(key);
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
    this.#schedule();
  }

  /** Deletes a bit of what is doomed. Returns whether there is more. */
  sweep(): boolean {
    const doomed = this.#database.prepare('SELECT run FROM doomed LIMIT 1').get() as { run: number } | undefined;
    if (!doomed) return false;
    const from = eventKey(doomed.run, 0);
    const to = eventKey(doomed.run + 1, 0);
    const { changes } = this.#database
      .prepare('DELETE FROM events WHERE key IN (SELECT key FROM events WHERE key > ? AND key < ? ORDER BY key LIMIT ?)')
      .run(from, to, sweepSize);
    if (Number(changes) < sweepSize) {
      this.#database.prepare('DELETE FROM keyframes WHERE key > ? AND key < ?').run(from, to);
      this.#database.prepare('DELETE FROM doomed WHERE run = ?').run(doomed.run);
    }
    this.#database.exec('PRAGMA incremental_vacuum(2000)');
    return true;
  }

  /** One timer for both: what is due when it fires is done, whoever set it. */
  #schedule(): void {
    if (this.#closed || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      try {
        if (this.#pruneDue) this.prune();
        else if (this.sweep()) this.#schedule();
      } catch {
        // Another process has the database, or the disk is full: tried again with the next look.
      }
    }, sweepPause);
    this.#timer.unref();
  }
}
