/**
 * Migrates trace files of older releases. Each entry converts a file from one version to the next, so an old file goes
 * through several entries. The input is the result of JSON.parse; the schema validates the output.
 */
import { traceFileVersion } from './header.ts';

type Json = Record<string, unknown>;

/**
 * Converts a file from one version to the next. Each file needs a new instance, because the conversion of an event may
 * depend on earlier events.
 */
export interface Migration {
  header(header: Json): Json;
  /** Converts an event. Must be called with all events in order. */
  event(event: Json): Json;
}

/**
 * Converts version 1 (release 0.1). Its header had the facts about the run at the top level, the runtime as one text,
 * and no title, tags or notes. Its stops had no numbers: a `continued` event ended the last `stopped` event of the same
 * thread.
 */
function fromVersion1(): Migration {
  let lastStop = 0;
  const open = new Map<unknown, number>();
  return {
    header: ({
      run,
      startedAt,
      nodeName,
      runtime,
      runtimeKind,
      profile,
      engine,
      steps,
      createdBy,
      createdAt,
      ...rest
    }) => {
      const [name = '', ...version] = typeof runtime === 'string' ? runtime.split(' ') : [];
      return {
        format: rest['format'],
        version: 2,
        createdBy: createdBy ?? 'podscope 0.1',
        createdAt: createdAt ?? startedAt,
        run: {
          id: run,
          tags: [],
          notes: [],
          startedAt,
          nodeName,
          runtime: { name, version: version.join(' '), kind: runtimeKind ?? 'docker' },
          profile,
          engine: engine ?? '0.1.0',
          steps: steps ?? [],
        },
      };
    },
    event: (event) => {
      if (event['type'] === 'stopped') {
        open.set(event['thread'], ++lastStop);
        return { ...event, stop: lastStop };
      }
      if (event['type'] !== 'continued') return event;
      const stop = open.get(event['thread']);
      open.delete(event['thread']);
      return stop === undefined ? event : { ...event, stop };
    },
  };
}

/** The migrations by the version from which they convert. */
const migrations: Readonly<Record<number, () => Migration>> = { 1: fromVersion1 };

/** Returns the migration from `version` to the current version; undefined if the version is unknown. */
export function migrationFrom(version: number): Migration | undefined {
  const steps: Migration[] = [];
  for (let at = version; at < traceFileVersion; at++) {
    const make = migrations[at];
    if (!make) return undefined;
    steps.push(make());
  }
  return {
    header: (header) => steps.reduce((lifted, step) => step.header(lifted), header),
    event: (event) => steps.reduce((lifted, step) => step.event(lifted), event),
  };
}
