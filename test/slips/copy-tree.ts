import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The packages of this repository: links that lead out of `node_modules`. */
const OWN_SCOPE = '@darkroom-service';
/** What a copy makes for itself, such as compiled modules. */
const OWN_CACHE = '.cache';

/** A copy of the repository in a temporary folder, which changes nothing here. */
export interface CopiedTree extends AsyncDisposable {
  readonly root: string;
}

/** Copies the files that Git knows of, as they are now, and links the installed packages. */
export async function copyTree(root: string): Promise<CopiedTree> {
  const copy = await mkdtemp(join(tmpdir(), 'darkroom-slips-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const files = new Set(listed.toString().split('\0').filter(Boolean));
  for (const file of files) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    // A file that was deleted and not committed yet is still listed.
    await cp(join(root, file), join(copy, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  await linkPackages(join(root, 'node_modules'), join(copy, 'node_modules'));
  return { root: copy, [Symbol.asyncDispose]: () => rm(copy, { recursive: true, force: true }) };
}

async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(join(to, OWN_SCOPE), { recursive: true });
  for (const name of await readdir(from))
    if (name !== OWN_SCOPE && name !== OWN_CACHE) await symlink(join(from, name), join(to, name));
  // These links are relative, so the same ones lead into the copy.
  for (const name of await readdir(join(from, OWN_SCOPE)))
    await symlink(await readlink(join(from, OWN_SCOPE, name)), join(to, OWN_SCOPE, name));
}
