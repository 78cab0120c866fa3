/** Formats text for `printf` and expands the escapes of `echo -e`. */

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  '"': '"',
};

/** Replaces escapes like `\n`, `\t`, `\0NNN` and `\xHH`. */
export function unescape(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|(.))/g,
    (whole: string, hex?: string, octal?: string, char?: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      return escapes[char ?? ''] ?? whole;
    },
  );
}

const conversion = /%(?:%|(-?)(0?)(\d*)(?:\.(\d+))?([sdiuxXofcb]))/g;

function convert(type: string, precision: string | undefined, value: string): string {
  switch (type) {
    case 's':
      return precision === undefined ? value : value.slice(0, Number(precision));
    case 'b':
      return unescape(value);
    case 'c':
      return value.charAt(0);
    case 'x':
      return (Number(value) || 0).toString(16);
    case 'X':
      return (Number(value) || 0).toString(16).toUpperCase();
    case 'o':
      return (Number(value) || 0).toString(8);
    case 'f':
      return (Number(value) || 0).toFixed(Number(precision ?? 6));
    default:
      return String(Math.trunc(Number(value) || 0));
  }
}

/** Formats arguments as `printf` does. The format is used again until all arguments are consumed. */
export function formatPrintf(format: string, args: readonly string[]): string {
  const rest = [...args];
  let result = '';
  do {
    const before = rest.length;
    result += unescape(format).replaceAll(
      conversion,
      (
        whole: string,
        left: string,
        zero: string,
        width: string,
        precision: string | undefined,
        type: string | undefined,
      ) => {
        if (type === undefined) return whole === '%%' ? '%' : whole;
        const text = convert(type, precision, rest.shift() ?? '');
        if (left) return text.padEnd(Number(width || 0));
        return text.padStart(Number(width || 0), zero && type !== 's' ? '0' : ' ');
      },
    );
    if (rest.length === before) break;
  } while (rest.length > 0);
  return result;
}
