/** What a secret looks like where no name says that it is one, and what certainly is none. */

/** What stands where something was taken out. */
export const masked = '••••••';

/** Tokens that say whose they are. */
const tokens: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g,
  // The same in base64, and any JSON in base64: JSON Web Tokens, credentials of registries.
  /\bLS0tLS1CRUdJT[\w+/-]*={0,2}/g,
  /\beyJ[\w+/-]{8,}={0,2}(?:\.[\w-]+)*\.?/g,
  // GitHub, GitLab, Docker, npm, PyPI, Slack, Stripe, OpenAI, Hugging Face, Shopify, DigitalOcean, Vault, Databricks, Linear, Postman, Square.
  /\b(?:gh[oprsu]_|github_pat_|glpat-|gl[a-z]{2,5}-|dckr_pat_|npm_|pypi-|xox[a-z]-|xapp-|[rs]k_(?:live|test)_|whsec_|sk-|hf_|shp(?:at|ca|pa|ss)_|do[oprt]_v1_|hv[sbr]\.|dapi|lin_api_|PMAK-|sq0[a-z]{3}-|NRAK-|ATATT|AGE-SECRET-KEY-)[\w-]{10,}/g,
  /\bA(?:KIA|SIA|ROA|IDA)[A-Z0-9]{12,}\b|\bAIza[\w-]{20,}|\bya29\.[\w.-]+|\bGOCSPX-[\w-]+|\bSG\.[\w-]{16,}\.[\w-]+/g,
  /(?<=hooks\.slack\.com\/services\/)[\w/]+|(?<=discord(?:app)?\.com\/api\/webhooks\/)[\w/-]+|(?<=api\.telegram\.org\/bot)[\w:-]+/g,
];

/** Replaces what a token gives away. */
export const withoutTokens = (text: string, take: (secret: string) => string): string =>
  tokens.reduce((clean, token) => clean.replaceAll(token, (found) => take(found)), text);

const classOf = (letter: string): string => (/\d/.test(letter) ? 'digit' : /[a-z]/.test(letter) ? 'lower' : /[A-Z]/.test(letter) ? 'upper' : 'other');

/** How often the kind of letter changes from one to the next: 0…1. Words and paths are below a quarter, what is random well above. */
function mixing(text: string): number {
  let changes = 0;
  for (let at = 1; at < text.length; at++) if (classOf(text.charAt(at)) !== classOf(text.charAt(at - 1))) changes++;
  return changes / Math.max(1, text.length - 1);
}

/** Too long and too mixed for a word: what a generator of passwords or keys makes. */
export function looksRandom(run: string): boolean {
  if (run.length < 20) return false;
  if (/\d/.test(run) && /[A-Za-z]/.test(run)) return mixing(run) >= 0.22;
  // Names in camel case are mixed too, and shorter.
  return run.length >= 32 && /[a-z]/.test(run) && /[A-Z]/.test(run) && mixing(run) >= 0.38;
}

/** Ids of containers and digests of images are in every other message of a runtime. */
const runtimeId = /^[a-f\d]{64}$/;

/** Takes out long runs that look random. @param isRuntimeText whether ids of a runtime are to be expected, and stay */
export function withoutRandom(text: string, take: (secret: string) => string, isRuntimeText: boolean): string {
  // Base64 has slashes, and so have paths: a run with slashes is looked at as one only where it has no look of a path.
  return text.replaceAll(/[A-Za-z\d+/=]{20,}/g, (run: string, at: number) => {
    const before = text.slice(Math.max(0, at - 10), at);
    if (/sha(?:1|256|512)[:-]$/i.test(before) || (isRuntimeText && runtimeId.test(run))) return run;
    if (!run.includes('/')) return looksRandom(run) ? take(run) : run;
    // Secret keys of AWS are that long.
    if ((/[+=]/.test(run) || (run.length === 40 && /\d/.test(run) && /[A-Z]/.test(run))) && looksRandom(run)) return take(run);
    const parts = run.split('/');
    // A path's parts are words; those of a secret are as mixed as the whole.
    if (run.startsWith('/') || parts.filter((part) => part.length > 2).some((part) => mixing(part) < 0.3)) {
      return parts.map((part) => (looksRandom(part) && !(isRuntimeText && runtimeId.test(part)) ? take(part) : part)).join('/');
    }
    return looksRandom(run) ? take(run) : run;
  });
}

/** `8080`, `0.75`, `30s`, `512Mi`, `100m`, `50%`, `true` */
const scalar = /^(?:[-+]?\d{1,12}(?:\.\d{1,6})?(?:%|[a-zA-Z]{1,2})?|(?:\d{1,5}(?:h|m|s|ms|us|ns|d))+|true|false|yes|no|on|off|null|none)$/i;
/** A word, also one in camel case; letters with a number behind them where the whole is an address or a path. */
const word = /^(?:[a-z]{1,24}|[A-Z]{1,24}|[A-Z]?[a-z]+(?:[A-Z]{1,4}[a-z]+){0,4}[A-Z]{0,3})$/;
const numbered = /^(?:[A-Za-z]{2,20}\d{1,3}|v\d{1,3}(?:(?:alpha|beta|rc)\d{1,2})?|\d{1,3}[a-z]{1,2})$/;
/** What words of an ordinary value stand between. */
const gaps = /[\s,;:/=?&|.()[\]{}$@*"'<>_-]+/;
const ordinary = /^[\w\s,;:/=?&|.()[\]{}$@*"'<>-]*$/;

/** True for a value that is surely none: a number, a word, a path, an address. Whatever is not surely one of these may be a secret. */
export function isHarmlessValue(value: string): boolean {
  if (value === '' || value === masked || scalar.test(value.trim())) return true;
  if (value.length > 400 || !ordinary.test(value) || value.includes('\n')) return false;
  // user@host
  if (/@/.test(value) && !/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(value)) return false;
  const isPlace = /[/.:]/.test(value) || /^[a-z]{2,}-[a-z]+-\d[a-z]?$/.test(value);
  return value
    .split(gaps)
    .filter((part) => part !== '')
    .every(
      (part) =>
        scalar.test(part) ||
        word.test(part) ||
        /^v?\d{1,3}$|^(?:utf|UTF|http|HTTP|ipv|IPv|x|amd|arm|sha|SHA|TLSv)\d{1,3}$/.test(part) ||
        (isPlace && numbered.test(part)),
    );
}

/** A name that is filled in later: `$(DB_PASSWORD)`, `${DB_PASSWORD}`, `$DB_PASSWORD`. */
export const isReference = (value: string): boolean => /^\$(?:\([A-Za-z_][\w.-]*\)|\{[A-Za-z_]\w*\}|[A-Z_][A-Z\d_]*)$/.test(value);
