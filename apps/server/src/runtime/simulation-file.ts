/** What a simulated node is like, from the command line: `--simulation FILE`. */
import { readFile } from 'node:fs/promises';
import { readSimulationDocument, type SimulationSettings } from '@podscope/simulator';
import { StartError } from '../start-error.ts';

/**
 * The document in a file of YAML or JSON.
 * @throws StartError naming file, line and field of what is wrong
 */
export async function readSimulationFile(file: string): Promise<SimulationSettings> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new StartError(`the simulation ${file} cannot be read: ${error.message}`, { cause: error });
  });
  const { settings, errors } = readSimulationDocument(text);
  if (!settings) throw new StartError(errors.map(({ line = 1, message }) => `${file}:${line}: ${message}`).join('\n'));
  return settings;
}
