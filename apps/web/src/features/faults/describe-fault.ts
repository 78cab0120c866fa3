/** Describes faults as text: effect, place and target. */
import type { FaultSpec } from '@podscope/protocol';
import { translate } from '../../base/i18n/i18n.ts';
import { describeTarget } from '../debug/index.ts';
import { faultMessages as texts } from './messages.en.ts';

function failureText(failure: NonNullable<FaultSpec['fail']>): string {
  const kind =
    'grpc' in failure
      ? failure.grpc
      : 'docker' in failure
        ? `Docker ${failure.docker}`
        : 'cni' in failure
          ? `CNI ${failure.cni}`
          : failure.reason;
  return `${kind}: ${failure.message}`;
}

const duration = (value: string | number): string => (typeof value === 'number' ? `${value}ms` : value);

export function describeFault(spec: FaultSpec): { readonly what: string; readonly details: string } {
  const { at, when, delay, set, fail, answer, hang, cut, drop, duplicate, skipWait } = spec;
  const { condition, skip, times, probability, seed = 0, expires } = spec;
  const actions = [
    delay === undefined ? '' : translate(texts.delays, { time: duration(delay) }),
    set === undefined ? '' : translate(texts.sets, { names: Object.keys(set).join(', ') }),
    fail === undefined ? '' : translate(texts.fails, { failure: failureText(fail) }),
    answer === undefined ? '' : translate(texts.returnsResult, { result: answer.result }),
    hang ? translate(texts.hangs) : '',
    cut === undefined ? '' : translate(texts.cuts, { count: cut }),
    drop ? translate(texts.drops) : '',
    duplicate === undefined ? '' : translate(texts.duplicates, { count: duplicate }),
    skipWait ? translate(texts.skipsWait) : '',
  ];
  const details = [
    when === 'after' ? translate(texts.afterwards) : '',
    ...describeTarget(spec),
    condition === undefined ? '' : translate(texts.if, { condition }),
    skip === undefined ? '' : translate(texts.skips, { count: skip }),
    times === undefined ? '' : translate(texts.times, { count: times }),
    probability === undefined ? '' : translate(texts.share, { percent: Math.round(probability * 100), seed }),
    expires === undefined ? '' : translate(texts.expires, { time: duration(expires) }),
  ];
  const given = (parts: readonly string[]): string[] => parts.filter((part) => part !== '');
  return { what: `${at}: ${given(actions).join(', ')}`, details: given(details).join(' · ') };
}
