/** Reads the fault plan of the option `--faults FILE`. */
import { readFile } from 'node:fs/promises';
import { parseFaultPlan } from '@podscope/debugger';
import { StartError } from '../start-error.ts';

/**
 * Returns the text of a fault plan, if the plan is valid.
 * @throws StartError with file, line and field of the error
 */
export async function readFaultPlan(file: string): Promise<string> {
  const yaml = await readFile(file, 'utf8').catch((error: Error) => {
    throw new StartError(`the fault plan ${file} cannot be read: ${error.message}`, { cause: error });
  });
  const [first] = parseFaultPlan(yaml).errors;
  if (first)
    throw new StartError(`${file}:${first.line ?? 1}: ${first.field ? `${first.field}: ` : ''}${first.message}`);
  return yaml;
}
