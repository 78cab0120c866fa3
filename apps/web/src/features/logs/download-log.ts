/** Reads whole logs from the node and saves them as a file. */
import type { Connection } from '../../node/connection/connection.ts';
import type { LogRequest } from './log-feed.ts';

/** Number of lines per request. */
const pageLines = 10_000;

/** Returns the whole logs, merged by time. Lines of several containers begin with the container's name. */
export async function wholeLog(
  connection: Pick<Connection, 'command'>,
  requests: readonly LogRequest[],
  timestamps: boolean,
): Promise<string> {
  const lines: { readonly time: number; readonly text: string }[] = [];
  for (const request of requests) {
    for (let from = 0, total = 1; from < total; ) {
      const page = await connection.command<'logPage'>({ command: 'logPage', ...request, from, limit: pageLines });
      for (const { time, text } of page.lines) {
        const name = requests.length > 1 ? `[${request.container}] ` : '';
        const stamp = timestamps ? `${new Date(time).toISOString()} ` : '';
        lines.push({ time, text: `${stamp}${name}${text.replace(/\n$/, '')}\n` });
      }
      // The node may return fewer lines than requested, because it limits the size of a page.
      from = (page.lines.at(-1)?.number ?? page.total) + 1;
      total = page.total;
    }
  }
  const ordered = requests.length > 1 ? lines.toSorted((a, b) => a.time - b.time) : lines;
  return ordered.map(({ text }) => text).join('');
}
