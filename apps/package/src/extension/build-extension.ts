/**
 * Builds the VS Code extension as a .vsix file: a zip of the extension's files and of two documents that describe it.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { repositoryRoot } from '@podscope/server/repository';
import { productVersion } from '@podscope/server/version';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { build } from 'vite';
import { z } from 'zod';
import { packagesOf, thirdPartyNotices } from '../notices.ts';

const source = join(repositoryRoot, 'apps/vscode');

const manifestSchema = z.looseObject({
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  publisher: z.string(),
  icon: z.string(),
  main: z.string(),
  categories: z.array(z.string()),
  keywords: z.array(z.string()),
  engines: z.object({ vscode: z.string() }),
  extensionKind: z.array(z.string()),
});
type Manifest = z.infer<typeof manifestSchema>;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Media types of the extension's files, by file name extension. */
const mediaTypes: Readonly<Record<string, string>> = {
  cjs: 'application/javascript',
  json: 'application/json',
  md: 'text/markdown',
  png: 'image/png',
  txt: 'text/plain',
  vsixmanifest: 'text/xml',
};

const contentTypes = (): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${Object.entries(mediaTypes)
  .map(([extension, type]) => `  <Default Extension=".${extension}" ContentType="${type}"/>`)
  .join('\n')}
</Types>
`;

/** Returns extension.vsixmanifest, from which VS Code and marketplaces read the extension's properties. */
const vsixManifest = (
  { name, displayName, publisher, icon, categories, keywords, engines, extensionKind }: Manifest,
  description: string,
): string => `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escaped(name)}" Version="${productVersion}" Publisher="${escaped(publisher)}"/>
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Tags>${escaped(keywords.join(','))}</Tags>
    <Categories>${escaped(categories.join(','))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionDependencies" Value=""/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionPack" Value=""/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="${escaped(extensionKind.join(','))}"/>
      <Property Id="Microsoft.VisualStudio.Code.LocalizedLanguages" Value="zh-cn"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
    <Icon>extension/${escaped(icon)}</Icon>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Changelog" Path="extension/CHANGELOG.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Icons.Default" Path="extension/${escaped(icon)}" Addressable="true"/>
  </Assets>
</PackageManifest>
`;

/** Bundles the extension's program as CommonJS, which VS Code loads. */
async function bundleExtension(): Promise<{ readonly code: string; readonly modules: readonly string[] }> {
  const result = await build({
    root: source,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['vscode'], target: 'node' },
    build: {
      ssr: true,
      write: false,
      target: 'node20',
      minify: true,
      rolldownOptions: {
        input: join(source, 'src/extension.ts'),
        external: ['vscode'],
        output: { format: 'cjs', entryFileNames: 'extension.cjs', codeSplitting: false },
      },
    },
  });
  if (!('output' in result)) throw new Error('the build returned no output');
  const [chunk, ...others] = result.output;
  if (others.length > 0) throw new Error(`the extension is one file, not also ${others[0]?.fileName}`);
  return { code: chunk.code, modules: chunk.moduleIds };
}

/** Returns the contents of all files in a directory, by path. */
async function filesOf(directory: string): Promise<Readonly<Record<string, Uint8Array>>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(
      paths.toSorted().map(async (path) => [relative(directory, path).replaceAll('\\', '/'), await readFile(path)]),
    ),
  );
}

/**
 * Returns the files of the .vsix, by path.
 * @throws Error if a file has no known media type
 */
export async function extensionFiles(): Promise<Readonly<Record<string, Uint8Array>>> {
  const files = await filesOf(join(source, 'extension'));
  const read = (name: string): unknown => JSON.parse(new TextDecoder().decode(files[name]));
  const manifest = manifestSchema.parse(read('package.json'));
  const texts = z.record(z.string(), z.string()).parse(read('package.nls.json'));
  const { code, modules } = await bundleExtension();
  const inside: Readonly<Record<string, Uint8Array>> = {
    ...files,
    'package.json': strToU8(`${JSON.stringify({ ...manifest, version: productVersion }, undefined, 2)}\n`),
    'dist/extension.cjs': strToU8(code),
    'LICENSE.txt': await readFile(join(repositoryRoot, 'LICENSE')),
    'THIRD-PARTY-NOTICES.txt': strToU8(await thirdPartyNotices(packagesOf([...modules]))),
  };
  const description = manifest.description.replace(/^%(.*)%$/, (_, key: string) => texts[key] ?? '');
  const all = {
    '[Content_Types].xml': strToU8(contentTypes()),
    'extension.vsixmanifest': strToU8(vsixManifest(manifest, description)),
    ...Object.fromEntries(Object.entries(inside).map(([path, bytes]) => [`extension/${path}`, bytes])),
  };
  for (const path of Object.keys(all)) {
    const extension = path.slice(path.lastIndexOf('.') + 1);
    if (extension !== 'xml' && !Object.hasOwn(mediaTypes, extension)) throw new Error(`${path} has no media type`);
  }
  return all;
}

/**
 * Builds `podscope-vscode-VERSION.vsix`.
 * @param out the directory for the file; created if necessary
 * @returns the path of the file, and its size in bytes
 */
export async function buildExtension(out: string): Promise<{ readonly path: string; readonly size: number }> {
  // Use a fixed time, so that the same sources produce the same file.
  const options = { level: 9, mtime: new Date('2020-01-01T00:00:00') } as const;
  const entries: Zippable = Object.fromEntries(
    Object.entries(await extensionFiles()).map(([path, bytes]) => [path, [bytes, options]]),
  );
  const bytes = zipSync(entries);
  await mkdir(out, { recursive: true });
  const path = join(out, `podscope-vscode-${productVersion}.vsix`);
  await writeFile(path, bytes);
  return { path, size: bytes.length };
}
