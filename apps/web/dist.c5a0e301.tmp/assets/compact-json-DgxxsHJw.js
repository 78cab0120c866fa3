var e=`/** JSON without white space, otherwise as it was written: key order, repeated keys and the spelling of numbers stay (Go: json.Compact). */

const stringOrSpace = /"(?:[^"\\\\]|\\\\.)*"|\\s+/g;

/** Removes white space outside of strings. The text must be valid JSON. */
export const compactJson = (text: string): string => text.replace(stringOrSpace, (match) => (match.startsWith('"') ? match : ''));
`;export{e as default};
//# sourceMappingURL=compact-json-DgxxsHJw.js.map