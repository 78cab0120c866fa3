/** Records what the user does on a node of the page: commands, and the moments that become steps. */
import { findScenario } from '@podscope/scenarios';
import { spanOf, useView } from '../../node/address/view-store.ts';
import type { NodeSession } from '../../node/run/node-session.ts';
import { openLocalRun, useOpenNode } from '../../node/run/open-node.ts';
import { live, nowOf } from '../../node/run/virtual-time.ts';
import { addRecorded } from './draft/draft-store.ts';
import { draftOfRecording } from './recording/recorded-draft.ts';
import { useRecording } from './recording/recording-store.ts';

/** The recorded node, the time at which it started, and the function that ends the recording. */
let recorded: { readonly node: NodeSession; readonly begin: number; readonly stop: () => void } | undefined;

/**
 * Starts a new node in the page, paused, and records it.
 * @param base id of the scenario that it plays; undefined for an empty node
 */
export async function startRecording(base: string | undefined): Promise<void> {
  endRecording();
  openLocalRun({ ...(base === undefined ? {} : { scenario: base }), paused: true });
  const node = useOpenNode.getState().session;
  await live(node);
  // A node without a scenario has no events yet, so the run starts at its current time.
  const begin = nowOf(node);
  const stop = node.connection.watchCommands((command) =>
    useRecording.setState(({ recording }) => ({
      recording: recording && {
        ...recording,
        commands: [...recording.commands, { at: (nowOf(node) - begin) / 1_000, command }],
      },
    })),
  );
  recorded = { node, begin, stop };
  useRecording.setState({ recording: { base, commands: [], moments: [] } });
}

/** Adds the shown instant to the lesson as a step. */
export function markMoment(): void {
  const { recording } = useRecording.getState();
  if (!recorded || !recording) return;
  const { node, begin } = recorded;
  const { tab, selected } = useView.getState();
  const call = node.run.history.events.find((event) => event.type === 'spanStarted' && event.span === spanOf(selected));
  const moment = {
    at: ((node.run.past?.time ?? nowOf(node)) - begin) / 1_000,
    tab,
    point: call?.type === 'spanStarted' ? call.point : undefined,
  };
  const moments = [...recording.moments, moment].toSorted((a, b) => a.at - b.at);
  useRecording.setState({ recording: { ...recording, moments } });
}

/** Ends the recording and discards it. */
export function endRecording(): void {
  recorded?.stop();
  recorded = undefined;
  useRecording.setState({ recording: undefined });
}

/** Ends the recording and adds it to the lesson. @returns the commands that a scenario can't repeat */
export function finishRecording(): readonly string[] {
  const { recording } = useRecording.getState();
  if (!recorded || !recording) return [];
  const { node, begin } = recorded;
  const omitted = addRecorded((id) =>
    draftOfRecording({
      id,
      base: recording.base === undefined ? undefined : findScenario(recording.base),
      commands: recording.commands,
      moments: recording.moments,
      stops: node.run.history.events.flatMap((event) =>
        event.type === 'stopped' ? [{ at: (event.time - begin) / 1_000, point: event.point, phase: event.phase }] : [],
      ),
      end: (nowOf(node) - begin) / 1_000,
    }),
  );
  endRecording();
  return omitted;
}
