/** Image references as Docker reads them: what `busybox` stands for. */

/** A reference taken apart. */
export interface ImageReference {
  /** `docker.io`, `registry.k8s.io`, `localhost:5000`. */
  readonly host: string;
  /** `library/busybox`. */
  readonly path: string;
  /** As Docker shows it: `busybox`, `registry.k8s.io/pause`. */
  readonly familiarName: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

const component = String.raw`[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*`;
const referencePattern = new RegExp(
  String.raw`^(?:((?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::\d+)?)/)?(${component}(?:/${component})*)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$`,
);

/** Takes a reference apart; undefined when it is none. A missing tag stays missing. */
export function parseReference(text: string): ImageReference | undefined {
  const match = referencePattern.exec(text);
  if (!match?.[2] || /^[0-9a-f]{64}$/.test(text)) return undefined;
  const [, first, rest, tag, digest] = match;
  const isHost = first !== undefined && (first.includes('.') || first.includes(':') || first === 'localhost');
  const host = isHost ? (first === 'index.docker.io' ? 'docker.io' : first) : 'docker.io';
  const name = isHost || first === undefined ? rest : `${first}/${rest}`;
  // A first component with capitals can only be a host, and that one has neither dot nor port.
  if (name !== name.toLowerCase()) return undefined;
  const path = host === 'docker.io' && !name.includes('/') ? `library/${name}` : name;
  const familiarName = host === 'docker.io' ? path.replace(/^library\//, '') : `${host}/${path}`;
  return { host, path, familiarName, tag, digest };
}

/** The reference with its tag, `latest` when it has neither tag nor digest. */
export const tagged = (reference: ImageReference): string =>
  reference.digest && !reference.tag ? `${reference.familiarName}@${reference.digest}` : `${reference.familiarName}:${reference.tag ?? 'latest'}`;
