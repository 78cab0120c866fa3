/** Recognizes the names of secrets. They are names of variables, options, headers and map keys. */

/** Words that identify the name of a secret, for example in `MYSQL_ROOT_PW`, `signing-key` or `encryptionKey`. */
const secretWords: ReadonlySet<string> = new Set(
  (
    'pass passes password passwords passwd passphrase passcode pw pwd pswd psw psk pat pin otp totp jwt jwk ' +
    'jwks dsn salt pepper hmac sas sig signature ' +
    'secret secrets token tokens cred creds credential credentials key keys apikey apikeys auth authn oauth ' +
    'authorization bearer cookie cookies session ' +
    'sid private mnemonic webhook connstr kubeconfig dockerconfigjson dockercfg dockerconfig netrc pgpass htpasswd'
  ).split(' '),
);

/** Matches parts that identify the name of a secret at any position, for example in `DBPASSWORD` or `myapitoken`. */
const secretPart =
  /pass(?:word|wd|phrase|code)|secret|token|credential|api[-_.]?key|private[-_.]?key|access[-_.]?key|connection[-_.]?string|conn[-_.]?str|authorization|bearer|cookie|dockerconfig|kubeconfig/;

/** Matches endings of words that identify the name of a secret, for example in `STORAGEKEY` or `ROOTPW`. */
const secretEnd = /(?:key|keys|pass|pw|pwd|creds?)$/;
/** Matches harmless words that have one of these endings. */
const harmlessEnd =
  /^(?:.*(?:monkeys?|turkeys?|donkeys?|whiskeys?|hockeys?|jockeys?|hotkeys?|keys?words?|bypass|compass|overpass|trespass|sacred|incred))$/;

/** Last words of names whose value only describes a secret, for example `PASSWORD_FILE`, `TOKEN_URL` or `AUTH_MODE`. */
const descriptiveWords: ReadonlySet<string> = new Set(
  (
    'file files path paths dir directory name names url uri endpoint host hostname port mode type enabled ' +
    'disabled required optional ttl expiry expiration ' +
    'expires timeout lifetime interval duration length size count limit issuer audience algorithm alg prefix ' +
    'suffix header field provider method policy ' +
    'version space store class backend service server domain realm region scope scopes kind id ref format'
  ).split(' '),
);

/** Splits a name into words, at separators and before capital letters. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

/** Returns whether every value with this name is a secret. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined) return false;
  // `ACCESS_KEY_ID` ends with a descriptive word, but its value is half of a pair of credentials.
  if (words.length > 1 && descriptiveWords.has(last) && !/key[-_.]?id$/i.test(name)) return false;
  return (
    secretPart.test(words.join('')) ||
    words.some((word) => {
      const plain = word.replace(/\d+$/, '');
      return secretWords.has(plain) || (plain.length > 4 && secretEnd.test(plain) && !harmlessEnd.test(plain));
    })
  );
}

/** Returns whether a text that follows this name and a colon is a secret and not a sentence. */
export const isPasswordName = (name: string): boolean =>
  /pass(?:word|wd|phrase|code)?s?$|(?:^|[^a-z])p(?:ass|w|wd|swd|in)$/i.test(name);
