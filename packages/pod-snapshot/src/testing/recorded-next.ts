/**
 * Reads the events that followed on Docker after kubectl printed a pod. `pnpm record-pods` recorded them together with
 * the output.
 */
import type { Fact, Facts } from './judge.ts';

export interface RecordedNext extends Facts {
  /** When kubectl printed the pod. */
  readonly taken: Date;
}

const engineKinds: Readonly<Record<string, Fact['kind'] | undefined>> = { create: 'attempt', kill: 'kill', die: 'end' };
const eventKinds: Readonly<Record<string, Fact['kind'] | undefined>> = { Killing: 'kill', Failed: 'failure' };

/** Parses a line like `+5.2 create app/2`, `+7.4 die app/2 1` or `+5.2 event Killing app`. */
function readLine(line: string): Fact | undefined {
  const [time = '', what = '', subject = '', detail = ''] = line.split(' ');
  const after = Number(time);
  if (what === 'gone') return { after, kind: 'gone', container: '' };
  // The forecast doesn't name the container whose image is pulled.
  if (what === 'event' && subject === 'Pulling') return { after, kind: 'pull', container: '' };
  if (what === 'event') {
    const kind = eventKinds[subject];
    return kind && { after, kind, container: detail };
  }
  const kind = engineKinds[what];
  const [container = '', attempt] = subject.split('/');
  // A container that is killed at the end of its grace period has already received the stop signal.
  if (!kind || container === 'POD' || (what === 'kill' && detail !== '15')) return undefined;
  return { after, kind, container, attempt: Number(attempt) };
}

/** Parses the text of a recording of the events that followed. */
export function readNext(text: string): RecordedNext {
  const [taken = '', until = '', ...lines] = text.trim().split('\n');
  return {
    taken: new Date(taken.replace('taken ', '')),
    until: Number(until.replace('until ', '')),
    facts: lines.flatMap((line) => readLine(line) ?? []),
  };
}
