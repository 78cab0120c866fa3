/**
 * The store's database: made, opened, set aside when it is broken.
 *
 * WAL with `synchronous=NORMAL`: a commit is in the write-ahead log, handed to the operating system, when it returns. So no commit is lost
 * when the process ends, however that happens (SIGKILL included), and there is no fsync in the event loop's way at each of them. When the
 * machine itself loses power the newest commits can be missing; the database stays whole.
 */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from './store-error.ts';

/** In SQLite's user_version. */
const schemaVersion = 1;

/** Leaves 2^17 runs until the key of an event would no longer be an exact number. */
const eventsPerRun = 2 ** 36;

/** Key of an event: events of a run lie together in their order, which makes appending and paging one walk along the table. */
export const eventKey = (run: number, seq: number): number => run * eventsPerRun + seq;

const schema = `
CREATE TABLE runs (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  info TEXT NOT NULL,
  title TEXT,
  started_at REAL NOT NULL,
  ended_at REAL,
  added_at REAL NOT NULL,
  state TEXT NOT NULL,
  imported INTEGER NOT NULL,
  first_seq INTEGER NOT NULL DEFAULT 0,
  last_seq INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE events (key INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE keyframes (key INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL REFERENCES runs(key) ON DELETE CASCADE, seq INTEGER, time REAL NOT NULL, text TEXT NOT NULL);
CREATE INDEX notes_run ON notes(run);
CREATE TABLE tags (run INTEGER NOT NULL REFERENCES runs(key) ON DELETE CASCADE, tag TEXT NOT NULL, PRIMARY KEY (run, tag)) WITHOUT ROWID;
-- Runs that were deleted: their events go bit by bit, so that nothing waits for a large one.
CREATE TABLE doomed (run INTEGER PRIMARY KEY);
`;

/** SQLite's codes for a file that is damaged, or no database. */
const damaged: ReadonlySet<number> = new Set([11, 26]);

/** True when the database file itself is broken. */
export const isDamage = (error: unknown): boolean => damaged.has(((error as { errcode?: number } | undefined)?.errcode ?? 0) & 0xff);

function connect(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: true });
  try {
    // Only takes effect on a new file: space given back by deleted runs can leave it.
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000;');
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    if (version > schemaVersion) throw new StoreError(`${file} was written by a newer Podscope: start that one, or choose another --state-dir`);
    if (version === 0) {
      database.exec(`BEGIN IMMEDIATE; ${schema} PRAGMA user_version = ${schemaVersion}; COMMIT;`);
    } else {
      // Reads every table's root and the newest run's newest page: the places that a torn write damages.
      database.exec(
        'SELECT count(*) FROM runs; SELECT max(key) FROM events; SELECT max(key) FROM keyframes; SELECT count(*) FROM notes; SELECT count(*) FROM tags; SELECT count(*) FROM doomed;',
      );
      database.prepare('SELECT length(text) FROM events ORDER BY key DESC LIMIT 100').all();
      database.prepare('SELECT * FROM runs').all();
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Moves a broken database out of the way, with its log. Returns where it is now. */
function setAside(file: string): string {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const aside = `${file}.broken-${stamp}`;
  for (const suffix of ['', '-wal', '-shm']) if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  return aside;
}

/**
 * Opens the database, made if need be. A broken one is set aside, which `notify` is told, and a new one made.
 * @throws StoreError when it can't be used at all
 */
export function openDatabase(file: string, notify: (message: string) => void): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    return connect(file);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    if (!isDamage(error)) throw new StoreError(`the event store ${file} cannot be opened: ${(error as Error).message}`, { cause: error });
    const aside = setAside(file);
    notify(`the event store was damaged (${(error as Error).message}): it is kept as ${aside}, and recorded runs begin anew`);
    return connect(file);
  }
}

/** Opens the database of another process to read it and to change what is said of runs. @throws StoreError when there is none */
export function openExistingDatabase(file: string): DatabaseSync {
  if (!existsSync(file)) throw new StoreError(`there are no recorded runs: ${file} does not exist`);
  try {
    return connect(file);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(`the event store ${file} cannot be opened: ${(error as Error).message}`, { cause: error });
  }
}
