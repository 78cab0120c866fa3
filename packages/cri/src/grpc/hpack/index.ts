/** Exports the parts of HPACK that every reader of header blocks needs. The exported modules import nothing. */
export { HeaderBlockReader } from './block-reader.ts';
export { decodeHuffman } from './huffman.ts';
