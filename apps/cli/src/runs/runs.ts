/** Implements `podscope runs`: lists, renames, tags, annotates, imports and deletes recorded runs. */

import { createReadStream } from 'node:fs';
import {
  type CommandBody,
  callOf,
  print,
  printJson,
  readArguments,
  report,
  UsageError,
  working,
} from '@podscope/command-line';
import { importRun } from '@podscope/server/runs';
import { tagSchema } from '@podscope/trace/file';
import {
  asProblem,
  findRun,
  openStore,
  RunProblem,
  shortRun,
  stateDirHelp,
  stateDirOption,
  tellingProblems,
} from './run-source.ts';
import { formatTable } from './table.ts';

const options = { ...stateDirOption, json: { type: 'boolean' } } as const;
type Store = ReturnType<typeof openStore>;

const size = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KiB` : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
const time = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

function list(store: Store, json: boolean): number {
  const runs = store.list();
  if (json) {
    printJson(runs);
    return 0;
  }
  if (runs.length === 0) report('No runs are recorded.');
  else {
    const rows = runs.map(
      ({ id, startedAt, state, imported, runtime, firstSeq, lastSeq, bytes, title, tags, repeats }) => [
        shortRun(id),
        time(startedAt),
        imported ? `${state}, imported` : state,
        runtime.kind,
        String(lastSeq === 0 ? 0 : lastSeq - firstSeq + 1),
        size(bytes),
        [
          title ?? (repeats && `(${shortRun(repeats.run)} again, from event ${repeats.seq})`),
          ...tags.map((tag) => `#${tag}`),
        ]
          .filter(Boolean)
          .join(' '),
      ],
    );
    print(formatTable(['RUN', 'STARTED (UTC)', 'STATE', 'RUNTIME', 'EVENTS', 'SIZE', 'TITLE'], rows));
  }
  return 0;
}

function changeTags(current: readonly string[], changes: readonly string[]): readonly string[] {
  const tags = new Set(current);
  for (const change of changes) {
    const remove = change.startsWith('-');
    const tag = tagSchema.safeParse(change.replace(/^[+-]/, ''));
    if (!tag.success) throw new UsageError(`${JSON.stringify(change)}: ${tag.error.issues[0]?.message ?? 'not a tag'}`);
    if (remove) tags.delete(tag.data);
    else tags.add(tag.data);
  }
  return [...tags];
}

async function act(store: Store, [action, name, ...rest]: readonly string[]): Promise<number> {
  if (name === undefined) throw new UsageError(`runs ${action ?? ''} needs a RUN (see runs --help)`);
  switch (action) {
    case 'rename':
      print(store.rename(findRun(store, name).id, rest.join(' ')).title ?? '(no title)');
      return 0;
    case 'tag': {
      const { id, tags } = findRun(store, name);
      print(store.tag(id, changeTags(tags, rest)).tags.join(' '));
      return 0;
    }
    case 'note':
      store.annotate(findRun(store, name).id, { text: rest.join(' ') });
      return 0;
    case 'delete':
      for (const each of [name, ...rest].map((wanted) => findRun(store, wanted))) {
        store.delete(each.id);
        print(`deleted ${each.id}`);
      }
      return 0;
    case 'import':
      return bringIn(store, name);
    default:
      throw new UsageError(
        `runs has no ${JSON.stringify(action)}: use rename, tag, note, delete or import; without an action, ` +
          'runs are listed',
      );
  }
}

async function bringIn(store: Store, path: string): Promise<number> {
  try {
    const { run, report: file } = await working(`Importing ${path}`, () => importRun(store, createReadStream(path)));
    if (file.problem) report(`podscope: ${path} is not complete: ${file.problem}; all events up to there are taken in`);
    print(`${run.id}  ${file.events} events`);
    return 0;
  } catch (error) {
    throw asProblem(error, path);
  }
}

export const command: CommandBody = {
  help: `Usage: ${callOf('runs')} [options]
       ${callOf('runs')} rename RUN TITLE…
       ${callOf('runs')} tag RUN -- [+]TAG… -TAG…
       ${callOf('runs')} note RUN TEXT…
       ${callOf('runs')} delete RUN…
       ${callOf('runs')} import FILE

RUN is the id (or its beginning), or the title, of a recorded run; "latest" is the newest, "current" the one a server
writes. TAG or +TAG adds a tag, -TAG removes one.

  --json            The list as JSON.
${stateDirHelp}`,
  examples: [
    ['runs', 'List the recorded runs'],
    ["runs rename latest 'good run'", 'Name the newest run'],
  ],
  run: (args) =>
    tellingProblems(async () => {
      const { values, positionals } = readArguments(args, options, 'runs');
      const store = openStore(values['state-dir']);
      try {
        return positionals.length === 0 ? list(store, values.json === true) : await act(store, positionals);
      } catch (error) {
        throw error instanceof RunProblem || error instanceof UsageError ? error : asProblem(error, '');
      } finally {
        store.close();
      }
    }),
};
