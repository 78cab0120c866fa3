/** Names the kinds and outcomes of spans. */
import type { SpanRecord } from '@podscope/trace';
import type { translate } from '../../../base/i18n/i18n.ts';
import type { Tone } from '../../../base/ui/marks/StateMark.tsx';
import { kindMessages, outcomeMessages } from '../messages.en.ts';

type Translate = typeof translate;

const isKind = (kind: string): kind is keyof typeof kindMessages => Object.hasOwn(kindMessages, kind);

export const kindName = (t: Translate, kind: string): string => (isKind(kind) ? t(kindMessages[kind]) : kind);

export const spanTone = ({ end, outcome }: SpanRecord): Tone =>
  end === undefined ? 'progressing' : outcome === 'error' ? 'error' : outcome === 'canceled' ? 'terminating' : 'done';

export const outcomeName = (t: Translate, { end, outcome }: SpanRecord): string =>
  t(outcomeMessages[end === undefined ? 'running' : (outcome ?? 'ended')]);
