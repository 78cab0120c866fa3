/** Explains probes that a program refuses because of their Host header, which is the IP address of the pod. */
import { textOf } from '@podscope/trace/explain';
import { lineOf } from '../program/recognizer.ts';
import { type Explained, type Failing, fieldOf } from './probe-case.ts';

/** Matches what web frameworks log about a host that they don't serve. */
const refused =
  /Invalid HTTP_HOST header|DisallowedHost|ALLOWED_HOSTS|Blocked hosts?:|Invalid [Hh]ost(?:name)?(?: header)?\b|Untrusted [Hh]ost|Host ["'\w.:-]+ (?:is )?not (?:allowed|trusted|permitted)|trusted[_ ]domain|HostFiltering|host not allowed/i;

/** Matches names of variables with the hosts that a program serves. */
const named =
  /ALLOWED_?HOSTS?|TRUSTED_?(?:HOSTS?|DOMAINS?)|VIRTUAL_?HOST|SERVER_?NAME|PUBLIC_?HOST|_HOSTNAME$|_HOSTS$/i;

/** Returns the host that a variable of the program names; empty without one. */
function servedHost({ container: { spec } }: Failing): { readonly host: string; readonly place: string } {
  for (const { name, value = '' } of spec.env ?? []) {
    const host = /(?<![\w*.-])(?<host>[a-z][\w-]*(?:\.[\w-]+)+)/i.exec(value)?.groups?.['host'];
    if (named.test(name) && host !== undefined) return { host, place: `env ${name}=${value}` };
  }
  return { host: '', place: '' };
}

/** Returns the explanation of a probe whose Host header the log shows to be refused; undefined without such a line. */
export function hostRefused(failing: Failing, code: string): Explained | undefined {
  const { it, container, kind, values } = failing;
  const line = lineOf(it.cluster.logs?.[container.name] ?? '', refused);
  if (line === '' || !['400', '403', '404', '421'].includes(code)) return undefined;
  const { host, place } = servedHost(failing);
  const field = fieldOf[kind];
  const all = { ...values, code, line, host: host || 'HOST', place, field };
  const fields = Object.fromEntries(
    [...new Set([field, 'livenessProbe', 'readinessProbe'] as const)]
      .filter((each) => container.spec[each]?.httpGet?.path === failing.probe.httpGet?.path)
      .map((each) => [each, { httpGet: { httpHeaders: [{ name: 'Host', value: all.host }] } }]),
  );
  return {
    cause: [textOf('probeHostHeader', all), ...(place === '' ? [] : [textOf('probeHostHeaderSet', all)])],
    next: [...it.patch('probeHostHeaderFix', all, fields, container), ...it.change('probeHostHeaderAllow', all)],
    line,
  };
}

/** Returns whether a program that answers with 400 probably expects HTTPS, by its port or by what it logs. */
export const isTlsPort = ({ it, container, probe, values }: Failing): boolean =>
  /(?:^|\D)(?:\d?443|\d{2}443)$|https|tls/i.test(`${probe.httpGet?.port ?? ''} ${values['port'] ?? ''}`) ||
  (container.spec.ports ?? []).some(
    ({ name = '', containerPort }) => /https|tls/i.test(name) && String(containerPort) === String(values['port']),
  ) ||
  /TLS handshake|SSL|https/i.test(it.cluster.logs?.[container.name] ?? '');
