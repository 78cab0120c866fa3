/**
 * Lists the commands that build the parts of a release: npm package, container image, VS Code extension, kubectl
 * plugin.
 */
import { relative, resolve } from 'node:path';
import { type CommandBody, type Commands, print, readArguments, report, UsageError } from '@podscope/command-line';

const command: CommandBody = {
  help: `Usage: npx -y pnpm@12 build:package [--out DIR]

Builds the npm package podscope-VERSION.tgz, which runs without this repository, and the tarball of the Playwright kit.

  --out DIR   Where to write the tarballs (default: dist/ in this directory).`,
  examples: [
    ['build:package', 'Write the tarballs to dist'],
    ['build:package --out /tmp/podscope', 'Write them to another directory'],
  ],
  async run(args) {
    const { values, positionals } = readArguments(args, { out: { type: 'string', default: 'dist' } }, 'build:package');
    if (positionals.length > 0) throw new UsageError('build:package takes no argument');
    const { buildPackage } = await import('./build-package.ts');
    for (const { path, size } of await buildPackage(resolve(values.out), report))
      print(`${relative(process.cwd(), path)}  ${(size / 1024 ** 2).toFixed(2)} MiB`);
    return 0;
  },
};

const krew: CommandBody = {
  help: `Usage: npx -y pnpm@12 build:krew [--out DIR]

Builds the archive of the kubectl plugin and its krew manifest, and checks them against krew's rules.

  --out DIR   Where to write both (default: dist/ in this directory).
  --check     Check the manifest and archive that are there, and build nothing.`,
  examples: [
    ['build:krew', 'Write podscope.yaml and the archive to dist, and check them'],
    ['build:krew --check', 'Check what was built before'],
  ],
  async run(args) {
    const { values, positionals } = readArguments(
      args,
      { out: { type: 'string', default: 'dist' }, check: { type: 'boolean' } },
      'build:krew',
    );
    if (positionals.length > 0) throw new UsageError('build:krew takes no argument');
    const { buildKrew, checkKrew } = await import('./krew/build-krew.ts');
    const out = resolve(values.out);
    if (!values.check) for (const path of await buildKrew(out, report)) print(relative(process.cwd(), path));
    const problems = await checkKrew(out);
    for (const problem of problems) report(`podscope: ${problem}`);
    return problems.length === 0 ? 0 : 1;
  },
};

const image: CommandBody = {
  help: `Usage: npx -y pnpm@12 build:image [--tag TAG] [--base IMAGE]

Builds the container image with docker build.

  --tag TAG     The name of the image (default: podscope).
  --base IMAGE  An image with Node 22.13 or newer (default: node:24-bookworm-slim).`,
  examples: [
    ['build:image', 'Build the image podscope'],
    ['build:image --base registry.example.com/node:24', 'Build it on another base'],
  ],
  async run(args) {
    const { values, positionals } = readArguments(
      args,
      { tag: { type: 'string', default: 'podscope' }, base: { type: 'string', default: 'node:24-bookworm-slim' } },
      'build:image',
    );
    if (positionals.length > 0) throw new UsageError('build:image takes no argument');
    const { buildImage } = await import('./image/build-image.ts');
    await buildImage({ ...values, announce: report });
    print(values.tag);
    return 0;
  },
};

const extension: CommandBody = {
  help: `Usage: npx -y pnpm@12 build:extension [--out DIR]

Builds the VS Code extension podscope-vscode-VERSION.vsix.

  --out DIR   Where to write it (default: dist/ in this directory).`,
  examples: [
    ['build:extension', 'Write the extension to dist'],
    ['build:extension --out /tmp/podscope', 'Write it to another directory'],
  ],
  async run(args) {
    const { values, positionals } = readArguments(
      args,
      { out: { type: 'string', default: 'dist' } },
      'build:extension',
    );
    if (positionals.length > 0) throw new UsageError('build:extension takes no argument');
    const { buildExtension } = await import('./extension/build-extension.ts');
    const { path, size } = await buildExtension(resolve(values.out));
    print(`${relative(process.cwd(), path)}  ${(size / 1024).toFixed(0)} KiB`);
    return 0;
  },
};

export const packageCommands: Commands = {
  'build:package': {
    usage: 'build:package [--out DIR]',
    summary: 'Build the npm package and the tarball of the Playwright kit.',
    load: async () => command,
  },
  'build:image': {
    usage: 'build:image [--tag TAG] [--base IMAGE]',
    summary: 'Build the container image.',
    load: async () => image,
  },
  'build:extension': {
    usage: 'build:extension [--out DIR]',
    summary: 'Build the VS Code extension.',
    load: async () => extension,
  },
  'build:krew': {
    usage: 'build:krew [--out DIR] [--check]',
    summary: 'Build the archive and the krew manifest of the kubectl plugin, and check them.',
    load: async () => krew,
  },
};
