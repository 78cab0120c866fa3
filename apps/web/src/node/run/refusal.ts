/** Explains why an action is unavailable; buttons, keys and the palette show the reason. */
import type { NodeInfo } from '@podscope/protocol';
import { useCallback, useSyncExternalStore } from 'react';
import type { Message } from '../../base/i18n/define-messages.ts';
import { useT } from '../../base/i18n/i18n.ts';
import { isPageSource } from '../address/address.ts';
import { isConnected } from '../connection/connection-state.ts';
import { connectionMessages } from '../connection/messages.en.ts';
import { type NodeSession, useSession } from './node-session.ts';

/**
 * The subject of a change: the node, the present state of the node (possible only while the page follows the present),
 * or the breakpoints (possible also in recordings).
 */
export type Change = 'node' | 'present' | 'breakpoints';

/** Returns true for a recording. A read-only server has a kubeconfig; a recording doesn't. */
export const isRecording = (node: NodeInfo | undefined): boolean =>
  node?.readOnly === true && node.kubeconfig === undefined;

/** Returns the reason why a change is refused; undefined when it is possible. */
export function refusalOf({ connection, run }: NodeSession, change: Change): Message | undefined {
  const { node, state } = connection;
  if (change === 'breakpoints' && isRecording(node)) return undefined;
  if (node?.readOnly) return isRecording(node) ? connectionMessages.recorded : connectionMessages.readOnly;
  if (!isConnected(state))
    return isPageSource && state.phase === 'away' ? connectionMessages.noEngine : connectionMessages.notConnected;
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

/**
 * Returns the translated reason why a change is refused.
 * @param session default: the shown session
 */
export function useRefusal(change: Change = 'node', session?: NodeSession): string | undefined {
  const shown = useSession();
  return useRefusalOf(session ?? shown, change);
}
