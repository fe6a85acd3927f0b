import { existsSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGE = '@upscalerjs/esrgan-thick';
/** Folder, in the package, of the network that enlarges four times. */
const MODEL = 'models/x4';

/** The folder in the published package, which has no other package for it. */
const PUBLISHED = join(import.meta.dirname, '../../../../lib/network');

/** Returns the folder of the installed network; null if this installation is without it. */
export function findNetwork(): string | null {
  if (existsSync(join(PUBLISHED, 'model.json'))) return PUBLISHED;
  try {
    const manifest = findPackageJSON(PACKAGE, import.meta.url);
    const folder = manifest === undefined ? null : join(dirname(manifest), MODEL);
    return folder !== null && existsSync(join(folder, 'model.json')) ? folder : null;
  } catch {
    return null;
  }
}
