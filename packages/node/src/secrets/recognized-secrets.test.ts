import { createRandom } from '@podscope/base';
import { describe, expect, it } from 'vitest';
import { masked } from './known-values.ts';
import { maskText, maskValue, RecognizedSecretMask } from './recognized-secrets.ts';
import { isSecretName } from './shapes/secret-names.ts';
import { command, event, message, probe, variable } from './testing/places.ts';

function numbers(seed: number): () => number {
  const random = createRandom(seed);
  return () => random.next();
}

const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const run = (random: () => number, letters: string, length: number): string =>
  Array.from({ length }, () => letters.charAt(Math.floor(random() * letters.length))).join('');

const lower = 'abcdefghijklmnopqrstuvwxyz';
const alphanumeric = `${lower}${lower.toUpperCase()}0123456789`;

/** Functions that return a password as people or generators make them. None is a plain word or a number. */
const makers: readonly ((random: () => number) => string)[] = [
  (random) => `${run(random, lower, 5)}${run(random, '23456789', 2)}${run(random, lower, 2)}`,
  (random) => `${run(random, alphanumeric, 10)}9a`,
  (random) => `${run(random, lower, 3)}@${run(random, lower, 3)}7x`,
  (random) => `${run(random, lower, 3)}/${run(random, lower, 4)}8q`,
  (random) => `${run(random, alphanumeric, 40)}7aB`,
  (random) => run(random, '0123456789abcdef', 32).replace(/^\d+$/, 'a1'),
  (random) => `${run(random, alphanumeric, 42)}==`,
];
const wordMakers: readonly ((random: () => number) => string)[] = [
  ...makers,
  (random) => `hunter${run(random, lower, 6)}`,
];

/** Functions that return texts in which a name or prefix identifies the secret. */
const named: readonly ((secret: string) => unknown)[] = [
  ...[
    [
      'MYSQL_ROOT_PW',
      'CRED',
      'CREDS',
      'encryptionKey',
      'masterKey',
      'STORAGEKEY',
      'DB_PASSWORD',
      'dbPassword',
      'PGPASSWORD',
      'SECRET_KEY_BASE',
      'API_TOKEN',
    ],
    [
      'APIKEY',
      'AWS_ACCESS_KEY_ID',
      'SENTRY_DSN',
      'JWT',
      'GITHUB_PAT',
      'SLACK_WEBHOOK',
      'REDIS_AUTH',
      'SMTPPASS',
      'AppSecret',
      'oauth2ClientSecret',
      'PASSWORD2',
    ],
  ]
    .flat()
    .map((name) => (secret: string) => variable(name, secret)),
  ...['mysql', 'mariadb', 'mongo', 'mongosh', 'sshpass'].flatMap((client) => [
    (secret: string) => command(client, '-u', 'root', '-p', secret),
    (secret: string) => command(client, `-p${secret}`, 'shop'),
    (secret: string) => command('sh', '-c', `exec ${client} -u root -p${secret} shop`),
    (secret: string) => probe('sh', '-c', `${client} -uroot -p '${secret}' -e 'select 1' || exit 1`),
  ]),
  (secret) => probe('redis-cli', '-a', secret, 'ping'),
  (secret) => command('/bin/sh', '-c', `redis-cli -a ${secret} ping | grep PONG`),
  (secret) => command('sh', '-ec', `PGPASSWORD=${secret} psql -h db -U shop -c 'select 1'`),
  (secret) => command('sh', '-ec', `export PGPASSWORD="${secret}"; psql -h db`),
  (secret) => command('curl', '-fsS', '-u', `user:${secret}`, 'http://127.0.0.1:9200'),
  (secret) => command('sh', '-c', `curl -uuser:${secret} http://127.0.0.1:9200/_cluster`),
  (secret) => command('sh', '-c', `docker login -u me -p ${secret} registry.example.com`),
  (secret) => command('sh', '-c', `echo ${secret} | docker login -u me --password-stdin registry.example.com`),
  (secret) => command('sqlplus', `scott/${secret}@//db:1521/shop`),
  (secret) => command('server', `--db-pw=${secret}`),
  (secret) => command('server', '--db-pw', secret),
  (secret) => command('server', `--password=${secret}`, '--port=80'),
  (secret) => command('java', `-Ddb.password=${secret}`, '-jar', 'app.jar'),
  (secret) => command('helm', 'upgrade', '--set', `db.password=${secret},level=3`),
  (secret) => variable('DATABASE_URL', `postgres://shop:${secret}@db/shop`),
  (secret) => command('migrate', `postgres://shop:${secret}@db:5432/shop?sslmode=disable`),
  (secret) => command('worker', `mongodb+srv://shop:${secret}@a.example.net/shop`),
  (secret) => command('worker', `mongodb://shop:${secret}@a:27017,b:27017/shop?replicaSet=rs`),
  (secret) => command('worker', `amqp://shop:${secret}@a:5672,amqp://shop:${secret}@b:5672`),
  (secret) => command('worker', `redis://:${secret}@cache:6379/0`),
  (secret) => command('java', `-Durl=jdbc:oracle:thin:scott/${secret}@db:1521/shop`),
  (secret) => command('java', `-Durl=jdbc:mysql://db/shop?user=shop&password=${secret}`),
  (secret) =>
    variable(
      'STORAGE',
      `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${secret};EndpointSuffix=core.windows.net`,
    ),
  (secret) =>
    command('worker', `Endpoint=sb://a.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${secret}`),
  (secret) => command('worker', '--header', `Authorization: Bearer ${secret}`),
  (secret) => command('sh', '-c', `wget --header 'Authorization: Basic ${secret}' http://x/`),
  (secret) => ({ httpHeaders: [{ name: 'Authorization', value: `Bearer ${secret}` }] }),
  (secret) => ({ httpHeaders: [{ name: 'X-Api-Key', value: secret }] }),
  (secret) => message(`connect failed: postgres://shop:${secret}@db/shop`),
  (secret) => message(`level=error password="${secret}" msg="login failed"`),
  (secret) => message(`{"level":"error","password":"${secret}"}`),
  (secret) => message(`started with --db-pw=${secret} --port=80`),
  (secret) =>
    event(
      `Exec lifecycle hook ([mysql -uroot -p${secret} -e select]) for Container "app" in Pod "web" failed - ` +
        'error: exit 1',
    ),
  (secret) => event(`Liveness probe failed: HTTP probe failed: Authorization: Bearer ${secret}`),
  (secret) => ({ metadata: { annotations: { 'example.com/api-token': secret } } }),
  (secret) => ({
    metadata: {
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
          apiVersion: 'v1',
          kind: 'Pod',
          ...variable('CREDS', secret),
        }),
      },
    },
  }),
  (secret) => ({
    metadata: {
      annotations: {
        'old.example.com/manifest': `{"kind":"Pod","spec":{"containers":[{"env":[{"name":"CREDS","value":"${secret}"`,
      },
    },
  }),
  (secret) =>
    variable('KUBECONFIG_TEXT', `apiVersion: v1\nkind: Config\nusers:\n- name: me\n  user:\n    token: ${secret}\n`),
  (secret) => variable('REGISTRY', btoa(JSON.stringify({ auths: { 'r.io': { auth: secret } } }))),
  (secret) => variable('SETTINGS', JSON.stringify({ level: 3, db: { password: secret } })),
  // A secret that is masked in one place has to be masked in every other.
  (secret) => ({ ...variable('DB_PASSWORD', secret), ...message(`could not log in as shop with ${secret}`) }),
  (secret) => ({
    ...variable('DB_PASSWORD', secret),
    ...event(`hook said: ${encodeURIComponent(secret)} ${btoa(secret)} is wrong`),
  }),
];

/** Functions that return texts in which only the form identifies the secret. */
const anonymous: readonly ((secret: string) => unknown)[] = [
  ...['SETTING', 'VALUE', 'X', 'BACKEND'].map((name) => (secret: string) => variable(name, secret)),
  (secret) => ({ httpHeaders: [{ name: 'X-Custom', value: secret }] }),
  (secret) => ({ csi: { volumeAttributes: { share: secret } } }),
];

describe('secrets', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))('in random forms and places are masked (seed %i)', (seed) => {
    const random = numbers(seed);
    const leaks: string[] = [];
    for (const [shapes, secrets] of [
      [named, wordMakers],
      [anonymous, makers],
    ] as const) {
      for (const shape of shapes) {
        const secret = pick(random, secrets)(random);
        const clean = JSON.stringify(maskValue(shape(secret)));
        // The masked text doesn't contain any five consecutive characters of the secret.
        for (let at = 0; at + 5 <= secret.length; at++)
          if (clean.includes(secret.slice(at, at + 5))) {
            leaks.push(`${secret} in ${clean}`);
            break;
          }
      }
    }
    expect(leaks).toEqual([]);
  });

  it.each([
    'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln',
    'ghp_0123456789abcdefghij0123456789',
    'github_pat_11ABCDEFG0abcdefghij_0123456789',
    'AKIAIOSFODNN7EXAMPLE',
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'AIzaSyA1234567890abcdefghijklmnopqrstuv',
    'xoxb-1234567890-abcdefghijkl',
    'sk_live_0123456789abcdefghijklmn',
    'glpat-0123456789abcdefghij',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn\n-----END RSA PRIVATE KEY-----',
    'LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo=',
    'eyJhdXRocyI6eyJyLmlvIjp7ImF1dGgiOiJkWE5sY2pwb2RXNTBaWEl5In19fQ==',
  ])('with a recognizable prefix are masked: %s', (token) => {
    for (const place of [
      variable('X', token),
      command('tool', token),
      message(`said ${token} and ended`),
      event(`said ${token}`),
      { metadata: { annotations: { a: token } } },
    ])
      expect(JSON.stringify(maskValue(place))).not.toContain(token.slice(4, 16));
  });
});

describe('a value after words like those of system errors and actions', () => {
  it.each([
    ['Cookie: eacces9x81k', 'eacces9x81k'],
    ['Set-Cookie: sid=eacces; id=77xk2', '77xk2'],
    ['password=eacces9', 'eacces9'],
    ['redis://session:63794a@cache:6379', '63794a'],
    ['redis://session:6379@cache', '6379@'],
    ['{"error":"cannot log in with the password hunter2xk"}', 'hunter2xk'],
    ['the password was incorrect7x', 'incorrect7x'],
    ['the password is wrong-horse9', 'horse9'],
    ['{"error":"hunter2xk7"}', 'hunter2xk7'],
    ['db-secret: GetSecretValue7', 'GetSecretValue7'],
    ['secretsmanager: hunter2xk', 'hunter2xk'],
    ["CREATE USER shop IDENTIFIED BY '4f2a9c1d77be'", '4f2a9c1d77be'],
    ['//pin:4711', '4711'],
    ['amqp://secret:8080/x', '8080'],
    ['revision identified by S3cr3tPw9', 'S3cr3tPw9'],
    ["revision identified by 'S3cr3tPw9'", 'S3cr3tPw9'],
    ['revision identified by 4f2a9c1d77beXq', '4f2a9c1d77be'],
    ['revision password is S3cr3tPw9', 'S3cr3tPw9'],
  ])('is masked: %s', (text, secret) => {
    expect(maskText(text)).not.toContain(secret);
  });
});

describe('a sentence in JSON that isn’t a message of a program', () => {
  const annotation = (text: string) => ({ metadata: { annotations: { 'example.com/about': text } } });
  const file = (text: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', data: { 'about.json': text } });
  const id = '0f3e1d2c4b5a69788796a5b4c3d2e1f00f3e1d2c4b5a69788796a5b4c3d2e1f0';

  it.each([
    ['{"detail":"open with hunter2xyz right now"}', 'hunter2xyz'],
    ['{"description":"the door opens with hunter2xyz now"}', 'hunter2xyz'],
    ['{"err":"the code for admin was Tr0ub4dor3Zq"}', 'Tr0ub4dor3Zq'],
    ['{"error":{"message":"the code for admin was Tr0ub4dor3Zq"}}', 'Tr0ub4dor3Zq'],
    [`{"message":"the data is sealed with ${id}"}`, id],
  ])('is masked in variables, annotations, arguments, files and texts: %s', (text, secret) => {
    const manifest = JSON.stringify({ apiVersion: 'v1', kind: 'Config', message: text });
    for (const place of [
      variable('CFG', text),
      variable('CFG', manifest),
      annotation(text),
      annotation(manifest),
      command('server', '--about', text),
      file(text),
      { options: { nested: { message: text } } },
    ])
      expect(JSON.stringify(maskValue(place))).not.toContain(secret);
    expect(maskText(text)).not.toContain(secret);
  });

  it.each([
    ['{"detail":"open with hunter2xyz right now"}', 'hunter2xyz'],
    ['{"env":{"message":"the code for admin was Tr0ub4dor3Zq"}}', 'Tr0ub4dor3Zq'],
    ['{"env":[{"name":"error","value":"the code for admin was Tr0ub4dor3Zq"}]}', 'Tr0ub4dor3Zq'],
    [`{"message":"the data is sealed with ${id}"}`, id],
  ])('is masked in a structured log outside its messages, and if it looks random: %s', (text, secret) => {
    for (const place of [message(text), event(text)]) expect(JSON.stringify(maskValue(place))).not.toContain(secret);
  });
});

describe('maskText', () => {
  it.each([
    ['postgres://shop:hunter2@db/shop', 'postgres://shop:••••••@db/shop'],
    ['postgres://u:p@ss@h', 'postgres://u:••••••@h'],
    ['postgres://u:pa/ss@h', 'postgres://u:••••••@h'],
    ['jdbc:oracle:thin:scott/tiger@h', 'jdbc:oracle:thin:scott/••••••@h'],
    ['origin:git@git.corp.example/shop/conf.git', 'origin:git@git.corp.example/shop/conf.git'],
    ['repo:hunter2@git.corp.example/shop/conf.git', 'repo:••••••@git.corp.example/shop/conf.git'],
    ['http://h:8080/@scope/x@1 and http://h:80', 'http://h:8080/@scope/x@1 and http://h:80'],
    ['--db-password=hunter2 --level=3', '--db-password=•••••• --level=3'],
    ['{"token": "abc123"}', '{"token":"••••••"}'],
    ['{"level": 3, "list": [true]}', '{"level": 3, "list": [true]}'],
    ['Authorization: Bearer abcdefghijkl', 'Authorization: ••••••'],
    ['{"auths":{"r.io":{"auth":"dXNlcjpodW50ZXIy"}}}', '{"auths":{"r.io":{"auth":"••••••"}}}'],
    ['[{"name":"DB_PWD","value":"hunter2"}]', '[{"name":"DB_PWD","value":"••••••"}]'],
    ["login failed with password 'hunter2'", 'login failed with password ••••••'],
    ['token abc1234 was rejected', 'token •••••• was rejected'],
    ['AccountName=a;AccountKey=abc==;X=y', 'AccountName=a;AccountKey=••••••;X=y'],
    ['curl -u me:hunter2 http://x/?sig=abc', 'curl -u me:•••••• http://x/?sig=••••••'],
    ['mysql -uroot -phunter2 && echo -p 3', 'mysql -uroot -p•••••• && echo -p 3'],
    [String.raw`{\"password\": \"hunter2\", \"level\": 3`, String.raw`{\"password\": \"••••••\", \"level\": 3`],
    ['client-key-data: abc\nlevel: 3', 'client-key-data: ••••••\nlevel: 3'],
    ["ALTER USER shop IDENTIFIED BY 'hunter2'", 'ALTER USER shop IDENTIFIED BY ••••••'],
    ['nothing to hide', 'nothing to hide'],
  ])('masks only the secrets in: %s', (text, clean) => {
    expect(maskText(text)).toBe(clean);
  });

  it('masks a long text within five seconds of processor time', () => {
    const began = process.cpuUsage();
    for (const part of ['password=" ', 'a://b:c', '-p ', 'eyJ', 'Aa0', '"', "' ", 'x=y ']) maskText(part.repeat(4_000));
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(5_000);
  });
});

it('recognizes names of secrets and no other names', () => {
  for (const name of [
    'password',
    'rootPw',
    'API-KEY',
    'x_key',
    'KEY',
    'TOKENS',
    'clientSecret',
    'MYSQLPWD',
    'auth',
    'AWS_ACCESS_KEY_ID',
  ])
    expect([name, isSecretName(name)]).toEqual([name, true]);
  for (const name of [
    'KEYBOARD',
    'monkey',
    'bypass',
    'PASSWORD_FILE',
    'TOKEN_TTL',
    'AUTHOR',
    'keyword',
    'compass',
    'level',
    'secretName',
    'HOSTNAME',
    'Accept',
  ])
    expect([name, isSecretName(name)]).toEqual([name, false]);
});

describe('a text of a CRI request', () => {
  const member = (name: string, holder: object, within?: string) => {
    const text: unknown = Object.entries(holder).find(([key]) => key === name)?.[1];
    return new RecognizedSecretMask().member(String(text), { name, holder, within });
  };

  it('is masked if it is the value of a variable, unless it is certainly no secret', () => {
    expect(member('value', { key: 'DB_PASSWORD', value: 'hunter2' }, '0')).toBe(masked);
    expect(member('value', { key: 'MODE', value: 'x9-kT2!z' }, '0')).toBe(masked);
    expect(member('value', { key: 'PORT', value: '8080' }, '0')).toBe('8080');
    expect(member('key', { key: 'DB_PASSWORD', value: 'hunter2' }, '0')).toBe('DB_PASSWORD');
  });

  it('is masked in arguments and annotations that name a secret', () => {
    expect(member('1', ['--password', 'hunter2'], 'args')).toBe(masked);
    expect(member('0', ['--verbose', 'hunter2'], 'args')).toBe('--verbose');
    expect(member('example.com/api-token', { 'example.com/api-token': 'hunter2' }, 'annotations')).toBe(masked);
  });

  it('is kept if it is an id, an image or a path', () => {
    const id = '4f1d0a9be27c35d86e1f0a9be27c35d84f1d0a9be27c35d86e1f0a9be27c35d8';
    expect(member('podSandboxId', { podSandboxId: id })).toBe(id);
    expect(member('containerId', { containerId: id })).toBe(id);
    expect(member('image', { image: `sha256:${id}` }, 'image')).toBe(`sha256:${id}`);
    const hostPath = '/var/lib/kubelet/pods/00000000-0000-4000-8000-000000000009/etc-hosts';
    expect(member('hostPath', { hostPath, containerPath: '/etc/hosts' }, '0')).toBe(hostPath);
  });
});
