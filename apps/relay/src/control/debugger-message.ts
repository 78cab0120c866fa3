/** Validates the messages of a debugger. It uses no schema library, because the relay has no dependencies. */
import type { Answer, DebuggerMessage, RelayFault } from '@podscope/relay-protocol/wire';

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('expected an object');
  return Object.fromEntries(Object.entries(value));
}

function numberOf(value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== 'number' || !(value >= least && value <= most)) throw new Error('expected a number');
  return value;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('expected a string');
  return value;
}

function textsOf(value: unknown): string[] {
  if (!Array.isArray(value)) throw new Error('expected a list');
  return value.map(textOf);
}

function faultOf(value: unknown): RelayFault {
  const fields = fieldsOf(value);
  switch (fields['kind']) {
    case 'error':
    case 'errorAfter':
      return { kind: fields['kind'], code: numberOf(fields['code'], 1, 16), message: textOf(fields['message']) };
    case 'delay':
      return { kind: 'delay', ms: numberOf(fields['ms'], 0) };
    case 'hang':
      return { kind: 'hang' };
    case 'cut':
      return { kind: 'cut', afterMessages: numberOf(fields['afterMessages'], 0) };
  }
  throw new Error('unknown fault');
}

function answerOf(value: unknown): Answer {
  const fields = fieldsOf(value);
  if (fields['kind'] === 'go' || fields['kind'] === 'hold') return { kind: fields['kind'] };
  if (fields['kind'] === 'fault') return { kind: 'fault', fault: faultOf(fields['fault']) };
  throw new Error('unknown answer');
}

/**
 * Returns the message.
 * @throws Error if it isn't one of {@link DebuggerMessage}
 */
export function parseDebuggerMessage(value: unknown): DebuggerMessage {
  const fields = fieldsOf(value);
  const call = (): number => numberOf(fields['call'], 1);
  switch (fields['type']) {
    case 'hello':
      return {
        type: 'hello',
        protocol: numberOf(fields['protocol'], 1),
        version: textOf(fields['version']),
        role: fields['role'] === 'reader' ? 'reader' : 'debugger',
        repeats: fields['repeats'] === true,
      };
    case 'ask':
      return { type: 'ask', methods: textsOf(fields['methods']), after: textsOf(fields['after']) };
    case 'answer':
      return { type: 'answer', call: call(), answer: answerOf(fields['answer']) };
    case 'release': {
      const answer = answerOf(fields['answer']);
      if (answer.kind === 'hold') throw new Error('a release cannot hold');
      return { type: 'release', call: call(), answer };
    }
  }
  throw new Error('unknown message');
}
