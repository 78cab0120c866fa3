/** Finds secrets in command lines: option values, short options of known programs, and positional arguments. */
import { masked } from '../known-values.ts';
import { isSecretName } from './secret-names.ts';
import { isHarmlessValue, isReference } from './secret-shapes.ts';

/** The short options of a program whose value is a secret or `user:secret`. */
interface Program {
  readonly names: RegExp;
  readonly secret?: RegExp;
  readonly login?: RegExp;
  /** A word that must precede the option. For example, in `docker run -p` the value is a port. */
  readonly after?: RegExp;
}

const programs: readonly Program[] = [
  {
    names: /^(?:mysql\w*|mariadb[\w-]*|mycli|mongo\w*|sshpass|cqlsh|clickhouse-client|7z[ar]?|influx|ssh-keygen)$/,
    secret: /^-(?:p|P|N)/,
  },
  { names: /^(?:redis-cli|valkey-cli|keydb-cli)$/, secret: /^-a/ },
  { names: /^(?:docker|podman|nerdctl|buildah|skopeo|crane|oras|helm|oc|az|regctl)$/, secret: /^-p/, after: /^login$/ },
  { names: /^(?:curl|http|https|xh|wget|aria2c)$/, login: /^-[uUa]/ },
  { names: /^(?:lftp|smbclient|ncftp\w*|rpcclient)$/, login: /^-[uU]/, secret: /^-p/ },
  { names: /^ldap\w+$/, secret: /^-w/ },
  { names: /^(?:mosquitto_\w+|sqlcmd|bcp|isql|tsql|zip|unzip)$/, secret: /^-P/ },
  { names: /^(?:rabbitmqadmin|psql|pg_dump|kinit|etcdctl)$/, secret: /^--?(?:p|password)$/ },
  { names: /^openssl$/, secret: /^-(?:k|K|passin|passout|pass)$/ },
];

const programOf = (word: string): Program | undefined => {
  const name = word.replace(/^.*[/[]/, '').replace(/\]$/, '');
  return programs.find(({ names }) => names.test(name));
};

/** Returns whether the text after the dash is a long option with one dash, for example `-port` or `-path`. */
const isLongOption = (rest: string): boolean =>
  /^(?:ort|ath|rofile|arallel|rint|id|id-file|ass(?:word|in|out)?)$/.test(rest);

/** Masks the secret in `user:secret`. A user without a secret is kept. */
const withoutLogin = (login: string, take: (secret: string) => string): string =>
  login.replace(/^([^:%,]*[:%,])([\s\S]+)$/, (_, user: string, secret: string) =>
    isReference(secret) ? `${user}${secret}` : `${user}${take(secret)}`,
  );

/** Reads the words of one command in order. */
export class CommandReader {
  readonly #take: (secret: string) => string;
  #program: Program | undefined;
  /** Whether the word in {@link Program.after} has been read. */
  #isOpen = false;
  /** The current program or subcommand with positional secrets. */
  #place: 'oracle' | 'htpasswd' | 'mc' | 'alias' | 'keys' | undefined;
  /** How many positional arguments have been read since {@link #place} was set. */
  #positionals = 0;
  /** The kind of the previous option's value; undefined for an option without a value. */
  #wants: 'secret' | 'login' | 'maybe' | undefined;

  constructor(take: (secret: string) => string) {
    this.#take = take;
  }

  /** Reads the next word. Returns it with its secret masked; undefined if it contains no secret. */
  read(word: string): string | undefined {
    const wants = this.#wants;
    this.#wants = undefined;
    const clean =
      wants !== undefined && (!word.startsWith('-') || wants === 'secret')
        ? this.#value(word, wants)
        : this.#option(word);
    this.#remember(word);
    return clean;
  }

  #remember(word: string): void {
    const program = programOf(word);
    if (program) {
      this.#program = program;
      this.#isOpen = program.after === undefined;
    } else this.#isOpen ||= this.#program?.after?.test(word) ?? false;
    const name = word.replace(/^.*\//, '');
    if (/^(?:sqlplus|sqlldr|expdp|impdp|rman)$/.test(name)) this.#place = 'oracle';
    else if (name === 'htpasswd' || name === 'mc') this.#place = name;
    else if (name === 'alias' && this.#place === 'mc') this.#place = 'alias';
    else if (this.#place === 'alias' && /^https?:/.test(word)) this.#place = 'keys';
    else if (!word.startsWith('-')) this.#positionals++;
    if (name === 'htpasswd') this.#positionals = 0;
  }

  #value(word: string, wants: 'secret' | 'login' | 'maybe'): string | undefined {
    if (word === '' || word.includes(masked) || isReference(word)) return undefined;
    // Another option follows, so the previous option has no value.
    if (word.startsWith('-') && /^--?[a-z][\w-]*(?:=|$)/i.test(word) && word.length < 20) return this.#option(word);
    if (wants === 'login') return withoutLogin(word, this.#take);
    if (wants === 'maybe') return isHarmlessValue(word) ? undefined : this.#take(word);
    // The word is the path of a file with the secret, which isn't secret itself.
    if (/^\.{0,2}\//.test(word) && isHarmlessValue(word)) return undefined;
    return this.#take(word);
  }

  #option(word: string): string | undefined {
    const [, name, equals, value = ''] = /^(--?[A-Za-z][\w.-]*)(=?)([\s\S]*)$/.exec(word) ?? [];
    if (name === undefined) return this.#positional(word);
    if (this.#program && this.#isOpen) {
      const found = this.#short(word, this.#program);
      if (found !== undefined) return found;
    }
    if (this.#wants !== undefined) return undefined;
    if (/^--?(?:user|proxy-user)$/.test(name)) {
      if (equals === '') this.#wants = 'login';
      else return `${name}=${withoutLogin(value, this.#take)}`;
      return undefined;
    }
    const words = name.replace(/^-+/, '');
    const isSecret =
      words.length > 1 && isSecretName(words) && !/^(?:max|min|num|no|with|use|enable|disable|allow|skip)-/.test(words);
    if (isSecret && equals === '') this.#wants = 'secret';
    else if (
      isSecret &&
      value !== '' &&
      !isReference(value) &&
      !(/^\.{0,2}\//.test(value) && isHarmlessValue(value)) &&
      !/^(?:true|false)$/.test(value)
    )
      return `${name}=${this.#take(value)}`;
    // In an unknown program, the value may be a port, a directory or a password.
    else if (/^-[paw]$/.test(word)) this.#wants = 'maybe';
    return undefined;
  }

  /** Masks the value of a short option, for example in `-phunter2`, `-p hunter2` or `-u me:hunter2`. */
  #short(word: string, { secret, login }: Program): string | undefined {
    for (const [pattern, wants] of [
      [secret, 'secret'],
      [login, 'login'],
    ] as const) {
      const flag = pattern?.exec(word)?.[0];
      if (flag === undefined) continue;
      const rest = word.slice(flag.length);
      if (rest === '') this.#wants = wants;
      else if (!isLongOption(rest) && !/^\w+=/.test(rest) && !flag.startsWith('--')) {
        if (isReference(rest)) return word;
        return `${flag}${wants === 'login' ? withoutLogin(rest, this.#take) : this.#take(rest)}`;
      }
    }
    return undefined;
  }

  /**
   * Masks a positional argument, for example in `sqlplus scott/tiger@db`, `htpasswd -b file user password` or
   * `mc alias set name url key secret`.
   */
  #positional(word: string): string | undefined {
    if (this.#place === 'oracle' && /^\w+\/[^/]/.test(word))
      return word.replace(
        /^(\w+\/)(.+?)(@[^@]*)?$/,
        (_, user: string, secret: string, host = '') => `${user}${this.#take(secret)}${host}`,
      );
    if ((this.#place === 'htpasswd' && this.#positionals >= 2) || this.#place === 'keys') return this.#take(word);
    return undefined;
  }
}

/** Matches the words and command separators of a shell. */
const shellToken = /[|;&\n()]+|(?:\$\([\w.-]*\)|"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'|;&()\\])+/g;

/** Masks secrets in a text that is a command line or may quote one. */
export function withoutCommandSecrets(text: string, take: (secret: string) => string): string {
  let reader = new CommandReader(take);
  return text.replaceAll(shellToken, (token) => {
    if (/^[|;&\n()]/.test(token)) {
      reader = new CommandReader(take);
      return token;
    }
    const [, quote = '', inner = token] = /^(["'])([\s\S]*)\1$/.exec(token) ?? [];
    const clean = reader.read(inner);
    if (clean !== undefined) return `${quote}${clean}${quote}`;
    // A quoted word may be a command, for example in su -c "mysql -p…".
    return quote !== '' && /\s/.test(inner) ? `${quote}${withoutCommandSecrets(inner, take)}${quote}` : token;
  });
}
