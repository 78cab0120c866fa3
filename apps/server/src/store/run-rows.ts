/** Stores the metadata of runs: summaries, titles, tags and notes. */
import type { DatabaseSync } from 'node:sqlite';
import { ApiError, notFound } from '@podscope/apiserver';
import type { RunSummary } from '@podscope/protocol';
import { maxNotes, type RunDebug, type RunInfo, type RunNote, runInfoSchema } from '@podscope/trace/file';

export interface RunRow {
  readonly key: number;
  readonly id: string;
  readonly info: string;
  readonly title: string | null;
  readonly started_at: number;
  readonly ended_at: number | null;
  /** When the run was stored, in milliseconds since the Unix epoch. */
  readonly added_at: number;
  readonly state: RunSummary['state'];
  readonly imported: number;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly bytes: number;
}

/** Reads and writes the rows, notes and tags of runs. */
export class RunRows {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Returns all rows, newest first. */
  all(): readonly RunRow[] {
    return this.#database.prepare('SELECT * FROM runs ORDER BY started_at DESC, key DESC').all() as unknown as RunRow[];
  }

  /**
   * Returns the row of a run.
   * @throws ApiError NotFound
   */
  get(id: string): RunRow {
    const row =
      id === 'current'
        ? this.#database.prepare("SELECT * FROM runs WHERE state = 'current' ORDER BY key DESC").get()
        : this.#database.prepare('SELECT * FROM runs WHERE id = ?').get(id);
    if (!row) throw notFound('runs', id);
    return row as unknown as RunRow;
  }

  has(id: string): boolean {
    return this.#database.prepare('SELECT 1 FROM runs WHERE id = ?').get(id) !== undefined;
  }

  /** Adds a run with the notes and tags of `info`, and returns its key. */
  add(info: RunInfo, state: RunSummary['state'], imported: boolean, addedAt: number): number {
    const { notes, tags, title, ...rest } = info;
    const { lastInsertRowid } = this.#database
      .prepare(
        'INSERT INTO runs (id, info, title, started_at, ended_at, added_at, state, imported) VALUES (?, ?, ?, ' +
          '?, ?, ?, ?, ?)',
      )
      .run(
        info.id,
        JSON.stringify(rest),
        title ?? null,
        info.startedAt,
        info.endedAt ?? null,
        addedAt,
        state,
        imported ? 1 : 0,
      );
    const key = Number(lastInsertRowid);
    for (const note of notes) this.#insertNote(key, note);
    this.setTags(key, tags);
    return key;
  }

  summary(row: RunRow): RunSummary {
    const stored: unknown = JSON.parse(row.info);
    const info = runInfoSchema.parse({
      ...(typeof stored === 'object' ? stored : {}),
      tags: this.#tags(row.key),
      notes: this.notes(row.key),
    });
    return {
      ...info,
      title: row.title ?? undefined,
      endedAt: row.ended_at ?? undefined,
      state: row.state,
      imported: row.imported === 1,
      firstSeq: row.first_seq,
      lastSeq: row.last_seq,
      bytes: row.bytes,
    };
  }

  setTitle(key: number, title: string): void {
    this.#database.prepare('UPDATE runs SET title = ? WHERE key = ?').run(title === '' ? null : title, key);
  }

  /** Sets the breakpoints and fault plans of a run. */
  setDebug(key: number, { debug }: { readonly debug: RunDebug | undefined }): void {
    this.#database
      .prepare("UPDATE runs SET info = json_set(info, '$.debug', json(?)) WHERE key = ?")
      .run(JSON.stringify(debug ?? null), key);
  }

  /** Replaces members of a run's description. */
  describe(key: number, info: Partial<RunInfo>): void {
    const { notes: _notes, tags: _tags, title: _title, ...rest } = info;
    this.#database
      .prepare('UPDATE runs SET info = json_patch(info, json(?)) WHERE key = ?')
      .run(JSON.stringify(rest), key);
  }

  setTags(key: number, tags: readonly string[]): void {
    this.#database.prepare('DELETE FROM tags WHERE run = ?').run(key);
    const insert = this.#database.prepare('INSERT OR IGNORE INTO tags (run, tag) VALUES (?, ?)');
    for (const tag of tags) insert.run(key, tag);
  }

  notes(key: number): readonly RunNote[] {
    const rows = this.#database
      .prepare('SELECT id, seq, time, text FROM notes WHERE run = ? ORDER BY id')
      .all(key) as unknown as {
      id: number;
      seq: number | null;
      time: number;
      text: string;
    }[];
    return rows.map(({ id, seq, time, text }) => ({ id, ...(seq === null ? {} : { seq }), time, text }));
  }

  /**
   * Adds a note to a run.
   * @throws ApiError if the run already has the maximum number of notes
   */
  addNote(key: number, note: Omit<RunNote, 'id'>): RunNote {
    if (this.notes(key).length >= maxNotes) throw new ApiError(422, 'Invalid', `A run has at most ${maxNotes} notes.`);
    return { id: this.#insertNote(key, note), ...note };
  }

  /** Changes a note, or deletes it if the text is empty. @throws ApiError NotFound */
  changeNote(key: number, id: number, text: string): RunNote | undefined {
    const statement =
      text === ''
        ? this.#database.prepare('DELETE FROM notes WHERE run = ? AND id = ?')
        : this.#database.prepare('UPDATE notes SET text = ? WHERE run = ? AND id = ?');
    const { changes } = text === '' ? statement.run(key, id) : statement.run(text, key, id);
    if (changes === 0) throw new ApiError(404, 'NotFound', `The run has no note ${id}.`);
    return this.notes(key).find((note) => note.id === id);
  }

  #insertNote(key: number, { seq, time, text }: Omit<RunNote, 'id'>): number {
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO notes (run, seq, time, text) VALUES (?, ?, ?, ?)')
      .run(key, seq ?? null, time, text);
    return Number(lastInsertRowid);
  }

  #tags(key: number): readonly string[] {
    const rows = this.#database.prepare('SELECT tag FROM tags WHERE run = ? ORDER BY tag').all(key) as unknown as {
      tag: string;
    }[];
    return rows.map(({ tag }) => tag);
  }
}
