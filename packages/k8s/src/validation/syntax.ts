/**
 * Checks the syntax of names, labels, addresses and numbers. Each function returns the error messages of the API
 * server; an empty list means that the value is valid. Upstream: apimachinery util/validation (v1.36).
 */

const dns1123LabelText = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dns1123SubdomainText = `${dns1123LabelText}(\\.${dns1123LabelText})*`;
const dns1123Label = new RegExp(`^${dns1123LabelText}$`);
const dns1123Subdomain = new RegExp(`^${dns1123SubdomainText}$`);
const qualifiedNameText = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const qualifiedName = new RegExp(`^${qualifiedNameText}$`);
const labelValue = new RegExp(`^(${qualifiedNameText})?$`);

const dns1123LabelMaxLength = 63;
const dns1123SubdomainMaxLength = 253;

const dns1123LabelMessage =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end " +
  'with an alphanumeric character';
const dns1123SubdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must " +
  'start and end with an alphanumeric character';
const qualifiedNameMessage =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const labelValueMessage =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start " +
  'and end with an alphanumeric character';

/** Returns the message for a value that doesn't match a pattern. Upstream: validation.RegexError. */
function regexFault(message: string, pattern: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${pattern}')`;
  const quoted = examples.map((example) => `'${example}', `);
  return `${message} (e.g. ${quoted.join(' or ')}regex used for validation is '${pattern}')`;
}

/** Returns the message for a value that is too long. Upstream: validation.MaxLenError. */
function maxLengthFault(length: number): string {
  return `must be no more than ${length} bytes`;
}

/** Returns the message for a number outside a range. Upstream: validation.InclusiveRangeError. */
export function rangeFault(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

const encoder = new TextEncoder();

/** Returns the length in UTF-8 bytes, as Go measures text. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

function tooLong(text: string, length: number): readonly string[] {
  return byteLength(text) > length ? [maxLengthFault(length)] : [];
}

export function isDNS1123Label(value: string): string[] {
  const faults = [...tooLong(value, dns1123LabelMaxLength)];
  if (!dns1123Label.test(value)) {
    // A value that matches the subdomain pattern can be an invalid label only because of its dots.
    faults.push(
      dns1123Subdomain.test(value)
        ? 'must not contain dots'
        : regexFault(dns1123LabelMessage, dns1123LabelText, 'my-name', '123-abc'),
    );
  }
  return faults;
}

export function isDNS1123Subdomain(value: string): string[] {
  const faults = [...tooLong(value, dns1123SubdomainMaxLength)];
  if (!dns1123Subdomain.test(value))
    faults.push(regexFault(dns1123SubdomainMessage, dns1123SubdomainText, 'example.com'));
  return faults;
}

/** Checks a key of a label or an annotation, which has the form `prefix/name`. */
export function isQualifiedName(value: string): string[] {
  const parts = value.split('/');
  const faults: string[] = [];
  let name = value;
  if (parts.length === 2) {
    const [prefix = '', rest = ''] = parts;
    name = rest;
    if (prefix === '') faults.push('prefix part must be non-empty');
    else faults.push(...isDNS1123Subdomain(prefix).map((fault) => `prefix part ${fault}`));
  } else if (parts.length > 2) {
    return [
      `a qualified name ${regexFault(qualifiedNameMessage, qualifiedNameText, 'MyName', 'my.name', '123-abc')} ` +
        `with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (name === '') faults.push('name part must be non-empty');
  else faults.push(...tooLong(name, 63).map((fault) => `name part ${fault}`));
  if (!qualifiedName.test(name))
    faults.push(`name part ${regexFault(qualifiedNameMessage, qualifiedNameText, 'MyName', 'my.name', '123-abc')}`);
  return faults;
}

export function isValidLabelValue(value: string): string[] {
  const faults = [...tooLong(value, 63)];
  if (!labelValue.test(value))
    faults.push(regexFault(labelValueMessage, `(${qualifiedNameText})?`, 'MyValue', 'my_value', '12345'));
  return faults;
}

const MAX_USER_ID = 2_147_483_647;

export function isValidPortNumber(port: number): string[] {
  return port >= 1 && port <= 65_535 ? [] : [rangeFault(1, 65_535)];
}

export function isValidPortName(name: string): string[] {
  const faults = [...tooLong(name, 15)];
  if (!/^[-a-z0-9]+$/.test(name)) faults.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) faults.push('must contain at least one letter (a-z)');
  if (name.includes('--')) faults.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) faults.push('must not begin or end with a hyphen');
  return faults;
}

/** Checks a user or group id. */
export function isValidID(id: number): string[] {
  return id >= 0 && id <= MAX_USER_ID ? [] : [rangeFault(0, MAX_USER_ID)];
}

export function isValidEnvVarName(name: string): string[] {
  if (name === '') return ['environment variable name must be non-empty'];
  return /^[\x20-\x3C\x3E-\x7E]+$/.test(name)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

export function isConfigMapKey(key: string): string[] {
  const faults = [...tooLong(key, dns1123SubdomainMaxLength)];
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
    faults.push(
      regexFault(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        '[-._a-zA-Z0-9]+',
        'key.name',
        'KEY_NAME',
        'key-name',
      ),
    );
  }
  if (key === '.') faults.push("must not be '.'");
  else if (key === '..') faults.push("must not be '..'");
  else if (key.startsWith('..')) faults.push("must not start with '..'");
  return faults;
}

export function isHTTPHeaderName(name: string): string[] {
  if (/^[-A-Za-z0-9]+$/.test(name)) return [];
  return [
    regexFault("a valid HTTP header must consist of alphanumeric characters or '-'", '[-A-Za-z0-9]+', 'X-Header-Name'),
  ];
}

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

export function isValidIP(address: string): string[] {
  return ipv4.test(address) || isIPv6(address) ? [] : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
}

function isIPv6(address: string): boolean {
  if (!/^[0-9a-fA-F:.]+$/.test(address) || !address.includes(':')) return false;
  const halves = address.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  let count = 0;
  for (const [index, group] of groups.entries()) {
    if (index === groups.length - 1 && ipv4.test(group)) count += 2;
    else if (/^[0-9a-fA-F]{1,4}$/.test(group)) count += 1;
    else return false;
  }
  return halves.length === 2 ? count < 8 : count === 8;
}

const sysctlSegment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlText = `^(${sysctlSegment}[\\./])*${sysctlSegment}$`;
const sysctlName = new RegExp(sysctlText);

export function isSysctlName(name: string): string[] {
  if (byteLength(name) <= 253 && sysctlName.test(name)) return [];
  return [`must have at most 253 characters and match regex ${sysctlText}`];
}

/**
 * Checks a path below a directory. It must be relative and must not contain `..`. Upstream:
 * validateLocalDescendingPath.
 */
export function isLocalDescendingPath(path: string): string[] {
  return [...(path.startsWith('/') ? ['must be a relative path'] : []), ...hasBacksteps(path)];
}

/**
 * Checks a local path. It must be relative, must not contain a `..` segment and must not start with `..`. Upstream:
 * ValidateLocalNonReservedPath.
 */
export function isLocalNonReservedPath(path: string): string[] {
  const reserved = path.startsWith('..') && !path.startsWith('../');
  return [...isLocalDescendingPath(path), ...(reserved ? ["must not start with '..'"] : [])];
}

/** Checks that a path contains no `..` segment. Upstream: validatePathNoBacksteps. */
export function hasBacksteps(path: string): string[] {
  return path.split('/').includes('..') ? ["must not contain '..'"] : [];
}

/** Checks the permission bits of a projected file. */
export function isFileMode(mode: number): string[] {
  return mode >= 0 && mode <= 0o777 ? [] : ['must be a number between 0 and 0777 (octal), both inclusive'];
}
