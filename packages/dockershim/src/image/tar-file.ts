/** Reads the file in a tar archive that the engine returns for one path. */

const blockBytes = 512;
const maxFileBytes = 16 * 1024 * 1024;

/** The content of a regular file, or the target of a symbolic link. */
export type ArchivedFile = { readonly content: Uint8Array } | { readonly link: string };

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replace(/\0.*$/s, '');

/**
 * Returns the archive's first entry; undefined if it is neither a file nor a link.
 * @throws Error for a file of more than 16 MiB
 */
export async function readTarFile(archive: AsyncIterable<Uint8Array>): Promise<ArchivedFile | undefined> {
  let bytes = Buffer.alloc(0);
  for await (const piece of archive) {
    if (bytes.length + piece.length > maxFileBytes) throw new Error(`a file of more than ${maxFileBytes} bytes`);
    bytes = Buffer.concat([bytes, piece]);
  }
  if (bytes.length < blockBytes) return undefined;
  const type = String.fromCharCode(bytes[156] ?? 0);
  if (type === '2') return { link: text(bytes.subarray(157, 257)) };
  if (type !== '0' && type !== '\0') return undefined;
  const size = Number.parseInt(text(bytes.subarray(124, 136)), 8);
  return { content: bytes.subarray(blockBytes, blockBytes + size) };
}
