var e=`/** Everything that an iterable gives out. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
`;export{e as default};
//# sourceMappingURL=collect-xpWVJxym.js.map