import { expect, it } from 'vitest';
import { checkProse } from './check.ts';

const advice = (path: string, source: string): string[] => checkProse(path, source).map((each) => each.advice);

it('accepts a header that says what the module does, and full-sentence comments', () => {
  const source =
    '/** Computes the phase of a pod. Upstream: getPhase (v1.36). */\n\n// The order matters: init containers first.\n';
  expect(checkProse('a.ts', source)).toEqual([]);
});

it.each([
  ['// Nobody reads it any more.', 'name the subject: a function, a process, a user'],
  ['// Then the flow goes on.', 'continue'],
  ['// It is made anew.', 'again'],
  ['// The path is none.', 'plain negation: "no X", "isn\'t"'],
  ['// Each rule is weighed.', 'evaluate'],
])('reports %s with what to write instead', (comment, expected) => {
  expect(advice('a.ts', `/** Does it. */\n${comment}\n`)).toContain(expected);
});

it('joins adjacent comment lines, so that a wording across two lines is found', () => {
  expect(advice('a.ts', '/** Does it. */\n// Then the flow goes\n// on.\n')).toEqual(['continue']);
});

it('reports a source file without a header, but no test without one', () => {
  expect(advice('a.ts', 'export {};\n')).toEqual(['add a header: one sentence']);
  expect(advice('a.test.ts', 'export {};\n')).toEqual([]);
});

it('reads the strings of catalogues, and of other files only the comments', () => {
  expect(advice('x/messages.en.ts', "/** Texts. */\nconst a = 'the run goes on';\n")).toEqual(['continue']);
  expect(advice('x/other.ts', "/** Code. */\nconst a = 'the run goes on';\n")).toEqual([]);
});

it.each([
  'packages/flow/src/texts/cri.ts',
  'packages/trace/src/explain/causes/pod-messages.ts',
  'packages/lessons/src/problem-texts.ts',
  'packages/lessons/src/glossary/terms.ts',
  'packages/scenarios/src/library/images/slow-pull.ts',
  'packages/timeline/src/words/words.ts',
  'apps/server/src/kubernetes-api/openapi/descriptions.ts',
])('reads the strings of %s', (path) => {
  expect(advice(path, "/** Texts. */\nconst a = 'the run goes on';\n")).toEqual(['continue']);
});

it('reads the strings of a module with a help text', () => {
  expect(advice('a.ts', '/** Code. */\nconst help = `c  let the run go on`;\n')).toEqual(['continue']);
});

it('accepts a text that recorded runs contain', () => {
  const source = (text: string) => `/** Texts. */\nconst a = '${text}';\n`;
  const path = 'packages/trace/src/explain/rule-messages.ts';
  expect(advice(path, source('a new sandbox is needed: there is none'))).toEqual([]);
  expect(advice(path, source('a new container is needed: there is none'))).toEqual([
    'plain negation: "no X", "isn\'t"',
  ]);
});

it('accepts "there is no", but no other "is no"', () => {
  expect(advice('a.ts', '/** Does it. */\n// There is no pod.\n')).toEqual([]);
  expect(advice('a.ts', '/** Does it. */\n// It is no pod.\n')).toEqual(["isn't, has no"]);
  expect(advice('a.ts', '/** Does it. */\n// There is nothing to see.\n')).toEqual(["isn't, has no"]);
});

it('ignores code, code blocks and quotations in Markdown', () => {
  expect(checkProse('a.md', 'The word `anew` and "nobody".\n\n```sh\necho anew\n```\n')).toEqual([]);
  expect(checkProse('a.md', 'Read it\nanew.\n')).toMatchObject([{ line: 1, advice: 'again' }]);
});

it('accepts a long line with a regular expression, which has no other form', () => {
  expect(advice('a.ts', `/** Does it. */\nconst pattern = /${'(?:a|b)'.repeat(20)}/i;\n`)).toEqual([]);
});

it('reports table cells over 120 characters and lines over 120 columns', () => {
  expect(advice('a.md', `| a | ${'b'.repeat(121)} |\n`)).toEqual(['turn the long table cell into a paragraph']);
  expect(advice('a.ts', `/** Does it. */\nconst a = '${'b'.repeat(121)}';\n`)).toEqual([
    'at most 120 columns, this has 134',
  ]);
});

it('reports wide lines of tests, except in inline snapshots', () => {
  const wide = `    ${'b'.repeat(121)}`;
  expect(advice('a.test.ts', `const a = '${wide}';\n`)).toEqual(['at most 120 columns, this has 138']);
  expect(advice('a.test.ts', `expect(a).toMatchInlineSnapshot(\`\n${wide}\n  \`);\n`)).toEqual([]);
});

it('checks Chinese texts: punctuation, spaces and the terms of kubernetes.io', () => {
  const text = (words: string) =>
    advice('apps/a/messages.zh-CN.ts', `/** Texts. */\nexport const a = { b: '${words}' };\n`);
  expect(text('容器已启动,第 {n} 次')).toEqual(['full-width punctuation: ，；：！？']);
  expect(text('Pod在运行')).toEqual(['a space between Chinese and Latin']);
  expect(text('首次退避')).toEqual(['回退']);
  expect(text('在“{title}”之前：{kind, select, a {第一} other {`a:b`}}，用时 5 秒。')).toEqual([]);
  expect(advice('packages/a/zh-CN/a.md', '运行 `a.b`。\n\n等待 [Pod](a.md)\n它(已停止)。\n')).toEqual([
    'full-width brackets: （）',
  ]);
});

it.each([
  ['a parameter that was renamed', '/** @param told called for each */\nfunction a(reported: () => void) {}\n'],
  ['a name for a destructured object', '/** @param options of the run */\nconst a = ({ time }: Options) => time;\n'],
])('reports an @param with %s', (_, source) => {
  expect(advice('a.ts', `/** Does it. */\n${source}`)).toEqual(['no such parameter']);
});

it('accepts @param for a parameter of a function, a method, a constructor or a function type', () => {
  const doc = '/** @param reported called for each */\n';
  const sources = [
    'const a = async <T>(first: (b: T) => void, reported = first) => reported;',
    'class A { constructor(private readonly reported?: B) {} }',
    'interface A { run(\n  ...reported: string[]\n): void }',
    'type A = ({ reported }: B) => void;',
  ];
  expect(sources.flatMap((source) => advice('a.ts', `/** Does it. */\n${doc}${source}\n`))).toEqual([]);
});
