import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { restoreManifest } from './manifest.ts';

/** Leaves the checkout as it was before `npm pack`. */
const ROOT = join(import.meta.dirname, '..');
rmSync(join(ROOT, 'lib'), { recursive: true });
restoreManifest(ROOT);
