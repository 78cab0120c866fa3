/** Records the engine's decisions as text while it decides: the rules, their facts, and the decisive rule. */
import { type EventSink, formatTime, instant, type UnstampedEvent } from '@podscope/trace';
import { formatValue } from '../kinds/case-text.ts';
import { questionOf } from './rules.ts';

type Decision = Extract<UnstampedEvent, { readonly type: 'decision' }>;

/** Kinds of spans that the report lists when they start. */
const reportedKinds: ReadonlySet<string> = new Set(['syncStep', 'criStep', 'cri', 'docker', 'hook']);

/** Returns the identifying attributes of a call, or an empty text. */
const aboutOf = (attributes: Readonly<Record<string, unknown>>): string => {
  const { request, container, name, attempt, image } = attributes as Record<string, unknown>;
  const parts = Object.entries({ container, name, image, attempt }).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key} ${formatValue(value)}`],
  );
  const id =
    typeof request === 'object' && request !== null
      ? Object.entries(request).find(([key]) => key.endsWith('Id'))?.[1]
      : undefined;
  return [...parts, ...(id === undefined ? [] : [formatValue(id)])].join(', ');
};

/** Numbers above this value are times in milliseconds since the Unix epoch. */
const aTime = 1e12;

/** Formats the facts of a decision without the container, which precedes them in the line. */
function factsLine({ facts }: Decision): string {
  const { container: _container, ...rest } = facts;
  return formatValue(
    Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [
        key,
        typeof value === 'number' && value > aTime ? formatTime(instant(value)) : value,
      ]),
    ),
  );
}

const outcomeOf = ({ outcome }: Decision): string => formatValue(outcome);

export class DecisionReport implements EventSink {
  readonly #lines: string[] = [];
  #decided: string[] = [];
  readonly #spans = new Map<number, string>();
  #part: string | undefined;

  /** Starts a part of the case. */
  begin(title: string): void {
    this.#endPart();
    this.#part = title;
    this.#lines.push('', `── ${title}`);
  }

  append(event: UnstampedEvent): void {
    switch (event.type) {
      case 'decision':
        this.#decision(event);
        break;
      case 'spanStarted':
        if (!reportedKinds.has(event.kind)) break;
        this.#spans.set(event.span, event.title);
        this.#lines.push(
          '  ' +
            (event.kind === 'syncStep' ? '▸ step: ' : '    ▹ ') +
            [event.title, aboutOf(event.attributes)].filter(Boolean).join(' '),
        );
        break;
      case 'spanEnded':
        if (event.error && this.#spans.has(event.span))
          this.#lines.push(`      ✗ ${this.#spans.get(event.span)}: ${event.error.message || event.error.reason}`);
        break;
      case 'syncResult':
        if (event.error !== undefined)
          this.#lines.push(
            `      ✗ ${event.action} ${event.target}: ${event.error}${event.message ? `: ${event.message}` : ''}`,
          );
        break;
      case 'output':
        this.#lines.push(`      ${event.message}`);
        break;
      default:
    }
  }

  #decision(event: Decision): void {
    const { container } = event.facts;
    const who = typeof container === 'string' ? `${container}: ` : '';
    this.#lines.push(
      `  ${event.decisive ? '→' : '·'} ${who}${questionOf(event.rule)}  ${outcomeOf(event)}`,
      `      ${event.rule}: ${factsLine(event)}`,
    );
    if (event.decisive) this.#decided.push(`${who}${outcomeOf(event)}  [${event.rule}]`);
  }

  #endPart(): void {
    if (this.#part !== undefined && this.#decided.length > 0)
      this.#lines.push('  so', ...this.#decided.map((line) => `    ${line}`));
    if (this.#part !== undefined) this.#decided = [];
  }

  /** Ends the report and returns its lines. */
  finish(): { readonly evaluated: readonly string[]; readonly decided: readonly string[] } {
    this.#endPart();
    return { evaluated: this.#lines, decided: this.#decided };
  }
}
