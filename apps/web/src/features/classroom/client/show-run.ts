/** Shows the run of another participant: the teacher's run on all screens, or a learner's run on the teacher's page. */
import { decodeRunPart, type RunPart } from '@podscope/classroom';
import { readView } from '../../../node/address/view-address.ts';
import { useView } from '../../../node/address/view-store.ts';
import { type MirrorNode, mirrorNode } from '../../../node/files/mirror-node.ts';
import { coverRun, uncoverRun } from '../../../node/run/open-node.ts';

let mirror: MirrorNode | undefined;
/** Resolves when all parts that were received so far are decoded. Parts are decoded one after the other. */
let queue: Promise<void> = Promise.resolve();
let wanted: string | undefined;

/** Applies a view to the shown run. */
export function applyView(view: string): void {
  const { run: _run, present: _present, ...shown } = readView(view);
  useView.getState().show(shown);
}

/** Adds events and log lines to the shown run. The first part also opens the run. An invalid part is ignored. */
export function showRunPart(part: RunPart, view: () => string | undefined): void {
  queue = queue
    .then(async () => {
      const { node, events, logs } = await decodeRunPart(part);
      if (mirror?.run === part.run) {
        mirror.add(events, logs);
        return;
      }
      if (!node || (wanted !== undefined && wanted !== part.run)) return;
      mirror = mirrorNode(node, events, logs);
      coverRun(mirror.open);
      const asked = view();
      if (asked === undefined)
        useView.getState().show({ pod: undefined, uid: undefined, at: undefined, selected: undefined });
      else applyView(asked);
    })
    .catch(() => undefined);
}

/** Sets the run to show. Parts of other runs are ignored. */
export const expectRun = (run: string | undefined): void => {
  wanted = run;
};

/** Returns to the page's own run. */
export function stopShowing(): void {
  wanted = undefined;
  queue = queue.then(() => {
    mirror = undefined;
    uncoverRun();
  });
}
