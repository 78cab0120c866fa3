/** Why nothing can be changed now: what buttons, keys and the palette say instead of doing it. */
import type { NodeInfo } from '@podscope/protocol';
import { useCallback, useSyncExternalStore } from 'react';
import { isConnected } from '../connection/connection-state.ts';
import { connectionMessages } from '../connection/messages.en.ts';
import type { Message } from '../i18n/define-messages.ts';
import { useT } from '../i18n/i18n.ts';
import { type NodeSession, useSession } from './node-session.ts';

/** What would be changed: the node, something that the page must show as it is now, or breakpoints, by which going back stops in recordings too. */
export type Change = 'node' | 'present' | 'breakpoints';

/** A run that is only looked at, and whose breakpoints are this page's own. A read-only server has a kubeconfig. */
export const isRecording = (node: NodeInfo | undefined): boolean => node?.readOnly === true && node.kubeconfig === undefined;

/** Undefined when the change can be made. */
export function refusalOf({ connection, run }: NodeSession, change: Change): Message | undefined {
  const { node, state } = connection;
  if (change === 'breakpoints' && isRecording(node)) return undefined;
  if (node?.readOnly) return isRecording(node) ? connectionMessages.recorded : connectionMessages.readOnly;
  if (!isConnected(state)) return connectionMessages.notConnected;
  return change === 'present' && run.past ? connectionMessages.past : undefined;
}

function useRefusalOf(session: NodeSession, change: Change): string | undefined {
  const t = useT();
  const { connection, run } = session;
  const message = useSyncExternalStore(
    useCallback(
      (listener) => {
        const ends = [connection.subscribe(listener), run.subscribe(listener)];
        return () => {
          for (const end of ends) end();
        };
      },
      [connection, run],
    ),
    () => refusalOf(session, change),
  );
  return message && t(message);
}

/** In words for a person, of the session that is shown or of another. */
export function useRefusal(change: Change = 'node', session?: NodeSession): string | undefined {
  const shown = useSession();
  return useRefusalOf(session ?? shown, change);
}
