/** Explains probes that connect to a port on which the container doesn't listen. */
import type { Probe } from '@podscope/k8s';
import { textOf } from '@podscope/trace/explain';
import { type ContainerCase, logsCommand, probePort } from '../pod-case.ts';
import { listeningIn } from '../program/listening.ts';
import { type Explained, type Failing, fieldOf, serverOf } from './probe-case.ts';

/** Returns which handler a probe of a container has. */
function handlerOf({ spec }: ContainerCase, field: string): 'httpGet' | 'tcpSocket' | 'grpc' {
  const probe = Object.entries(spec).find(([name]) => name === field)?.[1] as Probe | undefined;
  return probe?.httpGet ? 'httpGet' : probe?.grpc ? 'grpc' : 'tcpSocket';
}

/** Returns the field names of all probes of a container that connect to a port. */
const fieldsAt = ({ spec }: ContainerCase, port: number): readonly string[] =>
  Object.values(fieldOf).filter((field) => {
    const probe = spec[field];
    return probe !== undefined && probePort(probe, spec).port === port;
  });

export function wrongPort(failing: Failing): Explained | undefined {
  const { it, container, kind, probe, values } = failing;
  const { port, named } = probePort(probe, container.spec);
  const server = serverOf(failing, port);
  if (server)
    return {
      cause: [textOf('probeThrough', { ...values, other: server.name })],
      next: [{ why: textOf('lookLogs', { container: server.name }), command: logsCommand(it, server) }],
    };
  // Probes connect over TCP, so only TCP ports are compared.
  const ports = (container.spec.ports ?? [])
    .filter(({ protocol }) => protocol === undefined || protocol === 'TCP')
    .map(({ containerPort }) => containerPort);
  const [first, ...others] = (container.spec.ports ?? []).filter(({ name }) => name !== undefined);
  const only = first && others.length === 0 ? { other: first.name ?? '', number: first.containerPort } : undefined;
  if (named !== undefined && port === undefined)
    return {
      cause: [textOf(only === undefined ? 'probeNamed' : 'probeNamedOther', { ...values, named, ...only })],
      next: it.change(only === undefined ? 'probeNamedFix' : 'probeNamedOtherFix', {
        ...values,
        named,
        ...only,
        field: fieldOf[kind],
      }),
    };
  if (port === undefined || ports.length === 0 || ports.includes(port)) return undefined;
  return {
    cause: [textOf('probePort', { ...values, port, ports: ports.join(', ') })],
    next: [
      ...it.patch(
        'probePortFix',
        { ...values, port: ports[0] ?? '', field: fieldsAt(container, port).join(', ') },
        Object.fromEntries(
          fieldsAt(container, port).map((field) => [field, { [handlerOf(container, field)]: { port: ports[0] } }]),
        ),
        container,
      ),
      ...(container.runningSince === undefined
        ? []
        : [
            {
              why: textOf('probeListen', values),
              command: it.kubectl(`exec ${it.name} -c ${container.name} -- sh -c 'ss -lnt || netstat -lnt'`),
            },
          ]),
    ],
  };
}

/** Explains a refused connection by the addresses on which the program listens according to its log. */
export function listensElsewhere({ it, container, kind, probe, values }: Failing): Explained | undefined {
  const { port } = probePort(probe, container.spec);
  const heard = listeningIn(it.cluster.logs?.[container.name] ?? '');
  const [first] = heard;
  if (port === undefined || first === undefined || heard.some((each) => each.port === port && !each.isLocal))
    return undefined;
  const local = heard.find((each) => each.port === port);
  const open = heard.filter(({ isLocal }) => !isLocal);
  const all = {
    ...values,
    ports: heard.map(({ port: each, isLocal }) => (isLocal ? `127.0.0.1:${each}` : each)).join(', '),
    other: open[0]?.port ?? '',
    field: fieldOf[kind],
  };
  return {
    line: (local ?? first).line,
    cause: [textOf(local ? 'probeLoopback' : 'probeElsewhere', all)],
    next: local
      ? it.change('probeLoopbackFix', all)
      : open.length === 1 && !/health|admin|metrics|management/i.test(`${probe.httpGet?.port ?? ''}`)
        ? it.patch(
            'probePortFix',
            { ...all, port: all.other, field: fieldsAt(container, port).join(', ') },
            Object.fromEntries(
              fieldsAt(container, port).map((field) => [field, { [handlerOf(container, field)]: { port: all.other } }]),
            ),
            container,
          )
        : it.change('probeElsewhereFix', all),
  };
}

/** The management port of a container, and where it is set. */
interface Management {
  readonly port: number;
  /** The line of the log that names it; undefined if the image or a setting does. */
  readonly line?: string;
}

/** Settings that name the port on which a program serves its health endpoints. */
const portSetting = /(?:MANAGEMENT|HEALTH|ADMIN|ACTUATOR)[\w.-]*PORT=(?<port>\d{2,5})\b/i;

/** Returns the port on which the program serves its health endpoints; undefined if nothing names one. */
function managementOf({ it, container }: Failing): Management | undefined {
  const { spec, name } = container;
  const env = new Map((spec.env ?? []).map((each) => [each.name, each.value ?? '']));
  const settings = [
    ...[...env].map(([key, value]) => `${key}=${value}`),
    ...(spec.command ?? []),
    ...(spec.args ?? []),
  ].join('\n');
  const given = portSetting.exec(settings)?.groups?.['port'];
  if (given !== undefined) return { port: Number(given) };
  const heard = listeningIn(it.cluster.logs?.[name] ?? '').find(({ line }) =>
    /management|health|admin|actuator/i.test(line),
  );
  if (heard) return { port: heard.port, line: heard.line };
  // Keycloak and Quarkus have one by default, or if it is enabled.
  const [, keycloak = '0'] = /keycloak[^:]*:v?(\d+)/.exec(spec.image ?? '') ?? [];
  const isSeparate =
    (Number(keycloak) >= 25 && env.get('KC_LEGACY_OBSERVABILITY_INTERFACE') !== 'true') ||
    env.get('QUARKUS_MANAGEMENT_ENABLED') === 'true';
  return isSeparate ? { port: 9000 } : undefined;
}

/** Explains a status 404 of a program that serves its health endpoints on another port than the one of the probe. */
export function managementPort(failing: Failing): Explained | undefined {
  const { it, container, kind, probe, values } = failing;
  const { port } = probePort(probe, container.spec);
  const management = managementOf(failing);
  if (!management || port === undefined || management.port === port) return undefined;
  const all = { ...values, port, other: management.port, path: probe.httpGet?.path ?? '/' };
  const field = fieldOf[kind];
  return {
    ...(management.line === undefined ? {} : { line: management.line }),
    cause: [textOf('probeManagement', all)],
    next: it.patch(
      'probePortFix',
      { ...all, port: management.port, field },
      { [field]: { httpGet: { port: management.port } } },
      container,
    ),
  };
}
