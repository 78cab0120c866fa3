/** Reads from the log of a program on which addresses and ports it listens. */

/** An address on which a program reports that it listens. */
export interface Listening {
  readonly port: number;
  /** Whether only processes of the same pod can connect to it. */
  readonly isLocal: boolean;
  readonly line: string;
}

const verb =
  /\b(?:listen(?:s|ing)?|serving|started|running|bound|bind(?:ing)?|ready|available|accepting|server|exposed)\b/i;
const failed = /\b(?:fail(?:ed|ure)?|error|cannot|can't|refused|unable|connect(?:ed|ing)? to|upstream|in use)\b/i;
const address =
  /(?:(?<host>\[?::1?\]?|\d{1,3}(?:\.\d{1,3}){3}|localhost|\*)[:.]|(?<![\w.:])(?:port(?:\(s\))?|PORT)[:= ]+\(?|[\s"'=(]:)(?<port>\d{2,5})(?![\d.:])/g;

/** Returns the addresses on which a log reports that the program listens; of equal ones, the last. */
export function listeningIn(log: string): readonly Listening[] {
  const found = new Map<string, Listening>();
  for (const line of log.split('\n')) {
    if (!verb.test(line) || failed.test(line)) continue;
    for (const { groups } of line.replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*/g, '').matchAll(address)) {
      const port = Number(groups?.['port']);
      const host = groups?.['host'] ?? '';
      const isLocal = /^(?:127\.|localhost|\[?::1\]?$)/.test(host);
      if (port >= 20 && port <= 65_535) found.set(`${port} ${isLocal}`, { port, isLocal, line: line.trim() });
    }
  }
  return [...found.values()];
}
