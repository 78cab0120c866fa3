/** Generates docs/reference/protocol.md from the protocol's schemas. */
import { z } from 'zod';
import * as protocol from '../../../packages/protocol/src/index.ts';
import { generatedNote } from './markdown.ts';
import { definition, jsonSchema, refName, shape, table } from './schema-table.ts';

/** Schemas that have a section of their own. Other sections refer to them by name. */
const types: Readonly<Record<string, z.ZodType>> = {
  BreakpointSpec: protocol.breakpointSpecSchema,
  BreakpointState: protocol.breakpointStateSchema,
  ExceptionFilterSpec: protocol.exceptionFilterSchema,
  FaultSpec: protocol.faultSpecSchema,
  FaultState: protocol.faultStateSchema,
  FaultPlan: protocol.faultPlanSchema,
  FaultPlanState: protocol.faultPlanStateSchema,
  InterventionAction: protocol.interventionActionSchema,
  Failure: protocol.failureSchema,
  HeldCall: protocol.heldCallSchema,
  DebugOptions: protocol.debugOptionsSchema,
  DebugState: protocol.debugStateSchema,
  StoppedThread: protocol.stoppedThreadSchema,
  ThreadInfo: protocol.threadSchema,
  PointInfo: protocol.pointInfoSchema,
  SourceLocation: protocol.sourceLocationSchema,
  StackFrame: protocol.stackFrameSchema,
  PastPlace: protocol.pastPlaceSchema,
  Scope: protocol.scopeSchema,
  Variable: protocol.variableSchema,
  ManifestError: protocol.manifestErrorSchema,
  NodeInfo: protocol.nodeInfoSchema,
  LogLine: protocol.logLineSchema,
};

for (const [id, schema] of Object.entries(types)) z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });

function commandSection(schema: z.ZodType): readonly string[] {
  const json = definition(jsonSchema(schema));
  const name = String(json.properties?.command?.const);
  const result =
    name in protocol.debugResultSchemas ? protocol.debugResultSchemas[name as protocol.DebugCommandName] : undefined;
  const body = result ? jsonSchema(result) : undefined;
  const answer =
    body && (body.$ref ? shape(body) : Object.keys(body.properties ?? {}).length > 0 ? shape(body) : '`{}`');
  return [
    `### ${name}`,
    '',
    (answer ? json.description?.replace(/ Result: .*$/, '') : json.description) ?? '',
    '',
    ...table(json, ['command']),
    ...(answer ? [`Answer: ${answer}`, ''] : []),
  ];
}

function typeSection(name: string, schema: z.ZodType): readonly string[] {
  const json = jsonSchema(schema);
  const own = definition(json.$ref ? (json.$defs?.[refName(json.$ref)] ?? json) : json);
  const rows = table(own);
  return [
    `### ${name}`,
    '',
    ...(own.description ? [own.description, ''] : []),
    ...(rows.length > 0 ? rows : [shape({ ...own, $ref: undefined }), '']),
  ];
}

/** Returns the text of docs/reference/protocol.md. */
export function protocolDocument(): Promise<string> {
  const commands = protocol.commandSchema.options.map((option) => option as z.ZodType);
  const text = [
    generatedNote('packages/protocol', 'protocol'),
    '',
    '# Protocol',
    '',
    '```',
    '→ {"type": "hello", "protocol": 1}',
    '← {"type": "welcome", "protocol": 1, "node": {…}, "firstSeq": 1, "lastSeq": 42, "after": 0, "now": ' +
      '1767225600000, "pods": [], "debug": {…}}',
    `← {"type": "events", "events": [{"seq": 1, …}, …]}          at most ${protocol.maxEventsPerMessage} a message`,
    '→ {"type": "command", "id": 7, "body": {"command": "continue", "thread": "5f0c…"}}',
    '← {"type": "response", "id": 7, "ok": true, "result": {"threads": ["5f0c…"]}}',
    '← {"type": "failure", "id": 8, "reason": "NotStopped", "message": "thread … is not stopped: pause it, or ' +
      'set a breakpoint"}',
    '← {"type": "bye", "reason": "The server stops."}',
    '```',
    '',
    'These messages go between a client (`→`) and a node (`←`). Each is a JSON document in a text frame of the',
    'WebSocket at `/stream`. The token is in the header `Authorization: Bearer`, or in the cookie that the page',
    'has. A script that needs only commands sends them [over HTTP](#http).',
    '',
    '## Messages',
    '',
    `A client first sends \`{"type": "hello", "protocol": ${protocol.protocolVersion}, "run"?, "after"?}\`. If it ` +
      'has events already, `run` is the id',
    'of their run, and `after` the number of the last of them. The node answers `welcome` and then sends `events`, in',
    'order and without a gap, from the number after `after`. So a client that connects again loses nothing. If the',
    'node no longer has these events,',
    '`welcome` names the number at which the events start again, and contains the pods as they are.',
    '',
    `Both ends send the number of their protocol, now ${protocol.protocolVersion}. A node closes the connection ` +
      'of a client with another number, and a client',
    'closes the connection to such a node. The reason names both numbers and the side to update.',
    '',
    'With `"packed": true` in its `hello`, a client gets many old events as `packedEvents`: each distinct event',
    'once, as a template with placeholders for its numbers, and each event as a row with the index of its',
    'template, its time, its span and its parent. Equal parts of templates are sent once too, and referred to',
    'by their index. `packages/protocol/src/packed-events.ts` packs and unpacks.',
    '',
    'Each command gets one answer, with the id that the client chose, in the order in which commands finish.',
    'What commands change is in events that all clients receive: `stopped`, `continued`, `intervention`,',
    "`breakpointsChanged`, `output`. `welcome.debug` is the debugger's state at that moment, so a client that",
    'connects later knows which threads are stopped. [Events](events.md) lists every type of event with its fields.',
    '',
    '`welcome.node` is a [NodeInfo](#nodeinfo).',
    '',
    '## Commands',
    '',
    ...commands.flatMap(commandSection),
    '## Types',
    '',
    ...Object.entries(types).flatMap(([name, schema]) => typeSection(name, schema)),
    '## HTTP',
    '',
    '```sh',
    'export TOKEN=…     # what follows token= in the printed link',
    'curl -s -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" http://127.0.0.1:4400/debug/v1/commands \\',
    '  -d \'{"command": "setBreakpoints", "breakpoints": [{"point": "syncPod.createPodSandbox", "pod": "web"}]}\'',
    '```',
    '',
    '`POST /debug/v1/commands` takes a command as its JSON body. It answers the result with status 200, or',
    '`{"reason", "message"}` with a status of 4xx. `GET /debug/v1/state` and `GET /debug/v1/points` answer what',
    'the commands `debugState` and `points` do. Commands with more than one answer (`followLogs`, `cancel`)',
    'need the stream. A script counts as a client of the debugger from its first debugger command until it',
    'sends `detach`, or until ten minutes after its last one.',
    '',
  ];
  return Promise.resolve(text.join('\n'));
}
