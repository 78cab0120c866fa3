/** Generates the package.json of the npm package. */
import { minimumNode } from '@podscope/command-line';
import { programs } from './bundle.ts';

/** Returns the contents of package.json. Everything is bundled, so the package has no dependencies. */
export function packageManifest(version: string): Readonly<Record<string, unknown>> {
  return {
    name: 'podscope',
    version,
    description: "A visual debugger for the kubelet's SyncPod, on real containers, in the browser",
    keywords: ['kubernetes', 'kubelet', 'pod', 'cri', 'docker', 'debugger', 'teaching'],
    license: 'Apache-2.0',
    type: 'module',
    engines: { node: `>=${minimumNode}` },
    bin: Object.fromEntries(Object.keys(programs).map((name) => [name, `bin/${name}.cjs`])),
    files: [
      'bin',
      'dist',
      'engine',
      'lessons',
      'recordings',
      'site',
      'LICENSE',
      'NOTICE',
      'THIRD-PARTY-NOTICES.txt',
      'README.md',
    ],
  };
}
