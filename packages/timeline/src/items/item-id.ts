/** Formats and parses the ids of items and markers, which selections, the inspector and links use. */

/** The record that an id refers to. Other ids of the timeline (phases, layers) have no record. */
export type ItemReference =
  | { readonly kind: 'span'; readonly span: number }
  /** A container or sandbox instance: while it runs, after its exit, or the marker of its exit. */
  | { readonly kind: 'attempt' | 'exited' | 'exit'; readonly attempt: string }
  | {
      readonly kind: 'backoff';
      readonly uid: string;
      readonly container: string;
      readonly of: string;
      /** Start of the back-off, in milliseconds since the Unix epoch. */
      readonly since: number;
    }
  | { readonly kind: 'wait'; readonly uid: string; readonly container: string; readonly start: number }
  /** A Kubernetes event or a stop of the debugger, by the sequence number of its log event. */
  | { readonly kind: 'event' | 'stop' | 'stopped'; readonly seq: number };

/** Returns the id of a record. Names of pods and containers contain no colon, so the id can be parsed again. */
export function itemId(reference: ItemReference): string {
  switch (reference.kind) {
    case 'span':
      return `span:${reference.span}`;
    case 'attempt':
    case 'exited':
    case 'exit':
      return `${reference.kind}:${reference.attempt}`;
    case 'backoff':
      return `backoff:${reference.uid}:${reference.container}:${reference.of}:${reference.since}`;
    case 'wait':
      return `wait:${reference.uid}:${reference.container}:${reference.start}`;
    case 'event':
    case 'stop':
    case 'stopped':
      return `${reference.kind}:${reference.seq}`;
  }
}

/** Returns what an id refers to, or undefined for an id without a record and for any other text. */
export function parseItemId(id: string): ItemReference | undefined {
  const at = id.indexOf(':');
  const kind = id.slice(0, at);
  const rest = id.slice(at + 1);
  const [uid = '', container = '', third = '', fourth = ''] = rest.split(':');
  switch (kind) {
    case 'span':
      return { kind, span: Number(rest) };
    case 'attempt':
    case 'exited':
    case 'exit':
      return { kind, attempt: rest };
    case 'backoff':
      return fourth === '' ? undefined : { kind, uid, container, of: third, since: Number(fourth) };
    case 'wait':
      return third === '' ? undefined : { kind, uid, container, start: Number(third) };
    case 'event':
    case 'stop':
    case 'stopped':
      return { kind, seq: Number(rest) };
    default:
      return undefined;
  }
}
