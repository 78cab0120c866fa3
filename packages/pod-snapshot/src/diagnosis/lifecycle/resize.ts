/**
 * Diagnoses an in-place resize that is infeasible, deferred, in progress or failed.
 */
import { type FieldFact, textOf } from '@podscope/trace/explain';
import { bytesOf, mebi, memorySetting, quantityText } from '../memory-limit.ts';
import { conditionOf, factsOf, type Matcher, pathOfCondition } from '../pod-case.ts';
import { amountText, fitting, nodeResources, unitsOf } from './node-resources.ts';

/** Diagnoses an in-place resize that hasn't been completed. */
export const resizeFindings: Matcher = (it) => {
  const pending = conditionOf(it, 'PodResizePending');
  const progress = conditionOf(it, 'PodResizeInProgress');
  const old = it.pod.status?.resize ?? '';
  const reason =
    pending?.status === 'True' ? (pending.reason ?? '') : old === 'Infeasible' || old === 'Deferred' ? old : '';
  const facts: FieldFact[] = [];
  const changes = it.containers.flatMap(({ name, spec, status, specPath, statusPath }) =>
    (['cpu', 'memory'] as const).flatMap((resource) => {
      const limits = [spec.resources?.limits?.[resource], status?.resources?.limits?.[resource]] as const;
      // If only the limit is resized, the desired and the current request are equal.
      const isLimit = limits[0] !== undefined && limits[1] !== undefined && String(limits[0]) !== String(limits[1]);
      const asked = spec.resources?.requests?.[resource] ?? limits[0];
      const given = status?.allocatedResources?.[resource] ?? status?.resources?.requests?.[resource];
      const isRequest = asked !== undefined && given !== undefined && String(asked) !== String(given);
      const isOfLimit = isLimit && !isRequest;
      const [wanted, has] = isOfLimit ? limits : [asked, given];
      if (wanted === undefined || has === undefined || String(wanted) === String(has)) return [];
      const reported =
        status?.allocatedResources?.[resource] === undefined ? 'resources.requests' : 'allocatedResources';
      facts.push(
        { path: `${specPath}.resources.${isOfLimit ? 'limits' : 'requests'}.${resource}`, value: String(wanted) },
        { path: `${statusPath}.${isOfLimit ? 'resources.limits' : reported}.${resource}`, value: String(has) },
      );
      return [{ name, resource, wanted: String(wanted), has: String(has) }];
    }),
  );
  const message = pending?.message ?? progress?.message ?? '';
  const found = nodeResources.exec(message)?.groups;
  const resource = found?.['resource'] ?? changes[0]?.resource ?? '';
  const amount = (name: string): string =>
    found?.[name] === undefined ? '' : amountText(resource, Number(found[name]));
  const change = changes.find((each) => each.resource === resource) ?? changes[0];
  // The amount in use doesn't include the pod itself. Upstream: allocation manager canAdmitPod (v1.33).
  const room = found?.['used'] === undefined ? 0 : Math.max(0, Number(found['capacity']) - Number(found['used']));
  const free = found?.['used'] === undefined ? '' : amountText(resource, room);
  const values = {
    node: it.node,
    resource,
    container: change?.name ?? (it.containers.length === 1 ? it.containers[0]?.name : undefined) ?? it.name,
    wanted: change?.wanted ?? amount('requested'),
    has: change?.has ?? '',
    capacity: amount('capacity'),
    used: amount('used'),
    requested: amount('requested'),
    free,
    message,
    owner: it.owner.label,
  };
  const base = {
    facts: [
      ...factsOf([
        pathOfCondition(pending?.status === 'True' ? 'PodResizePending' : 'PodResizeInProgress'),
        `${reason || (progress?.reason ?? '')}: ${message}`,
      ]),
      ...facts,
    ],
    said: message || undefined,
  } as const;
  const target = it.containers.find(({ name }) => name === values.container);
  const resized = target?.spec.resources;
  // A limit that equals the request stays equal, because a resize may not change the QoS class.
  const isEqual =
    resized?.limits?.[resource] !== undefined &&
    String(resized.limits[resource]) === String(resized.requests?.[resource] ?? resized.limits[resource]);
  const patch = (to: string): string => {
    const amount = `{"${resource}":"${to}"}`;
    return it.kubectl(
      `patch pod ${it.name} --subresource=resize -p ` +
        `'{"spec":{"containers":[{"name":"${values.container}","resources":{"requests":${amount}` +
        `${isEqual ? `,"limits":${amount}` : ''}}}]}}'`,
    );
  };
  // Upstream only defers a request above the node's capacity (v1.36); it can't fit, whichever pods leave.
  const isTooLarge = Number(found?.['requested'] ?? 0) > Number(found?.['capacity'] ?? Number.POSITIVE_INFINITY);
  const isBelow = /memory limit|below|usage/i.test(message);
  const below = /limit \((?<limit>\d+)\) below current usage \((?<usage>\d+)\)/.exec(message)?.groups;
  const applied = target?.status?.resources?.limits?.['memory'];
  // The limit that still applies is known to suffice. Otherwise a tenth more than the program uses now, in whole MiB.
  const isBack = below !== undefined && (bytesOf(applied) ?? 0n) > BigInt(below['usage'] ?? 0);
  const size = isBack
    ? String(applied)
    : below
      ? quantityText(((BigInt(below['usage'] ?? 0) * 11n) / 10n / mebi + 1n) * mebi)
      : 'SIZE';
  const setting = target && memorySetting(target);
  // A resize may not change the QoS class, and Guaranteed needs equal requests and limits.
  const isGuaranteed = it.pod.status?.qosClass === 'Guaranteed';
  const usage = below ? amountText('memory', Number(below['usage'])) : '';
  if (reason === 'Infeasible' || (reason === 'Deferred' && isTooLarge))
    return [
      {
        ...base,
        reason: 'PodResizePending',
        severity: 'error',
        origin: 'kubelet',
        title: textOf('resizeNoTitle', values),
        cause: [textOf(found ? 'resizeNo' : 'resizeNoWhy', values), textOf('resizeKeeps', values)],
        outlook: [textOf(reason === 'Deferred' ? 'resizeNeverOutlook' : 'resizeNoOutlook', values)],
        next: [
          ...(found
            ? [{ why: textOf('resizeFit', values), command: patch(fitting(resource, Number(found['capacity']))) }]
            : []),
          ...it.change(found ? 'resizeMove' : 'resizeNewPod', values),
        ],
      },
    ];
  if (reason === 'Deferred')
    return [
      {
        ...base,
        reason: 'PodResizePending',
        severity: 'waiting',
        origin: 'kubelet',
        title: textOf('resizeLaterTitle', values),
        cause: [textOf(found ? 'resizeLater' : 'resizeLaterWhy', values), textOf('resizeKeeps', values)],
        outlook: [textOf('resizeLaterOutlook', values)],
        next: [
          { why: textOf('resizeRoom', values), command: `kubectl describe node ${it.node}` },
          ...(room > unitsOf(resource, values.has)
            ? [{ why: textOf('resizeSmaller', values), command: patch(fitting(resource, room)) }]
            : []),
          ...it.change('resizeMove', values),
        ],
      },
    ];
  if (progress?.status === 'True' && progress.reason === 'Error')
    return [
      {
        ...base,
        reason: 'PodResizeInProgress',
        severity: 'error',
        origin: 'kubelet',
        title: textOf('resizeErrorTitle', values),
        cause: [textOf(isBelow ? 'resizeMemory' : 'resizeError', values)],
        outlook: [textOf(isBelow ? 'resizeMemoryOutlook' : 'resizeErrorOutlook', values)],
        next: [
          { why: textOf('oomTop', values), command: it.kubectl(`top pod ${it.name} --containers`) },
          ...(isBelow
            ? [
                {
                  why: textOf(isBack ? 'resizeBack' : below ? 'resizeAboveSize' : 'resizeAbove', {
                    ...values,
                    size,
                    usage,
                  }),
                  command: it.kubectl(
                    `patch pod ${it.name} --subresource=resize -p ` +
                      `'{"spec":{"containers":[{"name":"${values.container}",` +
                      `"resources":{${isGuaranteed ? `"requests":{"memory":"${size}"},` : ''}` +
                      `"limits":{"memory":"${size}"}}}]}}'`,
                  ),
                },
                ...it.change(setting === undefined ? 'resizeUseLess' : 'resizeUseLessThan', {
                  ...values,
                  setting: setting ?? '',
                }),
              ]
            : it.change('resizeMove', values)),
        ],
      },
    ];
  if (progress?.status === 'True' || old === 'InProgress' || old === 'Proposed')
    return [
      {
        ...base,
        reason: 'PodResizeInProgress',
        severity: 'waiting',
        origin: 'kubelet',
        title: textOf('resizeNowTitle', values),
        cause: [textOf('resizeNow', values)],
        outlook: [textOf('resizeNowOutlook', values)],
        next: [{ why: textOf('deletingWait'), command: it.kubectl(`get pod ${it.name} -w`) }],
      },
    ];
  return [];
};
