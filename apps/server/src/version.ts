/** States the version of the product. */
import packageJson from '../package.json' with { type: 'json' };

/** The version of the product. */
export const productVersion = packageJson.version;
