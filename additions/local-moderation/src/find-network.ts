import { existsSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** Folder, in the published package, which has no other package for the network. */
const PUBLISHED = join(import.meta.dirname, '../../../lib/moderation-network');
const MODEL = 'dist/models/mobilenet_v2_mid';

/** Returns the folder of the installed network; null if this installation is without it. */
export function findNetwork(): string | null {
  if (existsSync(join(PUBLISHED, 'model.min.js'))) return PUBLISHED;
  try {
    const manifest = findPackageJSON('nsfwjs', import.meta.url);
    const folder = manifest === undefined ? null : join(dirname(manifest), MODEL);
    return folder !== null && existsSync(join(folder, 'model.min.js')) ? folder : null;
  } catch {
    return null;
  }
}
