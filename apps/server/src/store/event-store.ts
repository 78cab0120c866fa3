/**
 * Stores runs and their events in a database. Events are written in batches and read page by page. The size and age of
 * runs are limited. One process writes the current run. Other processes (the command line) may at the same time read
 * runs and change titles, tags and notes.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { conflict } from '@podscope/apiserver';
import type { RunLibrary, RunPageRequest } from '@podscope/node';
import type { RunPage, RunSummary } from '@podscope/protocol';
import type { RunInfo, RunNote } from '@podscope/trace/file';
import { eventKey, openDatabase, openExistingDatabase } from './database.ts';
import { debugOf } from './debug-lists.ts';
import { Keyframes, keyframeEvery, PodObjects } from './keyframes.ts';
import { Retention } from './retention.ts';
import { RunRows } from './run-rows.ts';
import { type StoreLimits, unlimited } from './store-limits.ts';

/** The maximum length of the events in one page, in characters. A single event that is longer is still returned. */
const maxPageLength = 4 * 1024 * 1024;

/** The run that is being written. */
export interface RunInWriting {
  readonly id: string;
  readonly key: number;
  /** The pods as of the last event written. */
  readonly pods: PodObjects;
}

export interface EventStoreOptions {
  readonly file: string;
  readonly limits: StoreLimits;
  /** Prints a message on the console. */
  readonly notify: (message: string) => void;
  readonly now?: () => number;
}

/** The events of a page as text. */
export interface TextPage {
  readonly texts: readonly string[];
  readonly next: number | undefined;
  /** The pods as of the start of the page, if the page starts at a keyframe. */
  readonly pods?: readonly Record<string, unknown>[] | undefined;
}

export class EventStore implements RunLibrary {
  readonly file: string;
  readonly #options: EventStoreOptions;
  readonly #now: () => number;
  #database: DatabaseSync;
  #rows: RunRows;
  #retention: Retention;
  #keyframes: Keyframes;
  #insert: StatementSync;
  #grow: StatementSync;
  #read: StatementSync;
  /** Writes the pending events of the current run. Called before the run is read. */
  #beforeRead: (() => void) | undefined;
  #current: number | undefined;

  private constructor(database: DatabaseSync, options: EventStoreOptions) {
    this.file = options.file;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#database = database;
    this.#rows = new RunRows(database);
    this.#keyframes = new Keyframes(database);
    this.#retention = new Retention(database, options.limits, this.#now);
    this.#insert = database.prepare('INSERT INTO events (key, text) VALUES (?, ?)');
    this.#grow = database.prepare(
      'UPDATE runs SET first_seq = CASE first_seq WHEN 0 THEN ? ELSE first_seq END, last_seq = ?, bytes = bytes ' +
        '+ ? WHERE key = ?',
    );
    this.#read = database.prepare('SELECT text FROM events WHERE key > ? AND key <= ? ORDER BY key LIMIT ?');
  }

  /**
   * Opens the store for writing; only one process may do so. Runs whose process ended while writing are marked as
   * interrupted.
   * @throws StoreError if the store isn't usable
   */
  static open(options: EventStoreOptions): EventStore {
    const store = new EventStore(openDatabase(options.file, options.notify), options);
    store.#afterCrash();
    store.prune();
    store.#retention.watchAge();
    return store;
  }

  /** Opens the store of another process. @throws StoreError if it doesn't exist */
  static openExisting(file: string): EventStore {
    return new EventStore(openExistingDatabase(file), {
      file,
      limits: unlimited,
      notify: () => undefined,
    });
  }

  #afterCrash(): void {
    this.#database.exec(
      "DELETE FROM runs WHERE state = 'current' AND last_seq = 0; UPDATE runs SET state = 'interrupted' WHERE " +
        "state = 'current'",
    );
  }

  /**
   * Opens a new file after the database turned out to be damaged.
   * @throws StoreError if the new file can't be used
   */
  reopen(): void {
    this.#retention.close();
    this.#database.close();
    const fresh = new EventStore(openDatabase(this.file, this.#options.notify), this.#options);
    this.#database = fresh.#database;
    this.#rows = fresh.#rows;
    this.#keyframes = fresh.#keyframes;
    this.#retention = fresh.#retention;
    this.#insert = fresh.#insert;
    this.#grow = fresh.#grow;
    this.#read = fresh.#read;
    this.#afterCrash();
    this.#retention.watchAge();
  }

  close(): void {
    this.#retention.close();
    this.#database.close();
  }

  /**
   * Adds the current run.
   * @param beforeRead called before the current run is read, to write its pending events
   */
  beginRun(info: RunInfo, beforeRead?: () => void): RunInWriting {
    const key = this.#transaction(() => this.#rows.add(info, 'current', false, this.#now()));
    this.#beforeRead = beforeRead;
    this.#current = key;
    return { id: info.id, key, pods: new PodObjects() };
  }

  /**
   * Continues a run that an earlier process wrote.
   * @throws ApiError NotFound
   */
  continueRun(
    id: string,
    beforeRead?: () => void,
  ): RunInWriting & { readonly firstSeq: number; readonly lastSeq: number } {
    const { key, first_seq: firstSeq, last_seq: lastSeq } = this.#rows.get(id);
    const keyframe = this.#keyframes.before(key, lastSeq + 1);
    const pods = new PodObjects(keyframe?.pods);
    for (let seq = keyframe?.seq ?? 0; seq < lastSeq; ) {
      const texts = this.readEvents(key, seq, keyframeEvery);
      if (texts.length === 0) break;
      for (const text of texts) pods.take(text);
      seq = Math.max(seq, firstSeq - 1) + texts.length;
    }
    this.#database.prepare("UPDATE runs SET state = 'current', ended_at = NULL WHERE key = ?").run(key);
    this.#beforeRead = beforeRead;
    this.#current = key;
    return { id, key, pods, firstSeq, lastSeq };
  }

  /** Returns the number of the oldest stored event of a run. It increases if the store deletes old events. */
  firstSeqOf({ id }: RunInWriting): number {
    return this.#rows.get(id).first_seq;
  }

  /** Updates the information about a run. Members that are absent in `info` keep their value. */
  describeRun(id: string, info: Partial<RunInfo>): void {
    this.#rows.describe(this.#rows.get(id).key, info);
  }

  /**
   * Appends events atomically. The events must follow the last event of the run without a gap. After this function
   * returns, a crash of the process can't lose the events.
   */
  append(run: RunInWriting, firstSeq: number, texts: readonly string[]): void {
    if (texts.length === 0) return;
    this.#transaction(() => {
      let bytes = 0;
      for (const [index, text] of texts.entries()) {
        this.#insert.run(eventKey(run.key, firstSeq + index), text);
        bytes += text.length;
        run.pods.take(text);
        const debug = debugOf(text);
        if (debug !== undefined) this.#rows.setDebug(run.key, debug);
        if ((firstSeq + index) % keyframeEvery === 0) this.#keyframes.add(run.key, firstSeq + index, run.pods);
      }
      this.#grow.run(firstSeq, firstSeq + texts.length - 1, bytes, run.key);
      this.#retention.grew(bytes);
    });
  }

  endRun(run: RunInWriting, state: 'ended' | 'interrupted', endedAt: number | undefined): void {
    this.#database
      .prepare('UPDATE runs SET state = ?, ended_at = coalesce(?, ended_at) WHERE key = ?')
      .run(state, endedAt ?? null, run.key);
    if (run.key === this.#current) this.#beforeRead = undefined;
  }

  /** Deletes what is above the limits: the oldest runs, and the oldest events of a run that is continued. */
  prune(): void {
    this.#retention.prune();
  }

  /** Adds a run from a file. If the store already contains a run with the same id, the new run gets another id. */
  beginImport(info: RunInfo): RunInWriting {
    return this.#transaction(() => {
      let { id } = info;
      for (let copy = 2; this.#rows.has(id); copy++) id = `${info.id.slice(0, 58)}-${copy}`;
      return { id, key: this.#rows.add({ ...info, id }, 'interrupted', true, this.#now()), pods: new PodObjects() };
    });
  }

  list(): readonly RunSummary[] {
    this.#beforeRead?.();
    return this.#rows.all().map((row) => this.#rows.summary(row));
  }

  get(id: string): RunSummary {
    this.#beforeRead?.();
    return this.#rows.summary(this.#rows.get(id));
  }

  page(id: string, request: RunPageRequest): RunPage {
    const { texts, next, pods } = this.textPage(id, request);
    return { run: this.get(id), events: texts.map((text) => JSON.parse(text) as Record<string, unknown>), next, pods };
  }

  /** Returns a page as text. */
  textPage(id: string, { after: wanted, at, limit }: RunPageRequest): TextPage {
    this.#beforeRead?.();
    const { key, last_seq: lastSeq } = this.#rows.get(id);
    const keyframe = at === undefined ? undefined : this.#keyframes.before(key, at);
    const after = at === undefined ? wanted : (keyframe?.seq ?? 0);
    const texts = this.readEvents(key, after, limit);
    const first = texts.length === 0 ? undefined : Math.max(after + 1, this.#rows.get(id).first_seq);
    const last = first === undefined ? lastSeq : first + texts.length - 1;
    return { texts, next: last < lastSeq ? last : undefined, pods: keyframe?.pods };
  }

  /** Returns the events of a run after the event with number `after`. */
  readEvents(key: number, after: number, limit: number): readonly string[] {
    const texts: string[] = [];
    let length = 0;
    for (const row of this.#read.iterate(eventKey(key, after), eventKey(key + 1, 0), limit)) {
      const { text } = row as { text: string };
      length += text.length;
      if (texts.length > 0 && length > maxPageLength) break;
      texts.push(text);
    }
    return texts;
  }

  rename(id: string, title: string): RunSummary {
    this.#rows.setTitle(this.#rows.get(id).key, title);
    return this.get(id);
  }

  tag(id: string, tags: readonly string[]): RunSummary {
    const { key } = this.#rows.get(id);
    this.#transaction(() => this.#rows.setTags(key, tags));
    return this.get(id);
  }

  annotate(
    id: string,
    { note, seq, text }: { readonly note?: number; readonly seq?: number; readonly text: string },
  ): RunNote | undefined {
    const { key } = this.#rows.get(id);
    if (note !== undefined) return this.#rows.changeNote(key, note, text);
    return text === ''
      ? undefined
      : this.#rows.addNote(key, { time: this.#now(), text, ...(seq === undefined ? {} : { seq }) });
  }

  delete(id: string): void {
    const { key, state } = this.#rows.get(id);
    if (state === 'current') throw conflict('runs', id, 'it is still being recorded; stop its server first');
    this.#retention.delete(key);
  }

  #transaction<T>(body: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = body();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // Roll back only an open transaction, because some errors, such as a full disk, have already rolled it back.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}
