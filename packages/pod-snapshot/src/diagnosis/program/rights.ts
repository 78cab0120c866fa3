/** Recognizes programs to which a database or another service denies an operation. */
import { textOf } from '@podscope/trace/explain';
import { accountLook, accountOf } from '../cloud-rights.ts';
import { type ExitCase, lineOf, logs, type Recognized } from './recognizer.ts';

/** Matches the refusal of an operation by any service. */
export const denied =
  /\b403\b|forbidden|PERMISSION_DENIED|NOT_AUTHORIZED|AuthorizationFailed|UnauthorizedOperation|not authorized|insufficient (?:privilege|permission|scope|access)|access (?:is |was )?denied|(?:lacks?|missing|without) (?:the )?(?:required )?(?:permission|privilege|role|scope)|permission denied (?:for|to) (?!\/)\w+|must be (?:owner|superuser|a member) of?/i;

/** Matches the refusal of a right by a database. */
export const databaseRight =
  /permission denied (?:for|to) (?:(?:foreign )?table|relation|schema|database|sequence|function|view|materialized view|type|large object|create|set role|extension)|must be (?:owner|superuser|a member) of?|InsufficientPrivilege|\w+ command denied to user|ORA-01031|(?:SELECT|INSERT|UPDATE|DELETE|EXECUTE|CREATE \w+|ALTER) permission (?:was )?denied|not authorized on \w+ to execute command/i;
/** Matches the names of variables with the user of a database. */
const userName = /(?:^|_)(?:PG|DB|DATABASE|MYSQL|POSTGRES|MONGO|SQL|JDBC)?_?(?:USER|USERNAME|LOGIN|ROLE)$/i;

/** Explains that a database denies its user a right, with the place from which the user comes. */
export function databaseDenies(exit: ExitCase, text: string): Recognized {
  const { it, container } = exit;
  const env = container.spec.env ?? [];
  const variable =
    env.find(({ name }) => userName.test(name)) ?? env.find(({ name }) => /(?:DSN|URL|URI|CONN)/.test(name));
  const secret = variable?.valueFrom?.secretKeyRef?.name;
  const inUrl = /:\/\/(?<user>[\w.-]+)[:@]/.exec(variable?.value ?? '')?.groups?.['user'];
  const user =
    /to user '(?<user>[^']+)'/.exec(text)?.groups?.['user'] ??
    inUrl ??
    (variable && userName.test(variable.name) ? variable.value : undefined);
  const all = {
    ...exit.values,
    what: lineOf(text, databaseRight),
    user: user ?? '',
    place: variable ? (secret === undefined ? `env ${variable.name}` : `env ${variable.name}, Secret ${secret}`) : '',
    object:
      /(?:denied for|owner of) (?<object>(?:\w+ )?[\w."]+)/i.exec(text)?.groups?.['object'] ??
      /for table '?(?<table>[\w.]+)/i.exec(text)?.groups?.['table'] ??
      '',
  };
  return {
    title: textOf('runGrantTitle', all),
    cause: [textOf('runGrant', all), ...(all.user && all.place ? [textOf('runGrantUser', all)] : [])],
    next: [
      ...it.change(all.place === '' ? 'runGrantFixAny' : 'runGrantFix', all),
      ...(secret === undefined
        ? []
        : [{ why: textOf('runRightSecret', { ...all, secret }), command: it.kubectl(`describe secret ${secret}`) }]),
      logs(exit),
    ],
    origin: 'configuration',
    heals: true,
  };
}

/** Explains that a service denies an operation, with the places from which the identity comes. */
export function deniedBy(exit: ExitCase, text: string): Recognized {
  const { it, container } = exit;
  const secrets = [
    ...(container.spec.env ?? []).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
    ...(container.spec.envFrom ?? []).flatMap(({ secretRef }) => secretRef?.name ?? []),
  ];
  const all = { ...exit.values, what: lineOf(text, denied), account: accountOf(it), secret: secrets[0] ?? '' };
  return {
    title: textOf('runRightTitle', all),
    cause: [textOf('runRight', all)],
    next: [
      ...(secrets.length > 0
        ? [{ why: textOf('runRightSecret', all), command: it.kubectl(`describe secret ${secrets[0]}`) }]
        : all.account !== 'default' || /\b(?:aws|arn|s3|iam|azure|gcp|googleapis|google)\b/i.test(text)
          ? [accountLook(it)]
          : []),
      ...it.change('runRightFix', all),
      logs(exit),
    ],
    origin: 'configuration',
    heals: true,
  };
}
