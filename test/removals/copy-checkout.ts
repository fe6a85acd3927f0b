import { execFileSync } from 'node:child_process';
import { copyFile, lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The list of all additions. */
export const LIST = 'src/additions/list.ts';
/** The packages' own scope, whose entries in `node_modules` are links to the folders of a checkout. */
export const SCOPE = '@darkroom-service';

/** Copies the tracked and the new files of a checkout. The copy uses its own workspaces and the same packages. */
export async function copyCheckout(root: string, copy: string): Promise<void> {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(Boolean);
  for (const folder of new Set(files.map(dirname))) await mkdir(join(copy, folder), { recursive: true });
  for (const path of files) {
    const found = await lstat(join(root, path));
    if (found.isSymbolicLink()) await symlink(await readlink(join(root, path)), join(copy, path));
    else await copyFile(join(root, path), join(copy, path));
  }
  const folders = files.filter((path) => path.endsWith('package.json')).map((path) => dirname(path));
  for (const folder of folders)
    await linkPackages(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'));
}

async function linkPackages(packages: string, copied: string): Promise<void> {
  const entries = await readdir(packages).catch((): string[] => []);
  if (entries.length > 0) await mkdir(copied);
  for (const entry of entries.filter((name) => name !== SCOPE))
    await symlink(join(packages, entry), join(copied, entry));
  if (!entries.includes(SCOPE)) return;
  // Links that lead from the copy's folder to the copy's own packages.
  await mkdir(join(copied, SCOPE));
  for (const entry of await readdir(join(packages, SCOPE)))
    await symlink(await readlink(join(packages, SCOPE, entry)), join(copied, SCOPE, entry));
}
