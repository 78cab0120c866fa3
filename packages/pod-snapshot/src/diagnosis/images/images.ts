/**
 * Diagnoses images that can't be pulled, from the messages of Docker, containerd, CRI-O and registries. Upstream:
 * images.EnsureImageExists (kubelet), remotes/docker (containerd), containers/image (CRI-O).
 */
import { parseImageReference } from '@podscope/base';
import { addMilliseconds, type Instant } from '@podscope/trace';
import { type ExplainText, textOf } from '@podscope/trace/explain';
import {
  type ContainerCase,
  type ContainerMatcher,
  eventFact,
  exactly,
  factsOf,
  newest,
  type PodCase,
  timed,
} from '../pod-case.ts';
import { innermost } from '../program/start.ts';
import { journalUnits, loadImage, onNode, registrySettings, runtimeService, runtimeTool } from '../runtime.ts';
import {
  type Ask,
  createSecret,
  credentials,
  type Explained,
  nameOf,
  nameSecret,
  secretsOf,
  setImage,
} from './credentials.ts';
import { missingImage } from './missing-image.ts';
import { otherHost, otherHostRefuses, otherHostUnreachable } from './other-host.ts';
import { trustRegistry } from './registry-trust.ts';

/** The causes by their message, the most specific first. */
const causes: readonly (readonly [RegExp, (ask: Ask, found: RegExpExecArray) => Explained])[] = [
  [
    // Upstream: images.throttleImagePulling (kubelet).
    /pull QPS exceeded/i,
    ({ it, values }) => ({
      title: textOf('imgQpsTitle', values),
      cause: [textOf('imgQps', values)],
      next: [
        { why: textOf('imgQpsWait'), command: it.kubectl(`get pod ${it.name} -w`) },
        {
          why: textOf('imgQpsFix', values),
          command: onNode(it, 'grep -i -e registryPullQPS -e registryBurst /var/lib/kubelet/config.yaml'),
        },
      ],
      origin: 'kubelet',
    }),
  ],
  [
    /toomanyrequests|429 Too Many Requests|pull rate limit/i,
    (ask) => ({
      title: textOf('imgRateTitle', ask.values),
      cause: [textOf(secretsOf(ask.it).length === 0 ? 'imgRateAnonymous' : 'imgRate', ask.values)],
      next: [
        createSecret(ask, 'regcred'),
        ...nameSecret(ask, 'regcred'),
        {
          why: textOf('imgMirror', { ...ask.values, file: registrySettings(ask.it, ask.name.registry) }),
          command: onNode(ask.it, `cat ${registrySettings(ask.it, ask.name.registry)}`),
        },
      ],
      outlook: [textOf('imgRateWindow', ask.values)],
    }),
  ],
  [
    /no space left on device|disk quota exceeded/i,
    ({ it, values }) => ({
      title: textOf('imgSpaceTitle', values),
      cause: [textOf('imgSpace', values)],
      next: [
        {
          why: textOf('nodePrune', values),
          command: onNode(it, runtimeTool(it) === 'docker' ? 'docker image prune -a' : 'crictl rmi --prune'),
        },
        {
          why: textOf('nodeDf', values),
          command: onNode(it, 'df -h /var/lib/containerd /var/lib/containers /var/lib/docker /var/lib/kubelet'),
        },
        { why: textOf('nodeCordon', values), command: `kubectl cordon ${it.node}` },
      ],
      origin: 'node',
    }),
  ],
  [
    /SignatureValidationFailed|signature (?:was required|validation|verification)|Source image rejected|cosign/i,
    ({ it, values }) => ({
      title: textOf('imgSignatureTitle', values),
      cause: [textOf('imgSignature', values)],
      next: [
        { why: textOf('imgPolicy', values), command: onNode(it, 'cat /etc/containers/policy.json') },
        ...it.change('imgSign', values),
      ],
      origin: 'configuration',
    }),
  ],
  [
    // A chart, a policy or another artifact has layers that aren't file systems.
    /mismatched image rootfs and manifest layers|application\/vnd\.(?:cncf\.(?!oras)|oci\.empty|wasm|in-toto|dev\.cosign)[\w.+-]*|unknown image config type|image config [^\n]*has no rootfs/i,
    ({ it, values, image }) => ({
      title: textOf('imgArtifactTitle', values),
      cause: [textOf('imgArtifact', values), ...(/chart/i.test(image) ? [textOf('imgArtifactChart', values)] : [])],
      next: [
        { why: textOf('imgArtifactLook', values), command: `skopeo inspect --raw docker://${image}` },
        ...it.change('imgArtifactFix', values),
      ],
      origin: 'configuration',
    }),
  ],
  [
    /media type [^\n]*(?:no longer supported|not supported|unsupported)|unsupported (?:media type|manifest|MediaType)|not implemented: |schema ?(?:version ?)?1[^\n]*(?:unsupported|no longer)|invalid manifest|mismatch(?:ed)? media type/i,
    ({ values, image }, { input }) => ({
      title: textOf('imgFormatTitle', values),
      cause: [textOf('imgFormat', { ...values, what: innermost(input) })],
      next: [
        {
          why: textOf('imgFormatFix', values),
          command: `skopeo copy --format v2s2 docker://${image} docker://${image}`,
        },
      ],
      origin: 'configuration',
    }),
  ],
  [
    /proxyconnect tcp: (?:dial tcp:? )?(?:lookup )?(?<proxy>[\w.-]+(?::\d+)?)?|407 Proxy Authentication Required/i,
    ({ it, values }, { groups }) => {
      const proxy = groups?.['proxy'] ?? 'HTTPS_PROXY';
      const url = `https://${values['registry'] === 'docker.io' ? 'registry-1.docker.io' : values['registry']}/v2/`;
      return {
        title: textOf('imgProxyTitle', { ...values, proxy }),
        cause: [textOf('imgProxy', { ...values, proxy })],
        next: [
          {
            why: textOf('imgProxyShow', values),
            command: onNode(it, `systemctl show -p Environment ${runtimeService(it)}`),
          },
          { why: textOf('imgProxyTry', values), command: onNode(it, `curl -vI -x http://${proxy} ${url}`) },
        ],
        origin: 'network',
      };
    },
  ],
  [
    /unexpected EOF|short read|digest mismatch|unexpected commit digest|failed (?:size|commit) validation|size validation failed|checksum|filesystem layer verification failed/i,
    ({ it, values, image }, [what = '']) => ({
      title: textOf('imgDamagedTitle', values),
      cause: [textOf('imgDamaged', { ...values, what })],
      next: [
        {
          why: textOf('imgTry', values),
          command: onNode(it, runtimeTool(it) === 'docker' ? `docker pull ${image}` : `crictl pull ${image}`),
        },
        { why: textOf('imgDownTry', values), command: `skopeo inspect docker://${image}` },
      ],
      origin: 'network',
    }),
  ],
  [
    /failed to extract layer|failed to register layer|lchown|applying layer|archive\/tar|unpigz|failed to unpack (?!image "[^"]*": failed to resolve)[^\n]*(?:mount|overlay|snapshot)/i,
    ({ it, values }, { input }) => ({
      title: textOf('imgUnpackTitle', values),
      cause: [textOf('imgUnpack', { ...values, what: innermost(input) })],
      next: [
        {
          why: textOf('runtimeLoad', values),
          command: onNode(it, `journalctl ${journalUnits(it)} -n 100 --no-pager`),
        },
        {
          why: textOf('nodeDf', values),
          command: onNode(it, 'df -hi /var/lib/containerd /var/lib/containers /var/lib/docker'),
        },
      ],
      origin: 'node',
    }),
  ],
  [
    /no match(?:ing manifest)? for (?:platform|\S+ in the manifest)|no matching manifest|no image found in (?:manifest list|image index)/i,
    ({ it, values, container }) => {
      const arch = it.pod.spec.nodeSelector?.['kubernetes.io/arch'];
      return {
        title: textOf('imgPlatformTitle', values),
        cause: [textOf('imgPlatform', values), ...(arch === undefined ? [] : [textOf('imgPlatformAsked', { arch })])],
        facts: factsOf(['spec.nodeSelector["kubernetes.io/arch"]', arch]),
        next: [
          {
            why: textOf('archBuild'),
            command: `docker buildx build --platform linux/amd64,linux/arm64 --push -t ${container.spec.image ?? ''} .`,
          },
          ...it.change('archSelect'),
          { why: textOf('archNode', values), command: `kubectl get node ${it.node} -L kubernetes.io/arch` },
        ],
        origin: 'node',
      };
    },
  ],
  [
    /server gave HTTP response to HTTPS client/i,
    ({ it, values }) => ({
      title: textOf('imgHttpTitle', values),
      cause: [textOf('imgHttp', values)],
      next: [
        {
          why: textOf('imgHosts', { ...values, file: registrySettings(it, values['registry'] ?? '') }),
          command: onNode(it, `cat ${registrySettings(it, values['registry'] ?? '')}`),
        },
      ],
      origin: 'node',
    }),
  ],
  [
    /current time (?<now>[\dTZ:.+-]+) is before/,
    ({ it, values }, { groups }) => ({
      title: textOf('clockTitle', values),
      cause: [textOf('clock', { ...values, now: groups?.['now'] ?? '' })],
      next: [{ why: textOf('clockFix', values), command: onNode(it, 'timedatectl') }],
      origin: 'node',
    }),
  ],
  [
    /short[- ]name|no unqualified-search registries/i,
    ({ it, values, values: { image = '' } }) => ({
      title: textOf('imgShortTitle', values),
      cause: [textOf('imgShort', values)],
      next: it.change('imgShortFix', {
        ...values,
        full: `docker.io/${image.includes('/') ? '' : 'library/'}${image}`,
      }),
      origin: 'configuration',
    }),
  ],
  [
    /x509|certificate (?:signed by|has expired|is not valid)|tls: failed to verify/i,
    ({ it, values }, { input }) => {
      const names = /certificate is valid for (?<names>[^\n]+?), not /.exec(input)?.groups?.['names'];
      return {
        title: textOf('imgTlsTitle', values),
        cause: [
          textOf(
            /expired/.test(input)
              ? 'imgTlsExpired'
              : /not valid for|doesn't contain|is valid for/.test(input)
                ? 'imgTlsName'
                : 'imgTls',
            values,
          ),
          ...(names === undefined ? [] : [textOf('imgTlsNames', { ...values, names })]),
        ],
        next: [
          {
            why: textOf('imgTlsShow', values),
            command:
              `openssl s_client -connect ${values['registry']}${values['registry']?.includes(':') ? '' : ':443'} ` +
              '-showcerts </dev/null',
          },
          ...(/expired/.test(input)
            ? [
                {
                  why: textOf('imgTlsRenew', values),
                  command: 'kubectl get certificates -A',
                },
              ]
            : /valid for/.test(input)
              ? it.change('imgTlsNameFix', values)
              : trustRegistry(it, values)),
        ],
        origin: 'node',
      };
    },
  ],
  [
    /lookup (\S+?)(?: on (\S+?))?: (?:no such host|server misbehaving|i\/o timeout|Temporary failure)|Temporary failure in name resolution/i,
    ({ it, values }, [, looked, server]) => {
      const registry = (values['registry'] ?? '').replace(/:\d+$/, '');
      const host = looked ?? registry;
      const all = { ...values, host, server: server === undefined ? '' : ` ${server}` };
      return {
        title: textOf('imgDnsTitle', all),
        cause: [textOf(host === registry ? 'imgDns' : 'imgDnsHost', all)],
        next: [
          { why: textOf('imgDnsTry', all), command: onNode(it, `nslookup ${host}`) },
          { why: textOf('imgDnsConf', values), command: onNode(it, 'cat /etc/resolv.conf') },
        ],
        origin: 'network',
      };
    },
  ],
  [
    /code = Canceled|failed to (?:copy|do request)[^\n]*context canceled/i,
    ({ it, values, image }) => ({
      title: textOf('imgCanceledTitle', values),
      cause: [textOf('imgCanceled', values)],
      next: [
        {
          why: textOf('imgTry', values),
          command: onNode(it, runtimeTool(it) === 'docker' ? `docker pull ${image}` : `crictl pull ${image}`),
        },
        { why: textOf('runtimeLoad', values), command: onNode(it, `journalctl ${journalUnits(it)} -n 100 --no-pager`) },
        {
          why: textOf('imgCanceledFix', values),
          command: onNode(it, 'grep -n image_pull_progress_timeout /etc/containerd/config.toml'),
        },
      ],
      origin: 'network',
    }),
  ],
  [
    /(?:i\/o timeout|connection refused|no route to host|network is unreachable|connection reset by peer|TLS handshake timeout|context deadline exceeded|Client\.Timeout|proxyconnect)/i,
    ({ it, values }, { 0: what, input }) => {
      const host = otherHost(values['registry'] ?? '', input);
      if (host !== undefined) return otherHostUnreachable(it, { ...values, what, host });
      return {
        title: textOf('imgNetTitle', values),
        cause: [textOf('imgNet', { ...values, what })],
        next: [
          {
            why: textOf('imgNetTry', values),
            command: onNode(
              it,
              `curl -vI https://${values['registry'] === 'docker.io' ? 'registry-1.docker.io' : values['registry']}/v2/`,
            ),
          },
        ],
        origin: 'network',
      };
    },
  ],
  [
    /\b5\d\d (?:Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out)|unexpected status(?: code)?[^\n]*\b(5\d\d)\b/i,
    ({ values }, [what = '']) => ({
      title: textOf('imgDownTitle', values),
      cause: [textOf('imgDown', { ...values, what })],
      next: [{ why: textOf('imgDownTry', values), command: `curl -I https://${values['registry']}/v2/` }],
    }),
  ],
  [
    /unauthorized|authentication required|no basic auth credentials|denied|insufficient_scope|authorization failed|\b40[13]\b|Forbidden/i,
    (ask, { input }) => {
      const host = otherHost(ask.values['registry'] ?? '', input);
      return host !== undefined && /\b403\b/.test(input) && !/auth|token|login/.test(host + input)
        ? otherHostRefuses(ask.it, { ...ask.values, host })
        : credentials(ask, input);
    },
  ],
  [
    /not found|manifest unknown|manifest for \S+ not found|name unknown|does not exist|\b404\b|NAME_UNKNOWN|MANIFEST_UNKNOWN/i,
    (ask, { input }) => missingImage(ask, input),
  ],
];

const reasons = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

/**
 * Returns when the image is pulled again: 10 s doubled for each failure up to 5 min. Upstream:
 * imageManager.EnsureImageExists.
 */
function nextPull({
  events,
  waiting,
  backOff,
}: ContainerCase): { readonly at: Instant; readonly wait: number } | undefined {
  if (backOff?.kind === 'image') return backOff;
  const failed = newest(events, ['Failed'], /^(?:Failed to pull image|Error: ErrImagePull)/);
  if (!failed || waiting?.reason === 'ErrImageNeverPull') return undefined;
  const wait = Math.min(300_000, 10_000 * 2 ** Math.min(6, failed.count - 1));
  return { at: addMilliseconds(failed.last, wait), wait };
}

function pullOutlook(it: PodCase, container: ContainerCase, isFixedElsewhere: boolean): readonly ExplainText[] {
  const next = nextPull(container);
  const values = { container: container.name };
  const first = next
    ? timed(next.at < it.now ? 'imgDue' : 'imgNext', { time: next.at }, { ...values, wait: exactly(next.wait) })
    : textOf('imgRetry', values);
  return [first, textOf(isFixedElsewhere ? 'imgByItself' : 'imgSame', values)];
}

/** Diagnoses an image that is not pulled. */
export const imageFinding: ContainerMatcher = (it, container) => {
  const { waiting, spec, specPath, statusPath, name, events } = container;
  if (!waiting || !reasons.has(waiting.reason)) return undefined;
  const image = spec.image ?? '';
  const parts = nameOf(image);
  const values = { image, container: name, node: it.node, namespace: it.namespace, ...parts };
  const ask: Ask = { it, container, image, name: parts, values };
  const event =
    newest(events, ['Failed'], /^Failed to pull image/) ??
    newest(events, ['Failed', 'InspectFailed', 'ErrImageNeverPull']);
  const message =
    [waiting.message, event?.message ?? ''].find((each) => /[:] \S/.test(each.replace(image, ''))) ?? waiting.message;
  // Removes names and hosts, so that a word in them isn't taken for a cause.
  const words = [waiting.message, event?.message ?? '']
    .join('\n')
    .replaceAll(image, 'IMAGE')
    .replaceAll(`${parts.registry}/v2/${parts.repository}`, 'URL');
  const base = {
    reason: waiting.reason,
    severity: 'error',
    container: name,
    said: message,
  } as const;
  const facts = [
    ...factsOf([`${statusPath}.state.waiting.message`, waiting.message], [`${specPath}.image`, image]),
    ...(event && !waiting.message.includes(event.message.slice(0, 80)) ? eventFact(event) : []),
  ];
  if (
    waiting.reason === 'InvalidImageName' ||
    /couldn't parse image (?:name|reference)|invalid reference format/.test(waiting.message)
  ) {
    const lower = image.toLowerCase();
    const isCase = lower !== image && /lowercase/.test(waiting.message);
    return {
      ...base,
      origin: 'configuration',
      title: textOf('imgNameTitle', values),
      cause: [textOf(isCase ? 'imgNameCase' : 'imgName', { ...values, fault: parseFault(image) || waiting.message })],
      facts,
      outlook: [textOf('imgNameOutlook', values)],
      next: setImage(ask, isCase ? lower : 'REGISTRY/REPOSITORY:TAG'),
    };
  }
  if (waiting.reason === 'ErrImageNeverPull')
    return {
      ...base,
      origin: 'node',
      title: textOf('imgNeverTitle', values),
      cause: [textOf('imgNever', values)],
      facts: [...facts, ...factsOf([`${specPath}.imagePullPolicy`, spec.imagePullPolicy])],
      outlook: [textOf('imgNeverOutlook', values)],
      next: [
        {
          why: textOf('imgNodeList', values),
          command: onNode(it, runtimeTool(it) === 'docker' ? 'docker images' : 'crictl images'),
        },
        { why: textOf('imgLoad', values), command: loadImage(it, image) },
        ...it.change('imgPolicyFix', values),
      ],
    };
  for (const [pattern, explain] of causes) {
    const found = pattern.exec(words);
    if (!found) continue;
    const { title, cause, facts: more = [], next, origin = 'registry', certainty, outlook = [] } = explain(ask, found);
    const more2 = more.filter(({ path }) => !facts.some((fact) => fact.path === path));
    return {
      ...base,
      origin,
      ...(certainty ? { certainty } : {}),
      title,
      cause,
      facts: [...facts, ...more2],
      outlook: [...pullOutlook(it, container, true), ...outlook],
      next,
    };
  }
  const missing = newest(it.events, ['FailedToRetrieveImagePullSecret']);
  if (missing) {
    const { title, cause, facts: more = [], next } = credentials(ask);
    return {
      ...base,
      origin: 'configuration',
      certainty: 'likely',
      title,
      cause,
      facts: [...facts, ...more],
      outlook: pullOutlook(it, container, true),
      next,
    };
  }
  return {
    ...base,
    origin: 'registry',
    certainty: 'unknown',
    title: textOf('imgTitle', values),
    cause: [
      /^(?:Back-off pulling image "[^"]*")?$/.test(message.trim())
        ? textOf('imgUnknown', values)
        : textOf('imgSaid', { ...values, what: innermost(message) }),
    ],
    facts,
    outlook: pullOutlook(it, container, true),
    next: [
      { why: textOf('imgEvents', values), command: it.kubectl(`describe pod ${it.name}`) },
      {
        why: textOf('imgTry', values),
        command: onNode(it, runtimeTool(it) === 'docker' ? `docker pull ${image}` : `crictl pull ${image}`),
      },
    ],
  };
};

function parseFault(image: string): string {
  try {
    parseImageReference(image);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}
