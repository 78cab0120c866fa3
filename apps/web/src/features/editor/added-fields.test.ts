import { describe, expect, it } from 'vitest';
import { addedFields } from './added-fields.ts';
import { templates } from './templates.ts';

describe('addedFields', () => {
  it('returns the fields that defaulting adds, and none that are written', () => {
    const [added] = addedFields(templates[0]?.manifest ?? '');
    const fields = Object.fromEntries(added?.fields.map(({ path, value }) => [path, value]) ?? []);
    expect(fields).toMatchObject({
      'metadata.namespace': 'default',
      'spec.restartPolicy': 'Always',
      'spec.containers[0].imagePullPolicy': 'IfNotPresent',
      'spec.containers[0].terminationMessagePolicy': 'File',
    });
    expect(Object.keys(fields)).not.toContain('spec.containers[0].name');
  });

  it('returns nothing for an invalid text', () => {
    expect(addedFields('kind: Pod\nspec: [')).toEqual([]);
  });
});
