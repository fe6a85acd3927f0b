import { readFileSync, realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { loadCodecs } from '@darkroom-service/media/decoding';
import { failed, type Observation, ok } from '../check.ts';

const LIBRARY = 'mediabunny';
const CODECS = '@mediabunny/server';

/**
 * Says whether the built-in engine can make films. The codecs register with the copy of the library that they find, and
 * npm may have installed another copy for the service.
 * @param from URL of the file from which the packages are found
 */
export async function diagnoseCodecs(from: string = import.meta.url): Promise<Observation> {
  const library = findPackage(LIBRARY, from);
  const codecs = findPackage(CODECS, from);
  const version = library === null ? 'latest' : versionOf(library);
  if (library === null || codecs === null)
    return {
      status: 'warning',
      found: `the optional package ${CODECS} is missing: the built-in engine makes no films, and films get no thumbnails`,
      advice: `In a checkout run \`npm ci\`. Beside an installed package run \`npm install ${CODECS}@${version}\`.`,
    };
  const other = findPackage(LIBRARY, join(codecs, 'package.json'));
  if (other !== null && other !== library)
    return {
      status: 'failed',
      found: `${LIBRARY} is installed twice: Darkroom uses ${version} in ${library}, and ${CODECS} uses ${versionOf(other)} in ${other}. So the built-in engine makes no films, and films get no thumbnails`,
      advice: `Stop the service, run \`npm install ${LIBRARY}@${version}\` where you installed the package, and start it again.`,
    };
  if (await loadCodecs()) return ok('the codecs of the built-in engine are there');
  return failed(
    `the package ${CODECS} cannot be loaded`,
    'Delete node_modules and install the packages again on this machine, in a checkout by `npm ci`.',
  );
}

/** Returns the real folder of a package; null if it is not installed. */
function findPackage(name: string, from: string): string | null {
  try {
    const path = findPackageJSON(name, from);
    return path === undefined ? null : realpathSync(dirname(path));
  } catch {
    return null;
  }
}

function versionOf(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string }).version;
}
