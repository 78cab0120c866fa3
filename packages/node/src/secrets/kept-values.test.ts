import { describe, expect, it } from 'vitest';
import { masked } from './known-values.ts';
import { maskValue } from './recognized-secrets.ts';
import { command, event, probe, variable } from './testing/places.ts';

describe('values without a mask', () => {
  it.each([
    ['LEVEL', 'info'],
    ['PORT', '8080'],
    ['DEBUG', 'true'],
    ['TIMEOUT', '1m30s'],
    ['MEMORY', '512Mi'],
    ['RATIO', '0.75'],
    ['CONFIG', '/etc/app/config.yaml'],
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin'],
    ['API', 'http://api.shop.svc.cluster.local:8080/v1'],
    ['CACHE', 'redis6.shop.svc:6379'],
    ['STORE', 'redis://session:6379/0'],
    ['LOGIN', 'http://auth:8080/login'],
    ['BROKERS', 'kafka-0.kafka:9092,kafka-1.kafka:9092'],
    ['LANG', 'en_US.UTF-8'],
    ['TZ', 'Europe/Berlin'],
    ['JAVA_OPTS', '-Xmx512m -XX:+UseG1GC -Dlevel=info'],
    ['LISTEN', '$(POD_IP):9090'],
    ['DB_PASSWORD', '$(PASSWORD_OF_DB)'],
    ['DB_PASSWORD_FILE', '/run/secrets/db'],
    ['TOKEN_URL', 'https://login.example.com/token'],
    ['AUTH_ENABLED', 'true'],
    ['TOKEN_TTL', '24h'],
    ['REGION', 'eu-west-1'],
    ['MONKEY', 'seen'],
    ['METHODS', 'GET,POST'],
    ['MODE', 'ReadWriteOnce'],
    ['VERSION', 'v1.25.3'],
    ['REPO', 'git@github.com:acme/shop.git'],
    ['REPO', 'ssh://git@git.corp.example/acme/shop.git'],
    ['URLS', 'http://+:80'],
  ])('the harmless variable %s=%s', (name, value) => {
    expect(maskValue(variable(name, value))).toEqual(variable(name, value));
  });

  it.each([
    ['nginx', '-g', 'daemon off;'],
    ['sh', '-c', 'echo about to fail; sleep 2; exit 1'],
    ['sh', '-c', 'mkdir -p /data && cp -p a b && nc -p 80 x; ssh -p 22 host'],
    ['docker', 'run', '-p', '8080:80', 'nginx'],
    ['server', '--port=80', '--config', '/etc/app.yaml', '--token-ttl=24h', '--tls-private-key-file=/etc/tls/tls.key'],
    ['server', '--secret-name', 'tls', '--password=$(DB_PASSWORD)', '--auth-mode=basic'],
    ['sh', '-c', 'PGPASSWORD=$DB_PASSWORD psql -h db -U shop'],
    ['curl', '-fsS', 'http://127.0.0.1:8080/healthz'],
    ['npm', 'install', '@scope/tool@1.2.3'],
  ])('the harmless command %s %s %s', (...words) => {
    for (const place of [command(...words), probe(...words)]) expect(maskValue(place)).toEqual(place);
  });

  it.each([
    'back-off 2m40s restarting failed container=app pod=web_shop(7b0c1b5e-0000-4000-8000-000000000001)',
    'Back-off pulling image "registry.example.com/shop/web:1.4.2"',
    'Successfully pulled image "nginx@sha256:1111111111111111111111111111111111111111111111111111111111111111" in 1.2s',
    'Error response from daemon: pull access denied for a/b, repository does not exist or may require "docker login"',
    'failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://auth.docker.io/token?scope=repository%3Aa: 401 Unauthorized',
    'MountVolume.SetUp failed for volume "creds" : secret "db-creds" not found',
    'MountVolume.SetUp failed for volume "my-password" : references non-existent secret key: api-token',
    "couldn't find key DB_PASSWORD in Secret shop/db",
    "KeyError: 'SCRAPER_CONFIG'",
    'secret "regcred2" not found',
    'configmap "token" not found',
    'the token is not valid yet',
    'java.io.IOException: keystore password was incorrect',
    '{"level":"fatal","error":"member 8211f1d0f64f3269 has already been bootstrapped"}',
    'Error when reading /var/lib/rabbitmq/.erlang.cookie: eacces',
    'open /run/secrets/token: EACCES',
    'is not authorized to perform: secretsmanager:GetSecretValue on resource: db',
    'User may not call secretsmanager:DescribeSecret because no identity-based policy allows it',
    "Can't locate revision identified by '4f2a9c1d77be'",
    "Can't locate revision identified by 4f2a9c1d77be.",
    '{"level":"error","error":{"message":"member 8211f1d0f64f3269 has already been bootstrapped"}}',
    'Redis is loading the dataset in memory (redis://session:6379)',
    'failed to reserve sandbox name "web_shop_7b0c1b5e-0000-4000-8000-000000000001_0": name is reserved for ' +
      '"0f3e1d2c4b5a69788796a5b4c3d2e1f00f3e1d2c4b5a69788796a5b4c3d2e1f0"',
    'Liveness probe failed: Get "http://10.1.2.3:8080/healthz": dial tcp 10.1.2.3:8080: connect: connection refused',
    'Readiness probe failed: HTTP probe failed with statuscode: 503',
    'Stopping container app',
    'OCI runtime create failed: runc create failed: unable to start container process: exec: "nope": ' +
      'executable file not found in $PATH',
    '0/3 nodes are available: 3 Insufficient memory. preemption: 0/3 nodes are available: 3 No preemption ' +
      'victims found for incoming pod.',
    'Pod sandbox changed, it will be killed and re-created.',
    'Created container: web-7d4b9c6f5d-x2x8q',
  ])('the message %s', (text) => {
    for (const place of [event(text), { status: { containerStatuses: [{ state: { waiting: { message: text } } }] } }])
      expect(maskValue(place)).toEqual(place);
  });

  it('the fields on which the kubelet’s decisions depend', () => {
    const pod = {
      metadata: {
        name: 'password-service-7d4b9c6f5d-x2x8q',
        namespace: 'secrets',
        uid: '7b0c1b5e-0000-4000-8000-000000000001',
        labels: { 'app.kubernetes.io/name': 'token-server', 'pod-template-hash': '7d4b9c6f5d', auth: 'enabled' },
        annotations: {
          'kubernetes.io/config.hash': '0f3e1d2c4b5a69788796a5b4c3d2e1f0',
          'prometheus.io/port': '9090',
          'prometheus.io/scrape': 'true',
        },
      },
      spec: {
        nodeName: 'ip-10-0-1-2.eu-west-1.compute.internal',
        imagePullSecrets: [{ name: 'regcred' }],
        containers: [
          {
            name: 'secret-agent',
            image: `registry.example.com/secrets/token-server:1.4.2@sha256:${'1'.repeat(64)}`,
            ports: [{ name: 'http', containerPort: 8080 }],
            env: [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } }],
            livenessProbe: {
              httpGet: { path: '/healthz', port: 'http', httpHeaders: [{ name: 'Accept', value: 'application/json' }] },
              periodSeconds: 10,
            },
            resources: { limits: { memory: '64Mi', 'nvidia.com/gpu': '1' } },
          },
        ],
        tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }],
        volumes: [
          {
            name: 'token',
            projected: { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 3607 } }] },
          },
        ],
      },
      status: {
        podIP: '10.1.2.3',
        containerStatuses: [
          { containerID: `containerd://${'0f'.repeat(32)}`, imageID: `a/b@sha256:${'1f'.repeat(32)}` },
        ],
      },
    };
    expect(maskValue(pod)).toEqual(pod);
  });

  it('a name that is equal to a password', () => {
    expect(
      maskValue({
        metadata: { name: 'postgres' },
        ...variable('DB_PASSWORD', 'postgres'),
        ...event('Created container postgres'),
      }),
    ).toMatchObject({
      metadata: { name: 'postgres' },
      message: 'Created container postgres',
      spec: { containers: [{ env: [{ value: masked }] }] },
    });
  });
});
