/** Generates the krew manifest of the kubectl plugin and checks it against the rules of krew and krew-index. */

import { projectAddress } from '@podscope/cli/project-address';
import { z } from 'zod';

/** The name of the plugin, as in `kubectl podscope`. */
export const pluginName = 'podscope';

/** Returns the file name of the archive of a version. */
export const archiveName = (version: string): string => `kubectl-podscope-${version}.tar.gz`;

/** The path of the executable in the archive. */
export const pluginBin = 'bin/kubectl-podscope.cjs';

/**
 * Returns the manifest of a version. All platforms use the same archive, because it contains no native code.
 * @param sha256 checksum of the archive, in hexadecimal digits
 */
export const krewManifest = (version: string, sha256: string) => ({
  apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
  kind: 'Plugin',
  metadata: { name: pluginName },
  spec: {
    version: `v${version}`,
    homepage: projectAddress,
    shortDescription: 'Say why a pod fails and what to do',
    description: [
      'Diagnoses failing pods from their spec, status, events, owner, node and logs: cause, ' +
        'evidence, what happens next',
      'and when, and the commands that help on that cluster. It also watches pods live in the ' +
        'browser, records them, and',
      'continues them in a simulator of the kubelet. It only reads; secrets are masked.',
    ].join('\n'),
    caveats: [
      'Needs Node 22.13 or newer.',
      'For shell completion, link bin/kubectl_complete-podscope.cjs of the installed plugin into ' +
        'a directory of PATH as',
      'kubectl_complete-podscope.',
    ].join('\n'),
    platforms: [
      {
        selector: { matchExpressions: [{ key: 'os', operator: 'In', values: ['darwin', 'linux'] }] },
        uri: `${projectAddress}/releases/download/v${version}/${archiveName(version)}`,
        sha256,
        bin: pluginBin,
      },
    ],
  },
});

const selector = z.strictObject({
  matchLabels: z.record(z.enum(['os', 'arch']), z.string()).optional(),
  matchExpressions: z
    .array(
      z.strictObject({
        key: z.enum(['os', 'arch']),
        operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
        values: z.array(z.string()).optional(),
      }),
    )
    .optional(),
});

/** The rules of a single field. Upstream: krew internal/index/validation and the naming guide of krew-index. */
const schema = z.strictObject({
  apiVersion: z.literal('krew.googlecontainertools.github.com/v1alpha2'),
  kind: z.literal('Plugin'),
  metadata: z.strictObject({
    name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower case words with dashes'),
  }),
  spec: z.strictObject({
    version: z
      .string()
      .regex(/^v\d+\.\d+\.\d+(?:-[\w.]+)?(?:\+[\w.]+)?$/, 'must be a semantic version with a leading v'),
    homepage: z.url({ protocol: /^https$/ }),
    shortDescription: z
      .string()
      .min(1)
      .max(50, 'must have at most 50 characters')
      .regex(/^[^\n]*[^.\n]$/, 'must be one line without a full stop'),
    description: z.string().min(1),
    caveats: z.string().optional(),
    platforms: z
      .array(
        z.strictObject({
          selector: selector.optional(),
          uri: z.url({ protocol: /^https$/ }).regex(/\.(?:tar\.gz|zip)$/, 'must be a .tar.gz or .zip archive'),
          sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'),
          files: z
            .array(z.strictObject({ from: z.string(), to: z.string() }))
            .min(1)
            .optional(),
          bin: z.string().min(1),
        }),
      )
      .min(1),
  }),
});

const systems = ['darwin', 'linux', 'windows'].flatMap((os) =>
  ['amd64', 'arm64', '386', 'arm'].map((arch) => ({ os, arch })),
);

/** Returns true if a selector matches a platform. Upstream: apimachinery LabelSelectorAsSelector. */
function matches(
  given: z.infer<typeof selector> | undefined,
  platform: Readonly<Record<'os' | 'arch', string>>,
): boolean {
  const { matchLabels = {}, matchExpressions = [] } = given ?? {};
  const labels = Object.entries(matchLabels).every(([key, value]) => platform[key as 'os' | 'arch'] === value);
  return (
    labels &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const isIn = values.includes(platform[key]);
      return operator === 'In' ? isIn : operator === 'NotIn' ? !isIn : operator === 'Exists';
    })
  );
}

/** The contents of an archive that krew would unpack. */
export interface Archive {
  readonly sha256: string;
  /** The paths of its files, without a leading `./`. */
  readonly files: readonly string[];
  /** The paths of its executable files. */
  readonly executables: readonly string[];
}

/**
 * Returns the problems for which krew or krew-index would reject the manifest.
 * @param file the name of the manifest's file
 * @param archives the archives, by the last segment of their URL
 */
export function krewProblems(
  file: string,
  manifest: unknown,
  archives: ReadonlyMap<string, Archive>,
): readonly string[] {
  const parsed = schema.safeParse(manifest);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const { metadata, spec } = parsed.data;
  const problems: string[] = [];
  if (file !== `${metadata.name}.yaml`) problems.push(`the file must be named ${metadata.name}.yaml, not ${file}`);
  if (/^kube(?:ctl)?-/.test(metadata.name)) problems.push('metadata.name: must not begin with kube or kubectl');
  for (const platform of systems) {
    const count = spec.platforms.filter((each) => matches(each.selector, platform)).length;
    if (count > 1) problems.push(`spec.platforms: ${count} platforms match ${platform.os}/${platform.arch}`);
  }
  for (const [
    index,
    { uri, sha256, bin, selector: own, files = [{ from: '*', to: '.' }] },
  ] of spec.platforms.entries()) {
    const at = `spec.platforms[${index}]`;
    if (!systems.some((platform) => matches(own, platform))) problems.push(`${at}.selector: matches no platform`);
    for (const path of [bin, ...files.flatMap(({ from, to }) => [from, to])])
      if (path.startsWith('/') || path.split('/').includes('..'))
        problems.push(`${at}: ${path} leaves the directory of the plugin`);
    if (!uri.includes(spec.version)) problems.push(`${at}.uri: doesn't contain ${spec.version}`);
    const archive = archives.get(uri.slice(uri.lastIndexOf('/') + 1));
    if (!archive) {
      problems.push(`${at}.uri: the archive is missing`);
      continue;
    }
    if (archive.sha256 !== sha256) problems.push(`${at}.sha256: is not that of the archive`);
    if (!archive.files.includes(bin)) problems.push(`${at}.bin: ${bin} is not in the archive`);
    else if (!archive.executables.includes(bin)) problems.push(`${at}.bin: ${bin} is not executable`);
    if (!archive.files.some((path) => /^LICENSE(?:\.\w+)?$/i.test(path)))
      problems.push(`${at}: the archive has no LICENSE`);
  }
  return problems;
}
