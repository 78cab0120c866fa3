import { describe, expect, it } from 'vitest';
import { podData, soundPod } from '../testing/pods.ts';
import { parseFieldSelector } from './field-selector.ts';
import { labelSelectorOf, parseLabelSelector, SelectorError } from './label-selector.ts';

describe('label selectors', () => {
  const labels = { app: 'web', tier: 'front', size: '5', empty: '' };

  it.each([
    ['', true],
    ['app', true],
    ['!app', false],
    ['!other', true],
    ['app=web', true],
    ['app==web', true],
    ['app = web , tier = front', true],
    ['app=web,tier=back', false],
    ['app!=web', false],
    ['other!=x', true],
    ['tier in (front, back)', true],
    ['tier notin (front,back)', false],
    ['other notin (a)', true],
    ['other in (a)', false],
    ['size>4', true],
    ['size<4', false],
    ['empty=', true],
    ['empty in ()', true],
    ['toString', false],
  ])('evaluates %j to %s', (text, matches) => {
    expect(parseLabelSelector(text).matches(labels)).toBe(matches);
  });

  it.each([
    ['app in front', "unable to parse requirement: found 'front' expected: '('"],
    ['app in (front', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['=web', "unable to parse requirement: found '=', expected: !, identifier, or end of string"],
    ['app=web,', "unable to parse requirement: found '', expected: identifier after ','"],
    ['app web', "unable to parse requirement: found 'web', expected: in, notin, =, ==, !=, gt, lt"],
    ['app=a b', "unable to parse requirement: found 'b', expected: ',' or 'end of string'"],
    ['size>x', "unable to parse requirement: for 'Gt', 'Lt' operators, the value must be an integer"],
  ])('throws for %j', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(new SelectorError(message));
  });

  it('rejects invalid label names', () => {
    expect(() => parseLabelSelector('-a=b')).toThrow(/name part must consist of/);
    expect(() => parseLabelSelector('a=-b')).toThrow(/a valid label must be/);
  });

  it('accepts the object form', () => {
    const selector = labelSelectorOf({
      matchLabels: { app: 'web' },
      matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }],
    });
    expect(selector.matches(labels)).toBe(true);
    expect(selector.matches({ app: 'web' })).toBe(false);
    expect(() => labelSelectorOf({ matchExpressions: [{ key: 'a', operator: 'Is' }] })).toThrow(
      '"Is" is not a valid label selector operator',
    );
  });
});

describe('field selectors', () => {
  const pod = {
    ...soundPod(podData({ nodeName: 'node-1' })),
    status: { phase: 'Running' as const, podIP: '10.0.0.1' },
  };

  it.each([
    ['', true],
    ['metadata.name=web', true],
    ['metadata.name==web,spec.nodeName=node-1', true],
    ['status.phase!=Running', false],
    ['status.phase=Running,status.podIP=10.0.0.1', true],
    ['metadata.namespace!=kube-system', true],
    ['status.nominatedNodeName=', true],
  ])('evaluates %j to %s', (text, matches) => {
    expect(parseFieldSelector(text, 'Pod').matches(pod)).toBe(matches);
  });

  it('selects events by their involved object', () => {
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'web.1', namespace: 'default', uid: 'e' },
      involvedObject: { kind: 'Pod', name: 'web', uid: 'u' },
      reason: 'Pulled',
      type: 'Normal',
    };
    expect(
      parseFieldSelector('involvedObject.name=web,involvedObject.uid=u,type!=Warning', 'Event').matches(event),
    ).toBe(true);
    expect(parseFieldSelector('involvedObject.kind=Node', 'Event').matches(event)).toBe(false);
  });

  it.each([
    ['spec.image=x', 'Pod', /^field label not supported: spec\.image; a Pod can be selected by metadata\.name/],
    ['status.phase=x', 'ConfigMap', /^field label not supported: status\.phase/],
    ['metadata.name', 'Pod', /^invalid selector: 'metadata\.name'; can't understand 'metadata\.name'$/],
  ])('throws for %j of a %s', (text, kind, message) => {
    expect(() => parseFieldSelector(text, kind)).toThrow(message);
  });
});
