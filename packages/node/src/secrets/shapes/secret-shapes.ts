/** Recognizes secrets by their form, and values that are certainly harmless. */
import { masked } from '../known-values.ts';

/** Matches tokens that have a known prefix or format. */
const tokens: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g,
  // PEM blocks and JSON in base64, for example JSON Web Tokens and registry credentials.
  /\bLS0tLS1CRUdJT[\w+/-]*={0,2}/g,
  /\beyJ[\w+/-]{8,}={0,2}(?:\.[\w-]+)*\.?/g,
  // GitHub, GitLab, Docker, npm, PyPI, Slack, Stripe, OpenAI, Hugging Face, Shopify, DigitalOcean, Vault, Databricks,
  // Linear, Postman, Square.
  /\b(?:gh[oprsu]_|github_pat_|glpat-|gl[a-z]{2,5}-|dckr_pat_|npm_|pypi-|xox[a-z]-|xapp-|[rs]k_(?:live|test)_|whsec_|sk-|hf_|shp(?:at|ca|pa|ss)_|do[oprt]_v1_|hv[sbr]\.|dapi|lin_api_|PMAK-|sq0[a-z]{3}-|NRAK-|ATATT|AGE-SECRET-KEY-)[\w-]{10,}/g,
  /\bA(?:KIA|SIA|ROA|IDA)[A-Z0-9]{12,}\b|\bAIza[\w-]{20,}|\bya29\.[\w.-]+|\bGOCSPX-[\w-]+|\bSG\.[\w-]{16,}\.[\w-]+/g,
  /(?<=hooks\.slack\.com\/services\/)[\w/]+|(?<=discord(?:app)?\.com\/api\/webhooks\/)[\w/-]+|(?<=api\.telegram\.org\/bot)[\w:-]+/g,
];

/** Masks tokens with a known prefix or format. */
export const withoutTokens = (text: string, take: (secret: string) => string): string =>
  tokens.reduce((clean, token) => clean.replaceAll(token, (found) => take(found)), text);

const classOf = (letter: string): string =>
  /\d/.test(letter) ? 'digit' : /[a-z]/.test(letter) ? 'lower' : /[A-Z]/.test(letter) ? 'upper' : 'other';

/**
 * Returns how often neighboring characters are of different classes, from 0 to 1. Words have a value below 0.25, and
 * random text has a much higher one.
 */
function mixing(text: string): number {
  let changes = 0;
  for (let at = 1; at < text.length; at++) if (classOf(text.charAt(at)) !== classOf(text.charAt(at - 1))) changes++;
  return changes / Math.max(1, text.length - 1);
}

/** Returns whether a sequence of characters looks generated, because it is too long and too mixed for a word. */
export function looksRandom(run: string): boolean {
  if (run.length < 20) return false;
  if (/\d/.test(run) && /[A-Za-z]/.test(run)) return mixing(run) >= 0.22;
  // Words in camel case are mixed, too, but shorter.
  return run.length >= 32 && /[a-z]/.test(run) && /[A-Z]/.test(run) && mixing(run) >= 0.38;
}

/** Matches container ids and image digests, which are common in messages of runtimes. */
const runtimeId = /^[a-f\d]{64}$/;

/**
 * Masks long sequences that look random.
 * @param isRuntimeText whether the text is from a runtime, so that container ids in it are kept
 */
export function withoutRandom(text: string, take: (secret: string) => string, isRuntimeText: boolean): string {
  // Base64 and paths both contain slashes. A sequence with slashes is checked as a whole only if it doesn't look like a
  // path.
  return text.replaceAll(/[A-Za-z\d+/=]{20,}/g, (run: string, at: number) => {
    const before = text.slice(Math.max(0, at - 10), at);
    if (/sha(?:1|256|512)[:-]$/i.test(before) || (isRuntimeText && runtimeId.test(run))) return run;
    if (!run.includes('/')) return looksRandom(run) ? take(run) : run;
    // AWS secret keys have 40 characters.
    if ((/[+=]/.test(run) || (run.length === 40 && /\d/.test(run) && /[A-Z]/.test(run))) && looksRandom(run))
      return take(run);
    const parts = run.split('/');
    // The parts of a path are words. The parts of a secret are as mixed as the secret itself.
    if (run.startsWith('/') || parts.filter((part) => part.length > 2).some((part) => mixing(part) < 0.3)) {
      return parts
        .map((part) => (looksRandom(part) && !(isRuntimeText && runtimeId.test(part)) ? take(part) : part))
        .join('/');
    }
    return looksRandom(run) ? take(run) : run;
  });
}

/** Matches numbers, quantities and booleans, for example `8080`, `0.75`, `30s`, `512Mi`, `100m`, `50%` or `true`. */
const scalar =
  /^(?:[-+]?\d{1,12}(?:\.\d{1,6})?(?:%|[a-zA-Z]{1,2})?|(?:\d{1,5}(?:h|m|s|ms|us|ns|d))+|true|false|yes|no|on|off|null|none)$/i;
/**
 * Matches a word, which may be in camel case. `numbered` also allows digits, which are harmless only in addresses and
 * paths.
 */
const word = /^(?:[a-z]{1,24}|[A-Z]{1,24}|[A-Z]?[a-z]+(?:[A-Z]{1,4}[a-z]+){0,4}[A-Z]{0,3})$/;
const numbered = /^(?:[A-Za-z]{2,20}\d{1,3}|v\d{1,3}(?:(?:alpha|beta|rc)\d{1,2})?|\d{1,3}[a-z]{1,2})$/;
/** Separators between the words of an ordinary value. */
const gaps = /[\s,;:/=?&|.()[\]{}$@*"'<>_-]+/;
const ordinary = /^[\w\s,;:/=?&|.()[\]{}$@*"'<>-]*$/;

/** The users under whose names servers of repositories accept SSH connections, for example in `git@host:path`. */
const repositoryUsers = 'git|gitea|gitlab|forgejo|hg|svn|aur';
/** Matches the name of such a user. */
export const repositoryUser = new RegExp(`^(?:${repositoryUsers})$`);
/** Matches such a user and the @ before the host. */
const repositoryLogin = new RegExp(`(?<=^|[\\s=/])(?:${repositoryUsers})@(?=[a-zA-Z][\\w-]*(?:\\.[\\w-]+)*[:/])`, 'g');
/** Matches the host of an address at which a program listens on all interfaces, for example in `http://+:80`. */
const allInterfaces = /(?<=:\/\/)\+(?=:\d)/g;

/** Returns whether a value is certainly no secret, because it is a number, a word, a path or an address. */
export function isHarmlessValue(given: string): boolean {
  const value = given.replaceAll(repositoryLogin, '').replaceAll(allInterfaces, '*');
  if (value === '' || value === masked || scalar.test(value.trim())) return true;
  if (value.length > 400 || !ordinary.test(value) || value.includes('\n')) return false;
  // A text with an @ is harmless only if it has the form user@host.
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

/** Returns whether a value refers to a variable, for example `$(DB_PASSWORD)`, `${DB_PASSWORD}` or `$DB_PASSWORD`. */
export const isReference = (value: string): boolean =>
  /^\$(?:\([A-Za-z_][\w.-]*\)|\{[A-Za-z_]\w*\}|[A-Z_][A-Z\d_]*)$/.test(value) || isVariableName(value);

/**
 * Returns whether the value is the name of a variable that contains a secret, as programs quote it (`KeyError:
 * 'MODEL_TOKEN'`), or an expression that reads this variable.
 */
const isVariableName = (value: string): boolean =>
  /^['"]?[A-Z][A-Z_]*_(?:TOKEN|PASSWORD|PASSWD|SECRET|KEY|CREDENTIALS?)['"]?$/.test(value) ||
  /^(?:os\.environ\[|os\.getenv\(|process\.env[.[])(?:["']?[A-Z_]+["']?)?[\])]?$/.test(value);
