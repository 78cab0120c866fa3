/**
 * Applies hostile and invalid manifests. The API server must reject each one quickly, with the position and the reason
 * of its error.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { badManifests } from '../testing/bad-manifests/corpus.ts';
import { startTestApiServer } from '../testing/test-api-server.ts';
import { ManifestApplier } from './apply.ts';

const golden = join(import.meta.dirname, '..', 'testing', 'bad-manifests', 'answers.golden.txt');
let validator: ManifestApplier;
beforeAll(async () => {
  const { api } = await startTestApiServer();
  validator = new ManifestApplier({ registry: api.dryRunRegistry, storage: api.storage });
});

describe('the invalid manifests', () => {
  it('include more than 300 manifests', () => {
    expect(badManifests.length).toBeGreaterThan(300);
    const texts = badManifests.map(({ text }) => text);
    expect(badManifests.filter(({ text }, index) => texts.indexOf(text) !== index).map(({ fault }) => fault)).toEqual(
      [],
    );
  });

  it('are each rejected with the place and the reason in the golden file', async () => {
    const lines: string[] = [];
    const unplaced: string[] = [];
    for (const { fault, text } of badManifests) {
      const { errors } = validator.validate(text);
      const [first] = errors;
      const place = first?.field ?? (first?.line === undefined ? undefined : `line ${first.line}`);
      if (!first?.message || place === undefined) unplaced.push(`${fault}: ${first?.message ?? 'accepted'}`);
      lines.push(`${fault}\n    ${place ?? '–'} · ${first?.message.slice(0, 240) ?? 'accepted'}`);
    }
    expect(unplaced).toEqual([]);
    const text = `${lines.join('\n')}\n`;
    if (process.env['UPDATE_GOLDEN']) await writeFile(golden, text);
    expect(text).toBe(await readFile(golden, 'utf8'));
  });
});

describe('a manifest of arbitrary text', () => {
  const properties = { seed: 9, numRuns: 100 };

  it('is rejected without an internal error within 5 s', async () => {
    const token = fc.constantFrom(
      'a',
      ': ',
      '\n',
      '  ',
      '- ',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '&a ',
      '*a',
      '!!',
      '|',
      '>',
      '#',
      '---\n',
      '?',
      ',',
      '\t',
      '<<',
      '0x',
      '~',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.array(token, { maxLength: 200 }).map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const before = process.cpuUsage();
        const { applied, errors } = validator.validate(text);
        expect(applied.length === 0).toBe(errors.length > 0);
        for (const { message } of errors) expect(message).not.toContain('Internal error');
        expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
      }),
      properties,
    );
  });

  it('is validated without an internal error when it resembles a pod', async () => {
    const { text: good } = {
      text:
        'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - {name: a, image: b, ' +
        'command: [c]}\n',
    };
    const edit = fc.record({
      at: fc.nat(good.length),
      remove: fc.nat(12),
      insert: fc.string({ unit: 'binary', maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const text = edits.reduce(
          (sofar, { at, remove, insert }) => sofar.slice(0, at) + insert + sofar.slice(at + remove),
          good,
        );
        const { errors } = validator.validate(text);
        for (const { message } of errors) expect(message).not.toContain('Internal error');
      }),
      properties,
    );
  });
});
