/** Reports on the shown run for scripts and tests: an explanation of each pod in English, and the run as a file. */
import { diagnosePodOfRun } from '@podscope/pod-snapshot/diagnosis';
import { explainPod, explanationLines, printable } from '@podscope/trace';
import { runAsFile } from '../files/save-run.ts';
import type { NodeSession } from '../run/node-session.ts';

export interface PodReport {
  /** The pod as `namespace/name`. */
  readonly pod: string;
  /** False if the explanation names a problem. */
  readonly isHealthy: boolean;
  /** The text that `podscope explain` prints about the pod. */
  readonly text: string;
}

/** Returns a report on each pod at the shown instant. */
export function podReports({ run, connection }: NodeSession): readonly PodReport[] {
  const { node: info } = connection;
  const node = info && {
    name: info.nodeName,
    // For the simulator, use the messages of dockershim, because both emit the same ones.
    runtime: info.runtime.kind === 'cri' ? ('crictl' as const) : ('docker' as const),
  };
  const now = run.now();
  return run.fold.pods().map((track) => {
    const explanation = explainPod(run.fold, track, now, diagnosePodOfRun(run.fold, track, now, { node }));
    return {
      pod: explanation.pod,
      isHealthy: explanation.diagnoses.length === 0,
      text: [explanation.headline, ...explanationLines(explanation)].map(printable).join('\n'),
    };
  });
}

/** Returns the run as a trace file, in base64. @throws Error before the node has introduced itself */
export async function traceFileInBase64(session: NodeSession): Promise<string> {
  const { blob } = await runAsFile(session, 'file');
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const parts: string[] = [];
  // Convert the bytes in parts, because a call can have only a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 32_768) parts.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)));
  return btoa(parts.join(''));
}
