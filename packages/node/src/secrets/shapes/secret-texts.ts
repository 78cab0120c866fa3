/** Masks secrets in free text: messages, scripts, arguments, annotations. */
import { masked } from '../known-values.ts';
import { withoutCommandSecrets } from './command-words.ts';
import { isPasswordName, isSecretName } from './secret-names.ts';
import { isReference, looksRandom, repositoryUser, withoutRandom, withoutTokens } from './secret-shapes.ts';

type Take = (secret: string) => string;

/**
 * Masks the secret in `user:secret@host`. The secret ends at the last @, because it may itself contain slashes and @.
 */
function withoutUserInfo(text: string, take: Take): string {
  const clean = text.replaceAll(
    /\b([a-z][\w+.-]{0,30}:\/\/)([^\s"'`<>\\]{1,1000})@/gi,
    (whole: string, scheme: string, info: string) => {
      const colon = info.indexOf(':');
      const user = colon < 0 ? info : info.slice(0, colon);
      const secret = colon < 0 ? '' : info.slice(colon + 1);
      // These URLs contain no user: http://host:8080/@scope, https://host/some@where
      if (
        /^(?:https?|wss?)/i.test(scheme) &&
        (/^\d{1,5}(?:\/|$)/.test(secret) || (user.includes('/') && !looksRandom(user)))
      )
        return whole;
      if (colon < 0)
        return user.includes('/') || /^[a-z][a-z._-]{0,30}$/i.test(user) ? whole : `${scheme}${take(user)}@`;
      if (secret === '' || secret === masked || isReference(secret)) return whole;
      return `${scheme}${user}:${take(secret)}@`;
    },
  );
  // Masks the secret in texts like u:secret@tcp(db:3306)/shop and user:secret@db:5432. In an image reference, a digest
  // follows the @.
  const without = clean.replaceAll(
    /(?<![\w/:.@-])([\w.-]{1,60}:)([^\s"'`<>@/:]{3,200})@(?=(?:tcp|unix)\(|(?!sha\d+:)[\w.-]+(?::\d+\b|\/))/g,
    (whole: string, user: string, secret: string) =>
      secret.includes(masked) || isReference(secret) || repositoryUser.test(secret) ? whole : `${user}${take(secret)}@`,
  );
  return without.replaceAll(
    /(\bjdbc:oracle:\w+:[^\s/@]*\/)([^\s"'@/][^\s"']*)@/gi,
    (_, before: string, secret: string) => `${before}${take(secret)}@`,
  );
}

/** Matches the names of system errors. Programs report them after the name of a file, for example `cookie: eacces`. */
const systemError =
  /^e(?:acces|perm|noent|exist|nospc|rofs|isdir|notdir|busy|inval|io|mfile|nfile|again|nomem|intr|loop|xdev|badf)[.)]?$/i;

/** Masks the values of authorization and cookie headers. */
const withoutHeaders = (text: string, take: Take): string =>
  text
    .replaceAll(
      /(authorization["'\\]*\s*[:=]\s*["'\\]*)((?:bearer|basic|digest|token|negotiate|apikey|aws4-hmac-sha256)\s+[^"'\\\n]+)/gi,
      (_, name: string, value: string) => `${name}${take(value)}`,
    )
    .replaceAll(/((?:set-)?cookie["'\\]*:\s*["'\\]*)([^"'\\\n]+)/gi, (whole: string, name: string, value: string) =>
      systemError.test(value) ? whole : `${name}${take(value)}`,
    )
    .replaceAll(/\b((?:Bearer|Basic) )([\w.~+/=-]{6,})/g, (whole: string, scheme: string, value: string) =>
      /^[a-z]+$/.test(value) ? whole : `${scheme}${take(value)}`,
    );

/**
 * Matches a value in quotes, which may be escaped, or a value without quotes. The latter ends at a blank, a quote or a
 * separator.
 */
const valueAt =
  /(?<escape>\\+)(?<mark>["'])(?<escaped>[\s\S]{0,4000}?)(?:\k<escape>\k<mark>|$)|"(?<double>(?:\\.|[^"\\]){0,4000})"?|'(?<single>[^']{0,4000})'?|(?<bare>(?:[^\s"'&;,\\]|\\(?!["'n])|[,;&](?![\s"']|$|[\w.-]+\s*[=:]))+)/y;

/**
 * Matches a name and its separator. A colon after a blank is part of a sentence, for example in
 * `volume "creds" : secret "db" not found`.
 */
const nameAt = /(?<![\w.])([A-Za-z_][\w.-]{0,100})((?:\]|\\*["'])?(?:\s*=>?\s*|:(?![:/]{2})\s*|\s+:\s*(?=\\*["'])))/g;

/** Matches a variable in a manifest, for example `"name":"X","value":`. The manifest may be truncated. */
const pairAt = /\bname["'\\]*\s*[:=]\s*["'\\]*([A-Za-z_][\w.-]{0,100})(["'\\]*\s*,?\s*["'\\]*value["'\\]*\s*[:=]\s*)/g;

interface Named {
  readonly text: string;
  readonly name: string;
  readonly between: string;
  readonly at: number;
}

/**
 * Returns whether the text after a colon is a sentence, for example in `token: unexpected status` or
 * `non-existent secret key: api-token`.
 */
function isSentence({ text, name, between, at }: Named, bare: string): boolean {
  if (/non-existent (?:secret|config) $/.test(text.slice(Math.max(0, at - 30), at))) return true;
  const after = text.slice(at + name.length + between.length + bare.length).slice(0, 3);
  return (
    between.endsWith(' ') &&
    !between.includes('=') &&
    !isPasswordName(name) &&
    /^[a-z]+[.:]?$/i.test(bare) &&
    /^[ :][ ]*\S/.test(after)
  );
}

/** Matches the actions of the AWS service `secretsmanager`, for example `GetSecretValue`. */
const secretAction =
  /^(?:BatchGet|Cancel|Create|Delete|Describe|Get|List|Put|Remove|Replicate|Restore|Rotate|Stop|Tag|Untag|Update|Validate)(?:[A-Z][a-z]+){1,4}$/;

/**
 * Returns whether the value after the name of a secret is harmless: a reference, a boolean, a system error, an action
 * or the path of a file.
 */
const isPlain = (secret: string, between: string, name: string): boolean =>
  secret.includes(masked) ||
  isReference(secret) ||
  (between.includes(':') && systemError.test(secret)) ||
  (name === 'secretsmanager' && secretAction.test(secret)) ||
  /^(?:true|false|yes|no|null|nil|none|~|)\)?$/i.test(secret) ||
  (between.includes(':') && /^\.{0,2}\/[\w./-]+$/.test(secret) && !looksRandom(secret));

/**
 * Returns whether the name at `at` is the host in a URL with a port, for example in `redis://session:6379`. Other names
 * of secrets, for example `pin` or `token`, are rarely hosts, so their values are masked in URLs, too.
 */
function isHost({ text, name, between, at }: Named, bare: string): boolean {
  return (
    between === ':' &&
    /[a-z][a-z\d+.-]*:\/\/$/i.test(text.slice(Math.max(0, at - 30), at)) &&
    !isSecretName(name.replaceAll(/\b(?:sessions?|o?auth)\b/gi, 'web')) &&
    /^\d{2,5}(?:[/?)]|$)/.test(bare) &&
    !/^[^\s/]*@/.test(text.slice(at + name.length + between.length))
  );
}

/** Returns whether a Python error reports a missing name (`KeyError: 'MODEL_CONFIG'`), which isn't a secret. */
const isMissingName = (name: string, value: string): boolean =>
  name === 'KeyError' && /^[A-Z]+(?:_[A-Z]+)+$/.test(value);

/** Masks the values that follow a match of `pattern`, if the match contains the name of a secret. */
function withoutNamedBy(pattern: RegExp, text: string, take: Take): string {
  let clean = '';
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    const [all, name = '', between = ''] = match;
    const at = match.index;
    if (at < done || !isSecretName(name)) continue;
    valueAt.lastIndex = at + all.length;
    const groups = valueAt.exec(text);
    const { escaped, double, single, bare } = groups?.groups ?? {};
    const secret = escaped ?? double ?? single ?? bare ?? '';
    if (!groups || isPlain(secret, between, name) || isMissingName(name, secret)) continue;
    const named = { text, name, between, at: at + all.length - name.length - between.length };
    if (bare !== undefined && (isHost(named, bare) || isSentence(named, bare))) continue;
    clean += `${text.slice(done, at + all.length)}${groups[0].replace(secret, () => take(secret))}`;
    done = at + all.length + groups[0].length;
  }
  return clean + text.slice(done);
}

/**
 * Masks named values, for example in `--password=…`, `PASSWORD=…`, `"token": "…"`, `client-key-data: …` or
 * `AccountKey=…`.
 */
const withoutNamed = (text: string, take: Take): string =>
  withoutNamedBy(nameAt, withoutNamedBy(pairAt, text, take), take);

/**
 * Matches phrases after which sentences and database languages contain a secret. The revision of a migration isn't a
 * secret, for example in `revision identified by '4f2a9c1d77be'`.
 */
const phrases: readonly RegExp[] = [
  /\b((?:password|passphrase|passwd|token|\w*secret_access_key|api[_-]?key|vault login)\s+)((['"])[^'"]+\3|(?=\S*\d)[^\s'":,]{6,})/gi,
  /(?!(?<=\brevision )identified\s+by\s+(?:'[a-f\d]{12}'|[a-f\d]{12}(?=[.,;)]?(?:\s|$))))\b((?:identified\s+(?:with\s+\S+\s+)?by|password\s+(?:is|was|for\s+\S+\s+is|for\s+\S+:))\s+)(?!(?:incorrect|wrong|empty|invalid|expired|missing|rejected|required|refused|unset)(?:[\s.,;:]|$))((['"])[^'"]+\3|[^\s'";]+)/gi,
  /\b((?:requirepass|masterauth|AUTH)\s+)((['"])[^'"]+\3|[^\s'";]+)/g,
  /\b((?:echo|printf)\s+(?:-\w+\s+)*)("[^"]*"|'[^']*'|[^\s|]+)(?=\s*\|[^|;\n]*(?:--password-stdin|--pass-stdin|passwd\b|sudo\s+-S))/g,
];

const withoutPhrases = (text: string, take: Take): string =>
  phrases.reduce(
    (clean, phrase) =>
      clean.replaceAll(phrase, (whole: string, before: string, secret: string) => {
        const bare = secret.replace(/^(["'])([\s\S]*)\1$/, '$2');
        return isReference(bare) || bare.includes(masked) ? whole : `${before}${take(bare)}`;
      }),
    text,
  );

/** Masks query parameters that contain secrets, for example in `?code=…&state=…`. */
const withoutQuery = (text: string, take: Take): string =>
  text.replaceAll(
    /([?&](?:code|sid|session|state|assertion)=)([^\s&"';]+)/gi,
    (_, name: string, secret: string) => `${name}${take(secret)}`,
  );

export interface TextPlace {
  /** Whether the text is from a runtime. Container ids in it aren't secrets and are kept. */
  readonly isRuntimeText: boolean;
}

/**
 * Masks the secrets in a text.
 * @param take receives each secret and returns its replacement
 */
export function withoutSecrets(text: string, take: Take, { isRuntimeText }: TextPlace): string {
  const steps = [
    withoutTokens,
    withoutUserInfo,
    withoutHeaders,
    withoutCommandSecrets,
    withoutNamed,
    withoutPhrases,
    withoutQuery,
  ];
  return withoutRandom(
    steps.reduce((clean, step) => step(clean, take), text),
    take,
    isRuntimeText,
  );
}
