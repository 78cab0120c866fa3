/**
 * Computes forecasts in a worker: of the pods in kubectl's output, which doesn't leave this browser, and of a pod of an
 * observed kubelet.
 */
import '../../base/without-eval.ts';
import { errorMessage } from '@podscope/base';
import { maskText } from '@podscope/node/secrets';
import {
  forecast,
  forecastOfRun,
  readSnapshots,
  type SnapshotError,
  snapshotText,
  withoutSecretObjects,
} from '@podscope/pod-snapshot';
import { stringify } from 'yaml';
import {
  type SnapshotAnswer,
  type SnapshotProblem,
  type SnapshotQuestion,
  snapshotAnswerSchema,
  snapshotQuestionSchema,
} from './snapshot-messages.ts';

/** Maximum number of forecasts. A list of a whole cluster contains hundreds of pods. */
const mostPods = 20;

const problemOf = ({ message, line, hint, texts }: SnapshotError): SnapshotProblem => ({
  line,
  message: texts ? { id: texts.message.id, values: { ...texts.message.values } } : message,
  hint: texts ? { id: texts.hint.id, values: { ...texts.hint.values } } : hint,
});

/** Returns the text without its secrets; undefined if it contains none. */
function cleanText(text: string, isBroken: boolean): string | undefined {
  if (isBroken) {
    const clean = maskText(text);
    return clean === text ? undefined : clean;
  }
  return withoutSecretObjects(text)
    ?.map((object) => stringify(object, { aliasDuplicateObjects: false, lineWidth: 0 }))
    .join('---\n');
}

async function answer(question: SnapshotQuestion): Promise<SnapshotAnswer> {
  const { profile } = question;
  if ('runPod' in question) {
    const outlook = await forecastOfRun(question.runPod, { profile });
    return snapshotAnswerSchema.parse({ outlooks: [outlook], errors: [], notices: [] });
  }
  const { text } = question;
  const { snapshots, errors, notices } = readSnapshots(text);
  const outlooks = [];
  for (const snapshot of snapshots.slice(0, mostPods)) outlooks.push(await forecast(snapshot, { profile }));
  const left = snapshots.length - outlooks.length;
  // Parsing with the schema omits members that the page doesn't show.
  return snapshotAnswerSchema.parse({
    outlooks,
    errors: errors.map(problemOf),
    notices: left > 0 ? [...notices, snapshotText('morePods', { count: left })] : notices,
    text: cleanText(text, snapshots.length === 0),
  });
}

addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  answer(snapshotQuestionSchema.parse(data)).then(
    (said) => postMessage(said),
    (error: unknown) => {
      const message = maskText(errorMessage(error));
      postMessage({ outlooks: [], errors: [{ message }], notices: [] } satisfies SnapshotAnswer);
    },
  );
});
