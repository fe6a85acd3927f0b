import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SUITES } from '../suites.ts';

/** Settings and addresses of operations. */
const WORDS = /DARKROOM_[A-Z0-9_]+|\/(?:v1|admin)\/[a-z-]+(?:\/[a-z-]+)?/g;
/** What compares all settings, and all packages, with lists. */
const ALWAYS = ['test/addition-settings.test.ts', 'test/workspaces.test.ts'];

/**
 * Finds the tests outside of some additions that say what only these have: a setting, an address of an operation, or
 * the package.
 * @param folders of additions, from the root.
 */
export async function nearTests(root: string, folders: readonly string[]): Promise<string[]> {
  const isInside = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`));
  const sources = globSync('{src,packages,additions}/**/*.ts', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/*.test.ts'],
  });
  const own = await wordsOf(root, sources.filter(isInside));
  const elsewhere = await wordsOf(
    root,
    sources.filter((path) => !isInside(path)),
  );
  const words = [...own].filter((word) => !elsewhere.has(word));
  const { patterns = [], except = [] } = SUITES.embedded ?? {};
  const tests = globSync([...patterns], { cwd: root, exclude: [...except] }).filter((path) => !isInside(path));
  const packages = folders.map((folder) => `/addition-${folder.slice(folder.lastIndexOf('/') + 1)}`);
  const found = await Promise.all(
    tests.map(async (path) => {
      const text = await readFile(join(root, path), 'utf8');
      const said = new Set(text.match(WORDS));
      return words.some((word) => said.has(word)) || packages.some((name) => new RegExp(`${name}['/]`).test(text));
    }),
  );
  return [...new Set([...ALWAYS, ...tests.filter((_, index) => found[index])])].sort();
}

async function wordsOf(root: string, paths: readonly string[]): Promise<Set<string>> {
  const texts = await Promise.all(paths.map((path) => readFile(join(root, path), 'utf8')));
  return new Set(texts.flatMap((text) => text.match(WORDS) ?? []));
}
