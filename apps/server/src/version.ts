/** Exports the version of the product. */
import packageJson from '../package.json' with { type: 'json' };

/** The version in package.json. */
export const productVersion = packageJson.version;
