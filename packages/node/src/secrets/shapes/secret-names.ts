/** Recognizes names of secrets: of variables, options, headers and map keys. */

/** Words that make a name secret: `MYSQL_ROOT_PW`, `signing-key`, `encryptionKey`. */
const secretWords: ReadonlySet<string> = new Set(
  (
    'pass passes password passwords passwd passphrase passcode pw pwd pswd psw psk pat pin otp totp jwt jwk ' +
    'jwks dsn salt pepper hmac sas sig signature ' +
    'secret secrets token tokens cred creds credential credentials key keys apikey apikeys auth authn oauth ' +
    'authorization bearer cookie cookies session ' +
    'sid private mnemonic webhook connstr kubeconfig dockerconfigjson dockercfg dockerconfig netrc pgpass htpasswd'
  ).split(' '),
);

/** Parts that make a name secret anywhere in it: `DBPASSWORD`, `myapitoken`. */
const secretPart =
  /pass(?:word|wd|phrase|code)|secret|token|credential|api[-_.]?key|private[-_.]?key|access[-_.]?key|connection[-_.]?string|conn[-_.]?str|authorization|bearer|cookie|dockerconfig|kubeconfig/;

/** Word endings that make a name secret: `STORAGEKEY`, `ROOTPW`. */
const secretEnd = /(?:key|keys|pass|pw|pwd|creds?)$/;
/** Harmless words with such an ending. */
const harmlessEnd =
  /^(?:.*(?:monkeys?|turkeys?|donkeys?|whiskeys?|hockeys?|jockeys?|hotkeys?|keys?words?|bypass|compass|overpass|trespass|sacred|incred))$/;

/** Last words of names that describe a secret rather than contain it: `PASSWORD_FILE`, `TOKEN_URL`, `AUTH_MODE`. */
const descriptiveWords: ReadonlySet<string> = new Set(
  (
    'file files path paths dir directory name names url uri endpoint host hostname port mode type enabled ' +
    'disabled required optional ttl expiry expiration ' +
    'expires timeout lifetime interval duration length size count limit issuer audience algorithm alg prefix ' +
    'suffix header field provider method policy ' +
    'version space store class backend service server domain realm region scope scopes kind id ref format'
  ).split(' '),
);

/** Splits a name at separators and at camel case. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

/** Returns whether a value with that name is a secret, whatever it looks like. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined) return false;
  // `ACCESS_KEY_ID` ends in a descriptive word but is half of a credential pair.
  if (words.length > 1 && descriptiveWords.has(last) && !/key[-_.]?id$/i.test(name)) return false;
  return (
    secretPart.test(words.join('')) ||
    words.some((word) => {
      const plain = word.replace(/\d+$/, '');
      return secretWords.has(plain) || (plain.length > 4 && secretEnd.test(plain) && !harmlessEnd.test(plain));
    })
  );
}

/** Returns whether text after the name and a colon is the secret itself, never a sentence. */
export const isPasswordName = (name: string): boolean =>
  /pass(?:word|wd|phrase|code)?s?$|(?:^|[^a-z])p(?:ass|w|wd|swd|in)$/i.test(name);
