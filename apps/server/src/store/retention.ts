/**
 * Enforces the limits of the store by deleting whole runs, oldest first, but never the current run. Of a run without an
 * end, which each process continues, such as an observation, it deletes the oldest events.
 */
import type { DatabaseSync } from 'node:sqlite';
import { eventKey } from './database.ts';
import type { StoreLimits } from './store-limits.ts';

interface KeptRun {
  readonly key: number;
  readonly first_seq: number;
}

/** The number of written bytes after which the limits are checked again. */
const lookEvery = 16 * 1024 * 1024;
/** The number of events in one deletion, which takes a few milliseconds. */
const sweepSize = 4_000;
/** The pause between deletions, in milliseconds. */
const sweepPause = 20;
/** The interval at which the age of runs is checked even if few events are written, in milliseconds. */
export const ageLook = 3_600_000;

export class Retention {
  readonly #database: DatabaseSync;
  readonly #limits: StoreLimits;
  readonly #now: () => number;
  #grown = 0;
  /** True if enough bytes were written since the last check that the limits have to be checked again. */
  #pruneDue = false;
  #timer: NodeJS.Timeout | undefined;
  #ageTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(database: DatabaseSync, limits: StoreLimits, now: () => number) {
    this.#database = database;
    this.#limits = limits;
    this.#now = now;
  }

  /** Starts checking the age of runs. Only the process that writes runs calls this. */
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

  /** Counts written bytes. Call it for every write. */
  grew(bytes: number): void {
    this.#grown += bytes;
    if (this.#grown < lookEvery) return;
    this.#grown = 0;
    // Delete runs in a later turn, because the caller is inside a transaction.
    this.#pruneLater();
  }

  #pruneLater(): void {
    this.#pruneDue = true;
    this.#schedule();
  }

  prune(): void {
    const rows = this.#database.prepare('SELECT key, bytes, added_at FROM runs ORDER BY key').all() as unknown as {
      key: number;
      bytes: number;
      added_at: number;
    }[];
    const kept = this.#kept();
    let total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
    const oldest = this.#now() - this.#limits.maxAge;
    for (const { key, bytes, added_at: addedAt } of rows) {
      if (key === kept?.key || (total <= this.#limits.maxBytes && addedAt >= oldest)) continue;
      this.delete(key);
      total -= bytes;
    }
    // After a part, the size is checked again.
    this.#pruneDue = this.#limits.continues === true && total > this.#limits.maxBytes && this.#trim(kept);
    this.#schedule();
  }

  /** Returns the run that isn't deleted: the current run, or the run that the next process continues. */
  #kept(): KeptRun | undefined {
    return this.#database
      .prepare(
        "SELECT key, first_seq FROM runs WHERE state = 'current' OR (? AND imported = 0) " +
          "ORDER BY state = 'current' DESC, started_at DESC, key DESC LIMIT 1",
      )
      .get(this.#limits.continues ? 1 : 0) as KeptRun | undefined;
  }

  /**
   * Deletes the oldest events of a run, up to its first keyframe. Returns false if it has no keyframe after its first
   * event.
   */
  #trim(run: KeptRun | undefined): boolean {
    if (!run) return false;
    const from = eventKey(run.key, run.first_seq);
    const keyframe = this.#database
      .prepare('SELECT key FROM keyframes WHERE key >= ? AND key < ? ORDER BY key LIMIT 1')
      .get(from, eventKey(run.key + 1, 0)) as { key: number } | undefined;
    if (!keyframe) return false;
    const { bytes } = this.#database
      .prepare('SELECT coalesce(sum(length(text)), 0) AS bytes FROM events WHERE key >= ? AND key <= ?')
      .get(from, keyframe.key) as { bytes: number };
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      this.#database.prepare('DELETE FROM events WHERE key >= ? AND key <= ?').run(from, keyframe.key);
      this.#database.prepare('DELETE FROM keyframes WHERE key >= ? AND key < ?').run(from, keyframe.key);
      this.#database
        .prepare('UPDATE runs SET first_seq = ?, bytes = max(0, bytes - ?) WHERE key = ?')
        .run(keyframe.key - eventKey(run.key, 0) + 1, bytes, run.key);
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
    this.#database.exec('PRAGMA incremental_vacuum(2000)');
    return true;
  }

  /** Deletes a run. The run disappears at once; its events are deleted in batches, if necessary after a restart. */
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

  /** Deletes one batch of events of deleted runs. Returns true if more events remain. */
  sweep(): boolean {
    const doomed = this.#database.prepare('SELECT run FROM doomed LIMIT 1').get() as { run: number } | undefined;
    if (!doomed) return false;
    const from = eventKey(doomed.run, 0);
    const to = eventKey(doomed.run + 1, 0);
    const { changes } = this.#database
      .prepare(
        'DELETE FROM events WHERE key IN (SELECT key FROM events WHERE key > ? AND key < ? ORDER BY key LIMIT ?)',
      )
      .run(from, to, sweepSize);
    if (Number(changes) < sweepSize) {
      this.#database.prepare('DELETE FROM keyframes WHERE key > ? AND key < ?').run(from, to);
      this.#database.prepare('DELETE FROM doomed WHERE run = ?').run(doomed.run);
    }
    this.#database.exec('PRAGMA incremental_vacuum(2000)');
    return true;
  }

  /** Schedules the next deletion or check. Both use the same timer. */
  #schedule(): void {
    if (this.#closed || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      try {
        if (this.#pruneDue) this.prune();
        else if (this.sweep()) this.#schedule();
      } catch {
        // If another process locks the database or the disk is full, the next check tries again.
      }
    }, sweepPause);
    this.#timer.unref();
  }
}
