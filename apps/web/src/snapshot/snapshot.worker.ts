/** Reads what kubectl printed and looks ahead, beside the page: the text stays in this browser. */
import { forecast, readSnapshots } from '@podscope/pod-snapshot';
import { z } from 'zod';
import { type Outlook, type SnapshotAnswer, type SnapshotQuestion, snapshotQuestionSchema } from './snapshot-messages.ts';

// Compiled validators need eval, which the content security policy refuses.
z.config({ jitless: true });

/** More pods than that are read, but not looked ahead for: a list of a whole cluster has hundreds. */
const mostPods = 20;

async function answer({ text, profile }: SnapshotQuestion): Promise<SnapshotAnswer> {
  const { snapshots, errors, notices } = readSnapshots(text);
  const outlooks: Outlook[] = [];
  for (const snapshot of snapshots.slice(0, mostPods)) {
    const { explanation, ...rest } = await forecast(snapshot, { profile });
    const diagnoses = explanation?.diagnoses.map(({ reason, title, cause, said }) => ({ reason, title, cause: [...cause], ...(said ? { said } : {}) })) ?? [];
    outlooks.push({
      ...rest,
      headline: explanation?.headline ?? '',
      diagnoses,
      waits: [...rest.waits],
      entries: [...rest.entries],
      notices: [...rest.notices],
    });
  }
  const left = snapshots.length - outlooks.length;
  return {
    outlooks,
    errors: errors.map(({ message, line, hint }) => `${line === undefined ? '' : `${line}: `}${message}${hint ? ` (${hint})` : ''}`),
    notices: left > 0 ? [...notices, `${left} more pods are not shown: give fewer at a time`] : [...notices],
  };
}

addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  answer(snapshotQuestionSchema.parse(data)).then(
    (said) => postMessage(said),
    (error: unknown) => postMessage({ outlooks: [], errors: [error instanceof Error ? error.message : String(error)], notices: [] } satisfies SnapshotAnswer),
  );
});
