/**
 * Takes out of a pod what must not be kept or shown: values that are secret by their name or their look. What kubectl prints is handed
 * around in tickets and chats; what comes from there stays out of runs, files and links.
 */

/** What stands where something was taken out. */
export const masked = '••••••';

/** Names whose value is a secret: some wherever they stand in a name, short ones as a word of their own. */
const secretName =
  /pass(?:word|wd|phrase)?|secret|token|credential|api[-_]?key|private[-_]?key|access[-_]?key|authorization|bearer|cookie|connection[-_]?string|(?:^|[^a-z])(?:pwd|pat|pin|otp|jwt|auth|dsn|salt|sas|sig|signature|key)(?:[^a-z]|$)/i;

const secretText: readonly (readonly [RegExp, string])[] = [
  // JSON Web Tokens.
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, masked],
  // Tokens that say whose they are: GitHub, GitLab, Docker, npm, Slack, Stripe, AWS, Google.
  [/\b(?:gh[oprsu]_|github_pat_|glpat-|dckr_pat_|npm_|xox[abeprs]-|[rs]k_(?:live|test)_|sk-)[\w-]{16,}|\bA(?:KIA|SIA)[A-Z0-9]{16}\b|\bAIza[\w-]{35}/g, masked],
  [/(hooks\.slack\.com\/services\/)[\w/]+/g, `$1${masked}`],
  // user:password@host
  [/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, `$1${masked}@`],
  // --password=…, PASSWORD=…, "token": "…"
  [
    /((?:pass(?:word|wd|phrase)?|\bpwd|secret|token|api[-_]?key|private[-_]?key|access[-_]?key|credentials?|"auth\\*")["'\\]*\s*[=:]\s*["'\\]*)[^\s"'&,;\\]+/gi,
    `$1${masked}`,
  ],
  // AccountKey=…; a short one may be any key.
  [/(key["']?\s*=\s*["']?)[^\s"'&,;]{12,}/gi, `$1${masked}`],
  // ?sig=…, Cookie: …
  [/([?&](?:sig|signature|key|code|auth|jwt|sid|session)=)[^\s&"';]+/gi, `$1${masked}`],
  [/((?:set-)?cookie:\s*)[^"'\n]+/gi, `$1${masked}`],
  // In sentences: password 'hunter2', token abc123 was rejected.
  [/\b((?:password|passphrase|token)\s+)(?:(['"])[^'"]+\2|(?=\S*\d)[^\s'"]{6,})/gi, `$1${masked}`],
  // curl -u user:password, mysql -ppassword
  [/((?:^|\s)(?:-u|--user)[\s=]+[^\s:/]+:)[^\s"']+/g, `$1${masked}`],
  [/(\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^|;&\n]*?\s-p)[^\s"']+/g, `$1${masked}`],
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, masked],
  [/\b((?:Bearer|Basic) )[\w.~+/=-]{8,}/g, `$1${masked}`],
];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text without what looks secret in it. */
export function maskText(text: string): string {
  const data = dataIn(text);
  if (data !== undefined) {
    const clean = JSON.stringify(maskData(data));
    return clean === JSON.stringify(data) ? text : clean;
  }
  return secretText.reduce((clean, [pattern, replacement]) => clean.replaceAll(pattern, replacement), text);
}

/** The object or list that a text is in JSON, if it is one: a manifest in an annotation, credentials of a registry. */
function dataIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** Somebody's own data, where whatever has a secret's name is one. */
function maskData(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return name === 'args' || name === 'command' ? maskArguments(value) : value.map((item) => maskData(item));
  if (!isRecord(value)) return typeof value === 'string' || typeof value === 'number' ? (secretName.test(name) ? masked : maskValue(value)) : value;
  const pair = maskPair(value);
  return Object.fromEntries(Object.entries(pair).map(([key, item]) => [key, maskData(item, key)]));
}

/** An environment variable or header whose name says what its value is. */
const maskPair = (value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  typeof value['name'] === 'string' && typeof value['value'] === 'string' && secretName.test(value['name']) ? { ...value, value: masked } : value;

/** Arguments, where `--password` and its value are two. */
const maskArguments = (words: readonly unknown[]): unknown[] =>
  words.map((word, index) => {
    const before = words[index - 1];
    const isValue = typeof before === 'string' && /^--?[\w-]+$/.test(before) && secretName.test(before);
    if (isValue && typeof word === 'string' && !word.startsWith('-')) return masked;
    return maskValue(word);
  });

/** Any value of an API object, with the secrets in it taken out. */
export function maskValue(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return name === 'args' || name === 'command' ? maskArguments(value) : value.map((item) => maskValue(item));
  if (!isRecord(value)) return value;
  const pair = maskPair(value);
  if (pair !== value) return pair;
  const isTexts = name === 'annotations' || name === 'labels';
  // A label has to stay one.
  const cover = name === 'labels' ? 'masked' : masked;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isTexts && typeof item === 'string' && secretName.test(key) ? cover : maskValue(item, key)]),
  );
}
