/** Defines the kind `sync`: several rounds of one pod against a fake runtime. */
import { type SyncRound, type SyncVector, syncDisagreement } from '@podscope/kuberuntime/testing';
import { z } from 'zod';
import { formatValue, gateLines, podLines } from './case-text.ts';
import { defineKind, releaseOfID } from './kind.ts';
import { gatesSchema, podSchema, recordSchema } from './shapes.ts';

const resultSchema = z.enum(['success', 'failure', 'unknown']);

const roundSchema: z.ZodType<SyncRound> = z.discriminatedUnion('do', [
  z.object({ do: z.literal('sync'), restartAllContainers: z.boolean().optional(), expect: recordSchema }),
  z.object({ do: z.literal('kill'), gracePeriod: z.number().nullable(), expect: recordSchema }),
  z.object({ do: z.literal('advance'), seconds: z.number() }),
  z.object({ do: z.literal('exit'), container: z.string(), exitCode: z.number(), reason: z.string().optional() }),
  z.object({ do: z.literal('sandboxDies'), exitCode: z.number().optional() }),
  z.object({
    do: z.literal('probe'),
    kind: z.enum(['liveness', 'startup']),
    container: z.string(),
    result: resultSchema,
  }),
  z.object({
    do: z.literal('fail'),
    method: z.string(),
    error: z.string(),
    code: z.string().optional(),
    container: z.string().optional(),
    leavesSandbox: z.boolean().optional(),
  }),
  z.object({ do: z.literal('delay'), method: z.string(), container: z.string(), seconds: z.number() }),
  z.object({ do: z.literal('clearFailures'), method: z.string() }),
  z.object({ do: z.literal('edit'), pod: podSchema }),
  z.object({ do: z.literal('terminationRequested'), gracePeriodSeconds: z.number().optional() }),
]);

const objectsOf = <T>(): z.ZodType<readonly T[] | undefined> =>
  z.custom<readonly T[]>((value) => Array.isArray(value), 'expected a list of objects').optional();

const schema: z.ZodType<SyncVector> = z.object({
  id: z.string(),
  story: z.string().default(''),
  gates: gatesSchema,
  pod: podSchema,
  start: z.iso.datetime({ offset: true }),
  images: z
    .array(z.string())
    .nullable()
    .transform((images) => images ?? []),
  imageUsers: z
    .record(z.string(), z.object({ uid: z.number().optional(), username: z.string().optional() }))
    .optional(),
  pullSecrets: objectsOf<NonNullable<SyncVector['pullSecrets']>[number]>(),
  objects: z
    .object({
      services: objectsOf<NonNullable<SyncVector['objects']['services']>[number]>(),
      configMaps: objectsOf<NonNullable<SyncVector['objects']['configMaps']>[number]>(),
      secrets: objectsOf<NonNullable<SyncVector['objects']['secrets']>[number]>(),
    })
    .default(() => ({ services: undefined, configMaps: undefined, secrets: undefined })),
  stopExitCode: z.number().optional(),
  rounds: z.array(roundSchema),
});

/** Formats a round as one line. */
function roundLine(round: SyncRound): string {
  const { do: what, ...rest } = round;
  if (round.do === 'edit')
    return `edit: the pod is ${podLines(round.pod)
      .map((line) => line.trim())
      .join('; ')}`;
  const facts = formatValue('expect' in rest ? { ...rest, expect: undefined } : rest);
  return facts === '{}' ? what : `${what}: ${facts}`;
}

const callsOf = (round: SyncRound): string => {
  const calls =
    'expect' in round && Array.isArray(round.expect.calls)
      ? (round.expect.calls as readonly { readonly method?: string }[])
      : [];
  return calls.length === 0 ? '' : ` → ${calls.map(({ method }) => method).join(', ')}`;
};

export const sync = defineKind<SyncVector>({
  name: 'sync',
  schema,
  release: ({ id, gates }) =>
    releaseOfID(id) ?? ('SidecarContainers' in gates ? 'v1.36' : Object.keys(gates).length > 0 ? 'v1.20' : undefined),
  situation: ({ pod, gates, images, story }) => [
    ...(story ? [`story: ${story}`] : []),
    ...podLines(pod),
    `images on the node: ${images.length > 0 ? images.join(', ') : 'none'}`,
    ...gateLines(gates),
  ],
  recorded: ({ rounds }) => rounds.map((round, index) => `  ${index + 1} ${roundLine(round)}${callsOf(round)}`),
  async judge(vector, { release, node, tracer, onPart }) {
    const onRound =
      onPart && ((index: number, round: SyncRound): void => onPart(`round ${index + 1}, ${roundLine(round)}`));
    const found = await syncDisagreement(vector, release, await node(), { tracer, ...(onRound ? { onRound } : {}) });
    if (!found) return undefined;
    const round = vector.rounds[found.round];
    return {
      where: `round ${found.round + 1}, ${round?.do ?? ''}`,
      before: vector.rounds
        .slice(0, found.round)
        .map((each, index) => `${index + 1} ${roundLine(each)}${callsOf(each)}`),
      disagreements: found.disagreements,
    };
  },
});
