/** Finds the service for which an init container waits, in its command and variables. */
import type { ContainerCase } from '../pod-case.ts';

/** Replaces `$(NAME)`, `${NAME}` and `$NAME` by the values of the container's variables. */
function expanded(text: string, { spec }: ContainerCase): string {
  return text.replace(
    /\$(?:\((?<a>\w+)\)|\{(?<b>\w+)(?::-[^}]*)?\}|(?<c>[A-Za-z_]\w*))/g,
    (whole, ...rest: unknown[]) => {
      const name = rest.slice(0, 3).find((each) => typeof each === 'string');
      return spec.env?.find((variable) => variable.name === name)?.value ?? whole;
    },
  );
}

const option = String.raw`(?:-{1,2}[a-zA-Z][\w-]*(?:[= ]\d+)?\s+)*`;
const host = String.raw`(?<host>[a-zA-Z][\w-]*(?:\.[\w-]+)*|\d+\.\d+\.\d+\.\d+)`;

const clients = 'pg_isready|mysqladmin|mariadb-admin|mysql|psql|redis-cli|mongosh?';

/** Patterns of commands that wait for a service, with its host and port. */
const waits: readonly RegExp[] = [
  new RegExp(String.raw`\bnc(?:at)?\s+${option}${host}[ :]+(?<port>\d+)`),
  /\/dev\/tcp\/(?<host>[\w.-]+)\/(?<port>\d+)/,
  new RegExp(String.raw`\bwait-for(?:-it)?(?:\.sh)?\s+${option}${host}(?::(?<port>\d+))?`),
  new RegExp(String.raw`-wait\s+\w+:\/\/${host}(?::(?<port>\d+))?`),
  new RegExp(
    String.raw`\b(?:${clients})\b[^|;&]*?(?:-h\s*|--host[= ])${host}(?:[^|;&]*?(?:-p|-P|--port[= ])\s*(?<port>\d+))?`,
  ),
  new RegExp(String.raw`\b(?:curl|wget|http)\b[^|;]*?https?:\/\/${host}(?::(?<port>\d+))?`),
  new RegExp(String.raw`--?[\w-]+[= ](?:https?|grpc|tcp):\/\/${host}(?::(?<port>\d+))?`),
  new RegExp(String.raw`\b(?:nslookup|dig|getent\s+(?:a?hosts|ahostsv4)|host|ping)\s+${option}${host}`),
];

/**
 * Returns the host and port of the service for which a command of the container waits; empty if the command names none.
 * @param command the words of the command. Default: those of the container
 */
export function waitTarget(
  container: ContainerCase,
  command = [...(container.spec.command ?? []), ...(container.spec.args ?? [])].join(' '),
): { readonly host: string; readonly port: string } {
  const words = expanded(command, container);
  for (const pattern of waits) {
    const { host: found, port = '' } = pattern.exec(words)?.groups ?? {};
    if (found !== undefined) return { host: found, port };
  }
  return { host: '', port: '' };
}

/** Returns the host and port for which a program waits according to the last lines of its log; empty without one. */
export function loggedTarget(log: string): { readonly host: string; readonly port: string } {
  const lines = log.trimEnd().split('\n').slice(-15).join('\n');
  const found =
    /https?:\/\/(?<host>[a-z][\w-]*(?:\.[\w-]+)*)(?::(?<port>\d+))?/i.exec(lines)?.groups ??
    /wait(?:ing|s)? (?:for|on) (?:\w+:\/\/)?(?<host>[a-z][\w-]*(?:\.[\w-]+)+|[a-z][\w-]*(?=:\d))(?::(?<port>\d+))?/i.exec(
      lines,
    )?.groups;
  return { host: found?.['host'] ?? '', port: found?.['port'] ?? '' };
}
