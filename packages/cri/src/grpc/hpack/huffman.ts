/** Decodes Huffman strings of HPACK (RFC 7541, section 5.2 and appendix B). */
import { HeaderBlockError } from './block-reader.ts';

/**
 * The code length in bits of each byte value, as a base-36 digit. The codes are canonical, so the lengths determine
 * them: sorted by length and then by byte value, each code follows from the previous one.
 */
const codeLengths =
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6ca' +
  'd67777777777777777777777878djde6f56565666577666567655677777fbeds' +
  'kmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn' +
  'qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq';
const digitBase = 36;

/** A node of the code tree: the indices of its children for the bits 0 and 1, or `-1 - byte` for a leaf. */
const tree: [number, number][] = [[0, 0]];

function insert(code: number, length: number, byte: number): void {
  let node = 0;
  for (let bit = length - 1; bit > 0; bit -= 1) {
    const way = ((code >>> bit) & 1) as 0 | 1;
    const children = tree[node] as [number, number];
    if (children[way] === 0) children[way] = tree.push([0, 0]) - 1;
    node = children[way];
  }
  (tree[node] as [number, number])[code & 1] = -1 - byte;
}

const bytesByCode = Array.from(codeLengths, (digit, byte) => ({
  byte,
  length: Number.parseInt(digit, digitBase),
})).toSorted((a, b) => a.length - b.length || a.byte - b.byte);
let nextCode = 0;
let lastLength = 0;
for (const { byte, length } of bytesByCode) {
  nextCode <<= length - lastLength;
  insert(nextCode, length, byte);
  nextCode += 1;
  lastLength = length;
}

/** The longest padding, in bits. */
const maxPadding = 7;

/**
 * Calls `visit` for each character of a string, in order.
 * @param visit receives the character's byte, the position of its code in the string, and the length of the code, both
 *   in bits; it may replace the code by another one of the same length
 * @throws HeaderBlockError if the string isn't valid
 */
export function visitHuffman(bytes: Buffer, visit: (byte: number, position: number, length: number) => void): void {
  let node = 0;
  let position = 0;
  /** Number of bits since the last complete character. `isOnes` is true if all of them are ones. */
  let bits = 0;
  let isOnes = true;
  for (const byte of bytes) {
    for (let mask = 0x80; mask > 0; mask >>= 1) {
      const isOne = (byte & mask) !== 0;
      const next = (tree[node] as [number, number])[isOne ? 1 : 0];
      bits += 1;
      position += 1;
      isOnes &&= isOne;
      if (next === 0) throw new HeaderBlockError('HPACK: invalid Huffman code');
      if (next > 0) node = next;
      else {
        visit(-1 - next, position - bits, bits);
        node = 0;
        bits = 0;
        isOnes = true;
      }
    }
  }
  if (bits > maxPadding || !isOnes) throw new HeaderBlockError('HPACK: invalid Huffman padding');
}

/**
 * Returns the decoded string, one character per byte.
 * @throws HeaderBlockError if the bytes are not valid
 */
export function decodeHuffman(bytes: Buffer): string {
  let text = '';
  visitHuffman(bytes, (byte) => {
    text += String.fromCharCode(byte);
  });
  return text;
}
