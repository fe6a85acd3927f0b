import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, loadCatalog } from '../src/catalog/catalog.ts';
import { CHECKED_FILES } from '../src/catalog/checked-files.ts';
import { bundlePrograms } from './bundle-programs.ts';
import { restoreManifest, writeManifest } from './manifest.ts';
import { writeNotices } from './notices.ts';
import { linkTypes } from './write-types.ts';

/**
 * Compiles `src` and `packages` into `lib`, as JavaScript: Node strips no types from packages under `node_modules`.
 * `npm pack` runs it, and `after-pack.ts` afterwards. `lib` lies as deep as `src`, so that paths to the catalog, the
 * console and the pages hold for both.
 */
const ROOT = join(import.meta.dirname, '..');
const LIB = join(ROOT, 'lib');
/** The address of a program that runs in a thread or a process. The compiler changes the endings of imports only. */
const PROGRAM = /(new URL\('[^']+)\.ts(', import\.meta\.url\))/g;
const SOURCE_NAME = /['"`][./][^'"`]*\.ts['"`]/;

restoreManifest(ROOT);
rmSync(LIB, { recursive: true, force: true });
const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
compile('tsconfig.json');
for (const path of globSync('**/*.js', { cwd: LIB })) {
  const text = readFileSync(join(LIB, path), 'utf8').replace(PROGRAM, '$1.js$2');
  const left = SOURCE_NAME.exec(text);
  if (left !== null) throw new Error(`lib/${path} names a file that the package does not hold: ${left[0]}`);
  writeFileSync(join(LIB, path), text);
}
const packages = await bundlePrograms(LIB);
// Of the packages with several networks the service uses one each.
const enlarging = join(ROOT, 'node_modules', '@upscalerjs', 'esrgan-thick');
cpSync(join(enlarging, 'models', 'x4'), join(LIB, 'network'), { recursive: true });
const moderating = join(ROOT, 'node_modules', 'nsfwjs');
cpSync(join(moderating, 'dist', 'models', 'mobilenet_v2_mid'), join(LIB, 'moderation-network'), { recursive: true });
cpSync(join(moderating, 'dist', 'models', 'package.json'), join(LIB, 'moderation-network', 'package.json'));
writeNotices([...packages, enlarging, moderating], join(LIB, 'THIRD-PARTY.md'));
compile('tsconfig.types.json');
linkTypes(join(LIB, 'types'), ROOT);
await writeCheckedFiles(join(ROOT, 'catalog'));
writeManifest(ROOT);

function compile(project: string): void {
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(import.meta.dirname, project)], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** Notes which files of the catalog have no faults, so that a start of the package need not check them. */
async function writeCheckedFiles(catalog: string): Promise<void> {
  await loadCatalog({ directories: [catalog] });
  const files = globSync('*.json', { cwd: catalog }).filter((name) => !name.endsWith('.schema.json'));
  const digests = files.map((name) => digestOf(readFileSync(join(catalog, name), 'utf8')));
  writeFileSync(join(LIB, CHECKED_FILES), JSON.stringify(digests.sort()));
}
