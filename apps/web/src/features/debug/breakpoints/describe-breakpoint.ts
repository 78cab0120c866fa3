/** Describes breakpoints as text. */
import type { BreakpointSpec, PointInfo } from '@podscope/protocol';
import { translate } from '../../../base/i18n/i18n.ts';
import { pointTitle } from '../../../node/points/step-text.ts';
import { describeMessages as texts } from './messages.en.ts';

/** Returns the name of a breakpoint's place: the title of a point, a pattern or a source line. */
function nameOf({ point, kind, decision, source }: BreakpointSpec, points: readonly PointInfo[]): string {
  if (point !== undefined) return pointTitle(translate, point, points.find(({ id }) => id === point)?.title ?? point);
  if (kind !== undefined) return translate(texts.every, { kind });
  if (decision !== undefined) return translate(texts.decision, { rule: decision });
  return source ? `${source.path.split('/').at(-1)}:${source.line}` : '';
}

/** Describes the pods and containers of a breakpoint or fault. */
export function describeTarget({
  namespace,
  pod,
  container,
  containerType,
}: Pick<BreakpointSpec, 'namespace' | 'pod' | 'container' | 'containerType'>): string[] {
  return [
    namespace === undefined ? '' : translate(texts.namespace, { name: namespace }),
    pod === undefined ? '' : translate(texts.pod, { name: pod }),
    container === undefined ? '' : translate(texts.container, { name: container }),
    containerType === undefined ? '' : translate(texts.containers, { type: containerType }),
  ].filter((part) => part !== '');
}

/** Describes the place and the conditions of a breakpoint. */
export function describeBreakpoint(
  spec: BreakpointSpec,
  points: readonly PointInfo[],
): { readonly place: string; readonly details: string } {
  const { when = 'before', condition, hitCondition, logMessage, oneShot } = spec;
  const details = [
    ...describeTarget(spec),
    condition === undefined ? '' : translate(texts.if, { condition }),
    hitCondition === undefined ? '' : translate(texts.hits, { condition: hitCondition }),
    logMessage === undefined ? '' : translate(texts.logs, { text: logMessage }),
    oneShot ? translate(texts.once) : '',
  ].filter((part) => part !== '');
  return { place: translate(texts.place, { when, name: nameOf(spec, points) }), details: details.join(' · ') };
}
