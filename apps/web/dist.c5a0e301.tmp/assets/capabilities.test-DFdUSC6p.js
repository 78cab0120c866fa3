var e=`import { expect, it } from 'vitest';
import { missingFromMask } from './capabilities.ts';

it('names what a mask lacks', () => {
  expect(missingFromMask('Name:\\tnode\\nCapBnd:\\t000001fffeffffff\\nCapAmb:\\t0000000000000000\\n')).toEqual(['SYS_RESOURCE']);
  expect(missingFromMask('CapBnd:\\t000001ffffffffff')).toEqual([]);
  expect(missingFromMask('CapBnd:\\t000001fffffffffe')).toEqual(['CHOWN']);
});

it('says nothing of a file that has no mask', () => {
  expect(missingFromMask('')).toEqual([]);
});
`;export{e as default};
//# sourceMappingURL=capabilities.test-DFdUSC6p.js.map