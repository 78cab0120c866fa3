/** Describes a Docker engine for users: its version and the configuration of its daemon. */
import Docker from 'dockerode';
import { z } from 'zod';
import { dockerEndpoint } from './endpoint.ts';

/** The description of a Docker engine that answered. */
export interface EngineDescription {
  /** The address, for example `unix:///var/run/docker.sock`. */
  readonly url: string;
  /** The engine's version, for example `28.2.2`. */
  readonly version: string;
  /** The newest API version that the engine supports, for example `1.50`. */
  readonly apiVersion: string;
  readonly cgroupDriver: string;
  /** The version of cgroups, 1 or 2. */
  readonly cgroupVersion: string;
  readonly isRootless: boolean;
}

const versionSchema = z.object({ Version: z.string(), ApiVersion: z.string() });
const infoSchema = z.object({
  CgroupDriver: z.string().default('none'),
  CgroupVersion: z.string().default('1'),
  SecurityOptions: z.array(z.string()).nullish(),
});

/**
 * Requests the description from the engine at `DOCKER_HOST`, or from the local engine if the variable isn't set.
 * @param timeout in milliseconds
 * @throws Error if the engine doesn't answer in time; its `code` is that of the connection error: `ENOENT`, `EACCES`, …
 */
export async function describeEngine(
  environment: Readonly<Record<string, string | undefined>>,
  timeout: number,
): Promise<EngineDescription> {
  const { url, connection } = dockerEndpoint(undefined, environment);
  const engine = new Docker({ ...connection, timeout });
  const { Version: version, ApiVersion: apiVersion } = versionSchema.parse(await engine.version());
  const info = infoSchema.parse(await engine.info());
  return {
    url,
    version,
    apiVersion,
    cgroupDriver: info.CgroupDriver,
    cgroupVersion: info.CgroupVersion,
    isRootless: info.SecurityOptions?.some((option) => option.includes('rootless')) ?? false,
  };
}
