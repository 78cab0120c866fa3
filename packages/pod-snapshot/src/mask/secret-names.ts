/** Which names say that what they name is a secret: of variables, options, headers, keys of maps. */

/** Secret as a word of its own: `MYSQL_ROOT_PW`, `signing-key`, `encryptionKey`. */
const secretWords: ReadonlySet<string> = new Set(
  (
    'pass passes password passwords passwd passphrase passcode pw pwd pswd psw psk pat pin otp totp jwt jwk jwks dsn salt pepper hmac sas sig signature ' +
    'secret secrets token tokens cred creds credential credentials key keys apikey apikeys auth authn oauth authorization bearer cookie cookies session ' +
    'sid private mnemonic webhook connstr kubeconfig dockerconfigjson dockercfg dockerconfig netrc pgpass htpasswd'
  ).split(' '),
);

/** Secret wherever it stands in a name without gaps: `DBPASSWORD`, `myapitoken`. */
const secretPart =
  /pass(?:word|wd|phrase|code)|secret|token|credential|api[-_.]?key|private[-_.]?key|access[-_.]?key|connection[-_.]?string|conn[-_.]?str|authorization|bearer|cookie|dockerconfig|kubeconfig/;

/** Secret at the end of a word without gaps: `STORAGEKEY`, `ROOTPW`. */
const secretEnd = /(?:key|keys|pass|pw|pwd|creds?)$/;
/** Words that only end so. */
const harmlessEnd = /^(?:.*(?:monkeys?|turkeys?|donkeys?|whiskeys?|hockeys?|jockeys?|hotkeys?|keys?words?|bypass|compass|overpass|trespass|sacred|incred))$/;

/** What a name tells about rather than is, by its last word: `PASSWORD_FILE`, `TOKEN_URL`, `AUTH_MODE`. */
const aboutIt: ReadonlySet<string> = new Set(
  (
    'file files path paths dir directory name names url uri endpoint host hostname port mode type enabled disabled required optional ttl expiry expiration ' +
    'expires timeout lifetime interval duration length size count limit issuer audience algorithm alg prefix suffix header field provider method policy ' +
    'version space store class backend service server domain realm region scope scopes kind id ref format'
  ).split(' '),
);

/** The words of a name: at gaps, and where camel case begins another. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

/** True for the name of a secret: what has it is one, whatever it looks like. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined) return false;
  // `ACCESS_KEY_ID` is half of a pair of credentials.
  if (words.length > 1 && aboutIt.has(last) && !/key[-_.]?id$/i.test(name)) return false;
  return (
    secretPart.test(words.join('')) ||
    words.some((word) => {
      const plain = word.replace(/\d+$/, '');
      return secretWords.has(plain) || (plain.length > 4 && secretEnd.test(plain) && !harmlessEnd.test(plain));
    })
  );
}

/** Names of which no sentence is about: what follows after a colon is the secret itself. */
export const isPasswordName = (name: string): boolean => /pass(?:word|wd|phrase|code)?s?$|(?:^|[^a-z])p(?:ass|w|wd|swd|in)$/i.test(name);
