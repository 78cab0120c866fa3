import { describe, expect, it } from 'vitest';
import { addedFields } from './added-fields.ts';
import { templates } from './templates.ts';

describe('addedFields', () => {
  it('names what defaulting adds, and nothing that is written', () => {
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

  it('has nothing for a text that does not read', () => {
    expect(addedFields('kind: Pod\nspec: [')).toEqual([]);
  });
});
