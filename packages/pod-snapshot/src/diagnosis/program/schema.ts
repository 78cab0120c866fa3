/** Recognizes migrations of a database schema that fail because the database already has what they create. */
import { textOf } from '@podscope/trace/explain';
import { type ExitCase, logs, type Recognized, type Recognizer, rollBack } from './recognizer.ts';

interface Tool {
  /** Matches the migration in the tool's output, with its `id` and, if the output has one, its `name`. */
  readonly migration: RegExp;
  /** Returns the command that records a migration as applied; undefined if the tool has no such command. */
  readonly record?: (id: string) => string;
}

/** The tools by their output. The last one stands for all others. */
const tools: readonly Tool[] = [
  {
    migration: /== (?<id>\d{14}) (?<name>\w+): migrating|db\/migrate\/(?<file>\d{14})_\w+\.rb/,
    record: (id) =>
      'bin/rails runner "ActiveRecord::Base.connection.execute(%q(INSERT INTO schema_migrations (version) ' +
      `VALUES ('${id}')))"`,
  },
  {
    migration: /Applying (?<id>\w+\.\d{4}\w*)\.\.\./,
    record: (id) => `python manage.py migrate ${id.replace('.', ' ')} --fake`,
  },
  {
    migration: /Running upgrade (?:\w+)? ?-> (?<id>\w+)(?:, (?<name>[^\n]+))?/,
    record: (id) => `alembic stamp ${id}`,
  },
  {
    migration: /Migration name: (?<id>\w+)/,
    record: (id) => `npx prisma migrate resolve --applied ${id}`,
  },
  { migration: /\b(?<id>V[\d._]+__\w+)(?:\.sql)?|to version "?(?<file>[\d.]+)(?: - (?<name>[^"\n]+))?"? failed/ },
  { migration: /(?<id>(?:\d{10,14}|\d{4,6})[_-]\w[\w-]*)/ },
];

const migrates = /migrat|alembic|flyway|liquibase|\bdbmate\b|\bgoose\b/i;

/** Explains a failed migration; undefined if neither the output nor the command is one of a migration. */
function schemaExists(
  exit: ExitCase,
  { column, table, relation, name, duplicate }: Readonly<Record<string, string | undefined>>,
  words: string,
): Recognized | undefined {
  const { it, container, values } = exit;
  const { spec, ended } = container;
  const whole = [it.cluster.logs?.[container.name], ended?.message, words].join('\n');
  if (!migrates.test([whole, container.name, ...(spec.command ?? []), ...(spec.args ?? [])].join(' ')))
    return undefined;
  const tool = tools.find(({ migration }) => migration.test(whole));
  const { id: named, file, name: title } = tool?.migration.exec(whole)?.groups ?? {};
  const id = named ?? file;
  const all = {
    ...values,
    migration: [id, title === undefined ? undefined : `(${title.trim()})`].filter(Boolean).join(' '),
    object: column === undefined ? (relation ?? name ?? duplicate ?? '') : `${table ?? ''}.${column}`,
  };
  return {
    title: textOf('schemaTitle', all),
    cause: [textOf(id === undefined ? 'schemaUnnamed' : 'schema', all)],
    next: [
      { ...logs(exit), why: textOf('schemaLook', all) },
      ...it.change('schemaSkip', all),
      ...(id === undefined || !tool?.record ? [] : [{ why: textOf('schemaRecord', all), command: tool.record(id) }]),
      ...rollBack(exit),
    ],
    origin: 'program',
  };
}

/** The recognizers. The first one that matches decides. */
export const schemaCauses: readonly Recognizer[] = [
  [
    /column ["'`](?<column>\w+)["'`] of relation ["'`](?<table>[\w.]+)["'`] already exists|(?:relation|[Tt]able|index|constraint|type|schema|sequence|function) ["'`](?<relation>[\w.]+)["'`] already exists|(?:table|index) (?<name>[\w.]+) already exists|Duplicate (?:column|key) name ["'`](?<duplicate>\w+)["'`]/,
    schemaExists,
  ],
];
