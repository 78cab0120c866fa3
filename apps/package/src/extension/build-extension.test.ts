/**
 * Tests the files of the extension: the properties that VS Code reads, and that every text exists in both languages.
 */
import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { repositoryRoot } from '@podscope/server/repository';
import { productVersion } from '@podscope/server/version';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { extensionFiles } from './build-extension.ts';

let files: Readonly<Record<string, Uint8Array>>;
const textOf = (path: string): string => new TextDecoder().decode(files[path]);
const texts = z.record(z.string(), z.string());
const read = (path: string): unknown => JSON.parse(textOf(path));

beforeAll(async () => {
  files = await extensionFiles();
});

it('has the version of Podscope in both manifests, and every file that they name', () => {
  const manifest = z
    .looseObject({ version: z.string(), main: z.string(), icon: z.string() })
    .parse(read('extension/package.json'));
  expect(manifest.version).toBe(productVersion);
  expect(textOf('extension.vsixmanifest')).toContain(`Id="podscope" Version="${productVersion}" Publisher="podscope"`);
  const named = [...textOf('extension.vsixmanifest').matchAll(/Path="(?<path>[^"]+)"/g)].map(
    ({ groups }) => groups?.['path'] ?? '',
  );
  const media = [...textOf('extension/package.json').matchAll(/"(?<path>media\/[^"]+)"/g)].map(
    ({ groups }) => `extension/${groups?.['path'] ?? ''}`,
  );
  for (const path of [...named, ...media, `extension/${manifest.main.slice(2)}`])
    expect(Object.keys(files)).toContain(path);
});

it('ignores the settings of a workspace that is not trusted if they choose a program, a runtime or a frame', () => {
  const { capabilities } = z
    .looseObject({
      capabilities: z.looseObject({
        untrustedWorkspaces: z.looseObject({ restrictedConfigurations: z.array(z.string()) }),
      }),
    })
    .parse(read('extension/package.json'));
  expect(capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual([
    'podscope.command',
    'podscope.frameAncestors',
    'podscope.runtime',
  ]);
});

it('has exactly the texts of the manifest, in English and Chinese', () => {
  const used = [...textOf('extension/package.json').matchAll(/"%(?<key>[^%"]+)%"/g)].map(
    ({ groups }) => groups?.['key'] ?? '',
  );
  for (const name of ['package.nls.json', 'package.nls.zh-cn.json'])
    expect(Object.keys(texts.parse(read(`extension/${name}`))).toSorted()).toEqual([...new Set(used)].toSorted());
});

it('has exactly the messages of the program, in Chinese', async () => {
  const source = join(repositoryRoot, 'apps/vscode/src');
  const names = await readdir(source, { recursive: true });
  const code = await Promise.all(
    names.filter((name) => name.endsWith('.ts')).map((name) => readFile(join(source, name), 'utf8')),
  );
  const used = code.flatMap((text) =>
    [...text.matchAll(/l10n\.t\(\s*'(?<message>(?:[^'\\]|\\.)*)'/g)].map(({ groups }) => groups?.['message'] ?? ''),
  );
  expect(used.length).toBeGreaterThan(20);
  const translated = Object.keys(texts.parse(read('extension/l10n/bundle.l10n.zh-cn.json')));
  expect(translated.toSorted()).toEqual([...new Set(used)].toSorted());
});

it('contains the program as one CommonJS module that needs only VS Code and Node', () => {
  const needed = [...textOf('extension/dist/extension.cjs').matchAll(/\brequire\([`"'](?<name>[^`"']+)[`"']\)/g)].map(
    ({ groups }) => groups?.['name'] ?? '',
  );
  expect(needed).toContain('vscode');
  expect(needed.filter((name) => name !== 'vscode' && !isBuiltin(name))).toEqual([]);
});
