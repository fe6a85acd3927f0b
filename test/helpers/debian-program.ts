import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A program of Debian, installed or unpacked. */
export interface DebianProgram {
  readonly path: string;
  /** Of the process that runs it. */
  readonly env: NodeJS.ProcessEnv;
  /** What the paths of its packages begin with; empty if they are installed. */
  readonly root: string;
}

/**
 * Finds a program on this machine, or unpacks Debian's packages of it into a folder, which needs no root. Null where
 * neither is possible.
 * @param path where the package has the program
 */
export async function findDebianProgram(
  closers: Pick<TestContext, 'after'>,
  path: string,
  packages: readonly string[],
): Promise<DebianProgram | null> {
  const isInstalled = await run('dpkg', ['--status', ...packages]).then(
    () => true,
    () => false,
  );
  if (isInstalled) return { path, env: process.env, root: '' };
  const root = await mkdtemp(join(tmpdir(), 'darkroom-debian-'));
  closers.after(() => rm(root, { recursive: true, force: true }));
  try {
    const missing = ['install', '--print-uris', '--quiet=2', '--no-install-recommends', ...packages];
    const { stdout } = await run('apt-get', ['--option', 'Debug::NoLocking=true', ...missing]);
    const names = [...stdout.matchAll(/^'[^']+' ([^_]+)_/gm)].map(([, name = '']) => name);
    await run('apt-get', ['download', ...names], { cwd: root });
    for (const file of globSync('*.deb', { cwd: root })) await run('dpkg-deb', ['--extract', file, '.'], { cwd: root });
  } catch {
    return null;
  }
  const libraries = globSync('{,usr/}lib/*-linux-gnu*', { cwd: root }).map((each) => join(root, each));
  return { path: join(root, path), env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') }, root };
}
