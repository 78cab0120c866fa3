/** Does from outside what was done in a recording. */
import { goQuote, type Pod } from '@podscope/k8s';
import { parseStaticPod } from '@podscope/server/node';
import { nodeNameOf, type RecordedAction, type Recording } from '../recording.ts';
import type { DockerEngine } from './docker-engine.ts';
import type { EngineTrace } from './engine-trace.ts';
import type { TwinNode } from './twin-node.ts';

/** Something in a recording that can't be done here. */
class UnknownActionError extends Error {
  override readonly name = 'UnknownActionError';
}

export interface ActionParts {
  readonly recording: Recording;
  readonly node: Pick<TwinNode, 'setPods' | 'start' | 'stop'>;
  readonly engine: Pick<DockerEngine, 'call'>;
  readonly trace: Pick<EngineTrace, 'ids'>;
  /** Told of the UID of each pod that a manifest made. */
  readonly onPod: (uid: string) => void;
}

/** `POST` calls of the engine by the word a recording uses. */
const engineCalls: Readonly<Record<string, (id: string, argument: string) => { readonly method: 'POST' | 'DELETE'; readonly path: string }>> = {
  kill: (id, signal) => ({ method: 'POST', path: `/containers/${id}/kill?signal=${signal || 'KILL'}` }),
  stop: (id, timeout) => ({ method: 'POST', path: `/containers/${id}/stop${timeout ? `?t=${timeout}` : ''}` }),
  restart: (id, timeout) => ({ method: 'POST', path: `/containers/${id}/restart${timeout ? `?t=${timeout}` : ''}` }),
  start: (id) => ({ method: 'POST', path: `/containers/${id}/start` }),
  pause: (id) => ({ method: 'POST', path: `/containers/${id}/pause` }),
  unpause: (id) => ({ method: 'POST', path: `/containers/${id}/unpause` }),
  rm: (id) => ({ method: 'DELETE', path: `/containers/${id}?force=1&v=1` }),
  delete: (id) => ({ method: 'DELETE', path: `/containers/${id}?force=1&v=1` }),
  remove: (id) => ({ method: 'DELETE', path: `/containers/${id}?force=1&v=1` }),
};

/** The pod of a manifest, as this recording's node reads it. */
function podOf(recording: Recording, manifest: unknown): Pod {
  return parseStaticPod(JSON.stringify(manifest), {
    path: `/etc/kubernetes/manifests/${recording.name}.json`,
    nodeName: nodeNameOf(recording),
    profile: 'v1.20',
  });
}

/** @throws UnknownActionError for what is not known here; EngineError when the engine refuses */
export async function perform(parts: ActionParts, action: RecordedAction): Promise<void> {
  const { recording, node } = parts;
  const [subject = '', ...words] = action.action.split(/[\s:]+/);
  const rest = words.join(' ');
  if (subject === 'manifest') {
    if (/^(removed|deleted)/.test(rest)) return node.setPods([]);
    const pod = podOf(recording, action.manifest ?? recording.manifest);
    parts.onPod(pod.metadata.uid);
    return node.setPods([pod]);
  }
  if (subject === 'engine') return engineAction(parts, action, words);
  if (subject === 'kubelet') {
    const verb = /^(start|restart|stop|kill)/.exec(rest)?.[1];
    if (verb === undefined) throw unknown(action);
    if (verb !== 'start') await node.stop();
    if (verb === 'start' || verb === 'restart') await node.start();
    return;
  }
  throw unknown(action);
}

const unknown = ({ action }: RecordedAction): UnknownActionError => new UnknownActionError(`the action ${goQuote(action)} is not known here`);

async function engineAction({ engine, trace }: ActionParts, action: RecordedAction, [verb = '', argument = '']: readonly string[]): Promise<void> {
  const call = engineCalls[verb];
  if (!call) throw unknown(action);
  const [, name = action.container ?? '', attempt] = /^<(.+)#(\d+)>$/.exec(action.id ?? '') ?? [];
  const matching = [...trace.ids].filter(([, identity]) => identity.container === name && (attempt === undefined || identity.attempt === Number(attempt)));
  const id = matching.at(-1)?.[0];
  if (id === undefined) throw new Error(`${action.action}: there is no container ${action.id ?? name} here`);
  const { method, path } = call(id, argument);
  await engine.call(method, path);
}
