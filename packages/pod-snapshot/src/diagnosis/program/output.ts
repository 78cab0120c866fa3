/**
 * Recognizes why a program ended from the last lines of its termination message or log. Knows the messages of common
 * runtimes (JVM, Node.js, Python, Go, shells), databases and servers.
 */
import { textOf } from '@podscope/trace/explain';
import type { ContainerCase, PodCase } from '../pod-case.ts';
import { connectionCauses } from './connections.ts';
import { credentialCauses } from './credentials.ts';
import { dataCauses } from './data.ts';
import { distinctFailures, generalFailures } from './failures.ts';
import { fileCauses } from './files.ts';
import { knownFailures } from './known-programs.ts';
import { plainLines, withoutDates } from './log-lines.ts';
import { meshCauses } from './mesh.ts';
import { platformCauses } from './platform.ts';
import { type ExitCase, logs, type Recognized, type Recognizer, rollBack } from './recognizer.ts';
import { schemaCauses } from './schema.ts';
import { serviceCauses } from './services.ts';
import { settingCauses } from './settings.ts';
import { startCauses } from './start.ts';
import { aboutSetting, unhandled } from './unknown-failures.ts';
import { versionCauses } from './versions.ts';

/** The groups of recognizers in the order in which they are tried. The first one that matches decides. */
const recognizers: readonly Recognizer[] = [
  ...meshCauses,
  ...schemaCauses,
  ...knownFailures,
  ...distinctFailures,
  ...startCauses,
  ...versionCauses,
  ...dataCauses,
  ...platformCauses,
  ...connectionCauses,
  ...credentialCauses,
  ...settingCauses,
  ...fileCauses,
  ...serviceCauses,
  ...generalFailures,
];

/** Matches lines that only report that something failed and don't name the failure. */
const empty =
  /did not exit normally|exiting \S+ due to|exited with|exit (?:status|code)|check the logs|failed to load command|triggerUncaughtException|node:internal|You must address|npm ERR!|Command failed|See ['"`]|process exited|Traceback|During handling/i;

/** Returns a score for how much a line reveals about the cause of a failure. */
function weightOf(line: string): number {
  let weight = 0;
  if (line.startsWith('Caused by:')) weight += 8;
  if (/^(?:panic|fatal error|FATAL|\*\*\*)/.test(line)) weight += 4;
  if (/\w(?:Exception|Error): \S|\((?:\w+Error|\w+Exception)\)$/.test(line)) weight += 4;
  if (/\b(?:FATAL|ERROR|CRITICAL|emerg|panic)\b/.test(line)) weight += 2;
  if (
    /\b(?:error|fatal|exception|fail(?:ed|ure)|cannot|can't|could not|denied|unable|invalid|missing|mismatch|refused|not (?:found|set|allowed|supported|permitted)|read-only|no space left|timed? ?out|unauthori[sz]ed|forbidden|exceeded|killed|reset by|required|unexpected|expected|requested)\b/i.test(
      line,
    )
  )
    weight += 2;
  // A class with its package names an exception, for example `psycopg2.errors.UndefinedColumn:`.
  if (/^\w+(?:\.\w+)+: \S/.test(line)) weight += 4;
  if (/\b(?:HTTP|status(?: code)?)[ :/=]*(?:[\d.]+ )?[45]\d\d\b|NXDOMAIN|unhealthy|not ready|waiting for/i.test(line))
    weight += 2;
  // A shell prints its commands with a plus sign.
  if (/^\++ /.test(line)) weight -= 6;
  if (/^LINE \d+:/.test(line)) weight -= 3;
  if (/["'`/\d]/.test(line)) weight += 1;
  if (empty.test(line)) weight -= 5;
  return weight;
}

/**
 * Returns the line that says most about a failure, cut to 300 characters. Of several lines with the same score, returns
 * the last one.
 */
export function tellingLine(text: string): string {
  const lines = plainLines(text)
    .split('\n')
    .map((line) => line.replace(/;? ?for more information,? see \S+/i, '').trim())
    .filter((line) => line !== '' && !/^(?:at |\.\.\. \d+|goroutine \d|\^|File "|Suppressed:)/.test(line));
  let best = lines.at(-1) ?? '';
  let most = 0;
  for (const line of lines) {
    const weight = weightOf(line);
    if (weight > 0 && weight >= most) [best, most] = [line, weight];
  }
  // A line that ends with a colon introduces its cause, which the next lines contain.
  if (best.endsWith(':')) {
    const after = lines
      .slice(lines.lastIndexOf(best) + 1)
      .map((line) => line.replace(/^[|*\s-]+/, '').trim())
      .filter((line) => line !== '' && !/^\w+=$/.test(line));
    best = [best, ...after.slice(0, 4)].join(' ');
  }
  return best.length > 300 ? `${best.slice(0, 299)}…` : best;
}

/** Returns the last lines of a log, which show the current state of a program. */
export const lastLines = (log: string): string => log.trimEnd().split('\n').slice(-15).join('\n');

/** Recognizes the report of a panic by Go, with the function in which it happened, or by Rust. */
function goPanic(exit: ExitCase, text: string): Recognized | undefined {
  const rust = /thread '[^']*' (?:\(\d+\) )?panicked at (?<file>[^\s:]+:\d+)[^\n]*\n?(?<what>[^\n]*)/.exec(
    text,
  )?.groups;
  const what = rust?.['what'] ?? /(?:^|\n)(?<what>panic: [^\n]+|fatal error: [^\n]+)/.exec(text)?.groups?.['what'];
  if (what === undefined) return undefined;
  const place =
    /\ngoroutine \d+ \[[^\n]*\n(?:(?:panic|runtime\.\w+|k8s\.io\/apimachinery\/pkg\/util\/runtime\.\w+)\([^\n]*\n[^\n]*\n)*(?<fn>[\w./*()-]+)\([^\n]*\n\s+(?<file>\S+:\d+)/.exec(
      text,
    )?.groups;
  const all = { ...exit.values, what, fn: place?.['fn'] ?? '', file: rust?.['file'] ?? place?.['file'] ?? '' };
  return {
    title: textOf('runPanicTitle', all),
    cause: [textOf(rust ? 'runPanicRust' : place ? 'runPanicAt' : 'runPanic', all)],
    next: [logs(exit), ...rollBack(exit), ...exit.it.change('runPanicFix', all)],
    origin: 'program',
  };
}

/** Returns the facts with which recognizers explain the end of a container. */
export const exitCaseOf = (it: PodCase, container: ContainerCase): ExitCase => ({
  it,
  container,
  values: { container: container.name, image: container.spec.image ?? '', node: it.node, namespace: it.namespace },
});

/** Returns the end of a text from its last fatal message on; empty without one. */
function fatalPart(text: string): string {
  const at = text.search(/^[^\n]*\[(?:emerg|alert|crit)\][^\n]*(?![\s\S]*\[(?:emerg|alert|crit)\])/m);
  return at < 0 ? '' : text.slice(at);
}

/** Returns the innermost cause of a stack trace, because the lines above it only repeat it; empty without one. */
const innermostCause = (text: string): string => {
  const at = text.lastIndexOf('Caused by:');
  return at < 0 ? '' : text.slice(at);
};

const notice =
  /^\W*(?:[\dTZ:.,+ -]{8,40}\W*)?(?:\S+: )?\W*(?:info|debug|notice|trace)\b|\blevel=(?:info|debug|trace)\b|^\S+: info:/i;

/** Returns the text without lines that only inform; empty if these are all lines. */
const withoutNotices = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !notice.test(line))
    .join('\n')
    .trim();

/** Returns the text without warnings; empty if no line remains that reports a failure. */
function withoutWarnings(text: string): string {
  const lines = text
    .split('\n')
    .filter((line) => !/^\W*(?:[\dTZ:.,+ -]{8,40}\W*)?WARN(?:ING)?\b|\blevel=warn(?:ing)?\b/i.test(line));
  return lines.some((line) => /error|fatal|exception|fail|panic/i.test(line)) ? lines.join('\n').trim() : '';
}

/** Returns the line of a match; of several lines, the one that says most. */
function matchedLine(text: string, { index, 0: match }: RegExpExecArray): string {
  const from = text.lastIndexOf('\n', index) + 1;
  const to = text.indexOf('\n', index + match.length);
  return tellingLine(text.slice(from, to < 0 ? undefined : to));
}

/** Returns the cause that the last lines of a program name; undefined if they name no known cause. */
export function recognize(it: PodCase, container: ContainerCase, said: string): Recognized | undefined {
  // Structured logs escape quotes with a backslash.
  const raw = withoutDates(said).replaceAll('\\"', '"');
  const text = withoutDates(plainLines(said)).replaceAll('\\"', '"');
  if (text.trim() === '') return undefined;
  const exit = exitCaseOf(it, container);
  const failures = withoutNotices(text);
  const all = failures === '' ? [text, raw] : [withoutWarnings(failures), failures, withoutNotices(raw)];
  for (const words of new Set([fatalPart(text), innermostCause(text), ...all])) {
    if (words === '') continue;
    for (const [pattern, explain] of recognizers) {
      const found = pattern.exec(words);
      const recognized = found && explain(exit, found.groups ?? {}, words);
      if (recognized) return { ...recognized, line: matchedLine(words, found) };
    }
  }
  return goPanic(exit, text) ?? aboutSetting(exit, tellingLine(text), text) ?? unhandled(exit, text);
}
