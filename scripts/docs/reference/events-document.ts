/** Generates docs/reference/events.md from the schemas of the event log and the comments in their source. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { traceEventSchema } from '../../../packages/trace/src/events/event-schema.ts';
import { generatedNote } from './markdown.ts';
import { jsonSchema, type Schema, table } from './schema-table.ts';

const path = 'packages/trace/src/events/event-schema.ts';
const root = resolve(import.meta.dirname, '../../..');

/** Examples of claims about an event, by its type. */
const claims: Readonly<Record<string, readonly string[]>> = {
  spanStarted: ['{ type: spanStarted, point: cri.PullImage }'],
  spanEnded: ["{ type: spanEnded, outcome: error, error: { message: '~disk full' } }"],
  decision: ['{ type: decision, rule: computePodActions.containerChanged, decisive: true }'],
  syncResult: ['{ type: syncResult, action: StartContainer, target: app, error: CrashLoopBackOff }'],
  kubernetesEvent: ['{ type: kubernetesEvent, reason: Failed, message: ~ErrImagePull }'],
  podStatus: ['{ type: podStatus, status: { phase: Failed } }'],
  backOff: [
    '{ type: backOff, kind: container, container: app, seconds: 20 }',
    '{ type: backOff, kind: image, container: app, seconds: 20, state: armed }',
  ],
  runtimeStateChanged: ['{ type: runtimeStateChanged, object: container, name: app, to: exited, exitCode: 1 }'],
};

/** Returns the text of a comment without its stars. */
const plain = (comment: string): string =>
  comment
    .replaceAll(/^\s*\* ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The comments of a declaration and of its members. */
interface Comments {
  readonly text: string;
  readonly members: ReadonlyMap<string, string>;
}

/** Returns the comments of each declaration with members, by its name. */
function commentsOf(source: string): ReadonlyMap<string, Comments> {
  const declarations = source.matchAll(
    /(?:^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^const (\w+) = (?:z\.object\()?\{([\s\S]*?)\}\)?;$/gm,
  );
  return new Map(
    [...declarations].map(([, text = '', name = '', body = '']) => [
      name,
      {
        text: plain(text),
        members: new Map(
          [...body.matchAll(/^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+):/gm)].map(
            ([, comment = '', member = '']) => [member, plain(comment)],
          ),
        ),
      },
    ]),
  );
}

/** Returns the schema with the comments as descriptions of its members. */
const described = (schema: Schema, { members }: Comments): Schema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, member]) => [
      name,
      { ...member, description: members.get(name) },
    ]),
  ),
});

/** Returns the text of docs/reference/events.md. @throws Error if a type of event has no comment */
export async function eventsDocument(): Promise<string> {
  const comments = commentsOf(await readFile(join(root, path), 'utf8'));
  const commentsAt = (name: string): Comments => {
    const found = comments.get(name);
    if (!found) throw new Error(`${path} has no comment at ${name}`);
    return found;
  };
  const base = commentsAt('base');
  const shared = [...base.members.keys()];
  const sections = traceEventSchema.options.flatMap((option): readonly string[] => {
    const [type = ''] = option.shape.type.values;
    const own = commentsAt(type);
    const without = ['type', ...shared.filter((name) => name !== 'span' || !type.startsWith('span'))];
    const examples = claims[type] ?? [];
    return [
      `## ${type}`,
      '',
      own.text,
      '',
      ...table(described(jsonSchema(option), own), without),
      ...(examples.length === 0 ? [] : ['In a claim:', '', ...examples.map((example) => `- \`${example}\``), '']),
    ];
  });
  const first = jsonSchema(traceEventSchema.options[0]);
  // `span` is required in the first type, and optional in most others.
  const common = { ...first, required: ['seq', 'time', 'thread', 'type'] };
  return [
    generatedNote(path, 'events'),
    '',
    '# Events',
    '',
    '```json',
    '{ "seq": 412, "time": 1767225612000, "thread": "5f0c…", "pod": "5f0c…", "span": 388, "type": "backOff",',
    '  "kind": "image", "key": "5f0c…_ghcr.io/acme/web:v1", "container": "app", "image": "ghcr.io/acme/web:v1",',
    '  "seconds": 20, "since": 1767225612000, "until": 1767225632000, "state": "armed" }',
    '```',
    '',
    'The event log of a run consists of these events: on the [stream](protocol.md#messages), in',
    '[files of runs](../use/runs-and-files.md), and in the [claims](../learn/lessons.md#claims) of lessons.',
    'A claim can name every field of a type, and fields inside of objects, such as',
    '`status: { phase: Failed }`. A `?` behind a field means that it can be missing.',
    '',
    '## All events',
    '',
    ...table(
      described(common, base),
      Object.keys(first.properties ?? {}).filter((name) => !shared.includes(name)),
    ),
    ...sections,
  ].join('\n');
}
