/** Reads the settings of a simulated node: `--simulation FILE`. */
import { readFile } from 'node:fs/promises';
import { readSimulationDocument, type SimulationSettings } from '@podscope/simulated-runtime';
import { StartError } from '../start-error.ts';

/**
 * Returns the document of a YAML or JSON file.
 * @throws StartError with file, line and field of the error
 */
export async function readSimulationFile(file: string): Promise<SimulationSettings> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new StartError(`the simulation ${file} cannot be read: ${error.message}`, { cause: error });
  });
  const { settings, errors } = readSimulationDocument(text);
  if (!settings) throw new StartError(errors.map(({ line = 1, message }) => `${file}:${line}: ${message}`).join('\n'));
  return settings;
}
