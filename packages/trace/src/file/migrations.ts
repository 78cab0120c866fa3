/**
 * Reads what older releases wrote: each entry lifts a file by one version, so that a file of any age takes the steps it needs. Values are
 * what JSON.parse gave; the schema judges the result.
 */
import { traceFileVersion } from './header.ts';

type Json = Record<string, unknown>;

/** Lifts one file by one version. Made anew for each file, so that events may be judged by those before them. */
export interface Migration {
  header(header: Json): Json;
  /** Told of all events in order. */
  event(event: Json): Json;
}

/**
 * Version 1, of 0.1: the run's facts stood loose in the header, the runtime as one text, without title, tags and notes; and stops had no
 * numbers, so that which `continued` ended which `stopped` followed from thread and order.
 */
function fromVersion1(): Migration {
  let lastStop = 0;
  const open = new Map<unknown, number>();
  return {
    header: ({ run, startedAt, nodeName, runtime, runtimeKind, profile, engine, steps, createdBy, createdAt, ...rest }) => {
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

/** By the version they lift from. */
const migrations: Readonly<Record<number, () => Migration>> = { 1: fromVersion1 };

/** All steps from `version` to the current one; undefined when there is no way from it. */
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
