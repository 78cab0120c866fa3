/** Reads the engine's own defaults, so that the comparison includes only the values that the kubelet requested. */
import type { DockerEngine } from '@podscope/dockershim/testing/docker-engine';

type Inspection = Readonly<Record<string, unknown>>;

export interface ReferenceContainer {
  readonly Config: Inspection;
  readonly HostConfig: Inspection;
  /** Returns the environment that an image defines, by image id. */
  readonly imageEnv: (imageID: string) => Promise<readonly string[]>;
}

const record = (value: unknown): Inspection =>
  typeof value === 'object' && value !== null ? (value as Inspection) : {};

/** Creates a container with nothing but an image, inspects it, and removes it. */
export async function readReference(engine: DockerEngine, image: string): Promise<ReferenceContainer> {
  const created = record(await engine.call('POST', '/containers/create', { Image: image }));
  const id = String(created['Id']);
  try {
    const inspection = record(await engine.call('GET', `/containers/${id}/json`));
    const cache = new Map<string, Promise<readonly string[]>>();
    const read = async (imageID: string): Promise<readonly string[]> => {
      const env = record(record(await engine.call('GET', `/images/${imageID}/json`).catch(() => ({})))['Config'])[
        'Env'
      ];
      return Array.isArray(env) ? env.map(String) : [];
    };
    const imageEnv = (imageID: string): Promise<readonly string[]> => {
      const known = cache.get(imageID) ?? read(imageID);
      cache.set(imageID, known);
      return known;
    };
    return { Config: record(inspection['Config']), HostConfig: record(inspection['HostConfig']), imageEnv };
  } finally {
    await engine.call('DELETE', `/containers/${id}?force=1`);
  }
}
