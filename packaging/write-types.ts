import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { packageFiles } from './package-files.ts';

const ENTRIES = [
  'src/kernel.d.ts',
  'src/kernel-accounts.d.ts',
  'src/kernel-cli.d.ts',
  'src/kernel-orders.d.ts',
  'src/kernel-views.d.ts',
  'src/kernel-http.d.ts',
];
/** The address that a type is imported from. */
const IMPORTED = /(?<=(?:from |import\()["'])[^"']+(?=["'])/g;

/**
 * Keeps the declarations that the kernel needs, and lets them import each other where they lie in the package: those of
 * our packages are not installed beside it. Other packages stay as they are named.
 * @param types the directory of the compiler's declarations, as deep as the sources
 */
export function linkTypes(types: string, root: string): void {
  const own = packageFiles(root);
  const kept = new Set(ENTRIES);
  for (const path of kept) {
    const text = readFileSync(join(types, path), 'utf8').replace(IMPORTED, (name) => {
      const file = name.startsWith('.') ? posix.join(dirname(path), name) : own.get(name);
      if (file === undefined) return name;
      const stem = file.replace(/\.[jt]s$/, '');
      kept.add(`${stem}.d.ts`);
      const relative = posix.relative(dirname(path), stem);
      return `${relative.startsWith('.') ? relative : `./${relative}`}.js`;
    });
    writeFileSync(join(types, path), text);
  }
  for (const path of globSync('**/*.d.ts', { cwd: types }))
    if (!kept.has(path.replaceAll('\\', '/'))) rmSync(join(types, path));
}
