/**
 * Builds observed runs for tests of the comparison. Each run equals a recording, but has UIDs, ids, paths and addresses
 * of its own.
 */
import { mapTexts } from '../compare/normalize.ts';
import type { ReferenceContainer } from '../compare/reference.ts';
import type { Recording } from '../recording.ts';
import type { ReplayObservations } from '../run/replay-observations.ts';

const rootDir = '/tmp/podscope-twin-test/kubelet';
const podIP = '172.17.0.9';

/** Returns 64 hex digits for a token such as `<app#1>`. */
const idOf = (token: string): string =>
  Buffer.from(token.replaceAll(/\W/g, '')).toString('hex').padEnd(64, '0').slice(0, 64);

/** Returns a function that replaces the recording's UIDs, ids, paths and addresses with those of the run. */
function ownWords(recording: Recording): (text: string) => string {
  const uids = recording.pod.uids.map((uid, index): readonly [string, string] => [uid, `here-${index}`]);
  return (text) => {
    let result = text;
    for (const [from, to] of uids) result = result.replaceAll(from, to);
    return result
      .replaceAll('/var/lib/kubelet', rootDir)
      .replaceAll('/var/log/pods', '/tmp/podscope-twin-test/pods')
      .replaceAll('<podIP>', podIP)
      .replaceAll('<rand>', '1a2b3c4d')
      .replaceAll('<time>', '2026-01-02T03:04:05.678901Z')
      .replace(/<[\w-]+#\d+>/g, idOf);
  };
}

/** An engine without defaults except `Runtime`. */
export const bareEngine: ReferenceContainer = {
  Config: {},
  HostConfig: { Runtime: 'runc' },
  imageEnv: () => Promise.resolve(['PATH=/bin']),
};

/** Returns the observations of a run that equals the recording. */
export function seenAsRecorded(recording: Recording): ReplayObservations {
  const own = ownWords(recording);
  const identities = Object.keys(recording.creates).map((name) => {
    const at = name.lastIndexOf('/');
    return {
      name,
      container: name.slice(0, at),
      attempt: Number(name.slice(at + 1)),
      uid: own(recording.pod.uids[0] ?? ''),
    };
  });
  const inspection = (name: string): Readonly<Record<string, unknown>> => {
    const body = mapTexts(recording.creates[name], own) as { readonly Config?: object; readonly HostConfig?: object };
    const config = {
      ...body.Config,
      Labels: { ...(body.Config as { readonly Labels?: object }).Labels, 'io.podscope.instance': 'twin-test' },
    };
    return { Image: 'sha256:0', Config: config, HostConfig: { ...body.HostConfig, Runtime: 'runc' } };
  };
  const trace: ReplayObservations['trace'] = {
    events: recording.engineEvents.map((event) => ({
      ...event,
      uid: own(recording.pod.uids[0] ?? ''),
      id: idOf(`${event.container}#${event.attempt}`),
    })),
    creates: new Map(
      identities.map(({ name, ...identity }) => [name, [{ identity, inspection: Promise.resolve(inspection(name)) }]]),
    ),
    ids: new Map(
      identities.map(({ container, attempt, uid }) => [idOf(`<${container}#${attempt}>`), { container, attempt, uid }]),
    ),
  };
  return {
    uids: recording.pod.uids.map(own),
    statuses: recording.statuses.map((status) => ({
      t: status.t,
      uid: own(status.uid ?? recording.pod.uids[0] ?? ''),
      status: status.gone ? undefined : status,
    })),
    events: recording.events.map((event) => ({ ...event, message: own(event.message) })),
    operations: recording.syncLoop.map(({ op }) => op).filter((op) => ['ADD', 'UPDATE', 'REMOVE'].includes(op)),
    trace,
    rootDir,
    keepsCgroups: true,
    podDir: (recording.layout?.podDir ?? []).map(({ path, type, mode = '' }) => ({ path: own(path), type, mode })),
    podIPs: [podIP],
    trouble: [],
  };
}
