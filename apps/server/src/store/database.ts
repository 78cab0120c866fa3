/**
 * Creates and opens the store's database, and renames it if it is damaged. The database uses WAL with
 * `synchronous=NORMAL`. When a commit returns, the operating system has the data in the write-ahead log. So no commit
 * is lost when the process ends, even by SIGKILL, and commits don't block the event loop with an fsync. After a power
 * failure the newest commits can be missing, but the database stays intact.
 */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from './store-error.ts';

/** Version of the schema, stored in SQLite's `user_version`. */
const schemaVersion = 1;

/** The number of keys reserved for each run. It allows 2^17 runs before keys exceed the range of exact integers. */
const eventsPerRun = 2 ** 36;

/** Returns the key of an event. Keys order events by run and number, so appending and paging access adjacent rows. */
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
CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL REFERENCES runs(key) ON DELETE CASCADE,
  seq INTEGER, time REAL NOT NULL, text TEXT NOT NULL);
CREATE INDEX notes_run ON notes(run);
CREATE TABLE tags (run INTEGER NOT NULL REFERENCES runs(key) ON DELETE CASCADE, tag TEXT NOT NULL,
  PRIMARY KEY (run, tag)) WITHOUT ROWID;
-- Runs that were deleted: their events go bit by bit, so that nothing waits for a large one.
CREATE TABLE doomed (run INTEGER PRIMARY KEY);
`;

/** SQLite's codes for a file that is damaged or isn't a database. */
const damaged: ReadonlySet<number> = new Set([11, 26]);

/** Returns true if the error means that the database file is damaged. */
export const isDamage = (error: unknown): boolean =>
  damaged.has(((error as { errcode?: number } | undefined)?.errcode ?? 0) & 0xff);

function connect(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5_000, enableForeignKeyConstraints: true });
  try {
    // Let the file shrink when runs are deleted. The setting has an effect only on a new file.
    database.exec(
      'PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA ' +
        'wal_autocheckpoint = 4000;',
    );
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    if (version > schemaVersion)
      throw new StoreError(
        `${file} was written by a newer version of Podscope: start that version, or choose another --state-dir`,
      );
    if (version === 0) {
      database.exec(`BEGIN IMMEDIATE; ${schema} PRAGMA user_version = ${schemaVersion}; COMMIT;`);
    } else {
      // Read the root page of every table and the newest page of the newest run, because an interrupted write damages
      // these pages.
      database.exec(
        'SELECT count(*) FROM runs; SELECT max(key) FROM events; SELECT max(key) FROM keyframes; SELECT ' +
          'count(*) FROM notes; SELECT count(*) FROM tags; SELECT count(*) FROM doomed;',
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

/** Renames a damaged database and its log. Returns the new path. */
function setAside(file: string): string {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const aside = `${file}.broken-${stamp}`;
  for (const suffix of ['', '-wal', '-shm']) if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  return aside;
}

/**
 * Opens the database, and creates it if necessary. A damaged database is renamed and replaced by a new one, and
 * `notify` receives a message.
 * @throws StoreError if the store can't be used
 */
export function openDatabase(file: string, notify: (message: string) => void): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    return connect(file);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    if (!isDamage(error))
      throw new StoreError(`the event store ${file} cannot be opened: ${(error as Error).message}`, { cause: error });
    const aside = setAside(file);
    notify(
      `the event store was damaged (${(error as Error).message}): it is kept as ${aside}, ` +
        'and runs are now recorded in a new one',
    );
    return connect(file);
  }
}

/**
 * Opens the database of another process, to read it and to change the metadata of runs.
 * @throws StoreError if the database doesn't exist
 */
export function openExistingDatabase(file: string): DatabaseSync {
  if (!existsSync(file)) throw new StoreError(`there are no recorded runs: ${file} does not exist`);
  try {
    return connect(file);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(`the event store ${file} cannot be opened: ${(error as Error).message}`, { cause: error });
  }
}
