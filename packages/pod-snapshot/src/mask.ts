/**
 * Takes out of a pod what must not be kept or shown: values that are secret by their name or their look. What kubectl prints is handed
 * around in tickets and chats; what comes from there stays out of runs, files and links.
 */

/** What stands where something was taken out. */
export const masked = '••••••';

const secretName = /pass(?:word|wd|phrase)?|secret|token|credential|api[-_]?key|private[-_]?key|access[-_]?key|authorization|bearer|connection[-_]?string|dsn/i;

const secretText: readonly (readonly [RegExp, string])[] = [
  // JSON Web Tokens.
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, masked],
  // user:password@host
  [/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, `$1${masked}@`],
  // --password=…, PASSWORD=…, "token": "…"
  [/((?:pass(?:word|wd|phrase)?|secret|token|api[-_]?key|private[-_]?key|access[-_]?key|credentials?)["']?\s*[=:]\s*["']?)[^\s"'&,;]+/gi, `$1${masked}`],
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, masked],
  [/\b((?:Bearer|Basic) )[\w.~+/=-]{8,}/g, `$1${masked}`],
];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text without what looks secret in it. */
export const maskText = (text: string): string => secretText.reduce((clean, [pattern, replacement]) => clean.replaceAll(pattern, replacement), text);

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
  // An environment variable or header whose name says what its value is.
  if (typeof value['name'] === 'string' && typeof value['value'] === 'string' && secretName.test(value['name'])) return { ...value, value: masked };
  const isTexts = name === 'annotations' || name === 'labels';
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isTexts && typeof item === 'string' && secretName.test(key) ? masked : maskValue(item, key)]),
  );
}
