/** Reads what kubectl printed and looks ahead, beside the page: the text stays in this browser. */
import { forecast, maskText, readSnapshots, type SnapshotError, sayOfSnapshot, withoutSecretObjects } from '@podscope/pod-snapshot';
import { stringify } from 'yaml';
import { z } from 'zod';
import { type SnapshotAnswer, type SnapshotProblem, type SnapshotQuestion, snapshotAnswerSchema, snapshotQuestionSchema } from './snapshot-messages.ts';

// Compiled validators need eval, which the content security policy refuses.
z.config({ jitless: true });

/** More pods than that are read, but not looked ahead for: a list of a whole cluster has hundreds. */
const mostPods = 20;

const problemOf = ({ message, line, hint, texts }: SnapshotError): SnapshotProblem => ({
  line,
  message: texts ? { id: texts.message.id, values: { ...texts.message.values } } : message,
  hint: texts ? { id: texts.hint.id, values: { ...texts.hint.values } } : hint,
});

/** The text without its secrets; undefined when it has none. */
function cleanText(text: string, isBroken: boolean): string | undefined {
  if (isBroken) {
    const clean = maskText(text);
    return clean === text ? undefined : clean;
  }
  return withoutSecretObjects(text)
    ?.map((object) => stringify(object, { aliasDuplicateObjects: false, lineWidth: 0 }))
    .join('---\n');
}

async function answer({ text, profile }: SnapshotQuestion): Promise<SnapshotAnswer> {
  const { snapshots, errors, notices } = readSnapshots(text);
  const outlooks = [];
  for (const snapshot of snapshots.slice(0, mostPods)) outlooks.push(await forecast(snapshot, { profile }));
  const left = snapshots.length - outlooks.length;
  // What the page does not show is left out here.
  return snapshotAnswerSchema.parse({
    outlooks,
    errors: errors.map(problemOf),
    notices: left > 0 ? [...notices, sayOfSnapshot('morePods', { count: left })] : notices,
    text: cleanText(text, snapshots.length === 0),
  });
}

addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  answer(snapshotQuestionSchema.parse(data)).then(
    (said) => postMessage(said),
    (error: unknown) => {
      const message = maskText(error instanceof Error ? error.message : String(error));
      postMessage({ outlooks: [], errors: [{ message }], notices: [] } satisfies SnapshotAnswer);
    },
  );
});
