import { spawnSync } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const BUILD = 'additions/guide/build/build.ts';
/** What the build writes last. */
const LAST = 'additions/guide/dist/pages.json';
const SOURCES = ['docs/*.md', 'additions/guide/{build,browser,src}/*', 'packages/contract/src/*.ts'];

/**
 * Builds the guide that tests read, if it is not built or older than what its pages are made from.
 * @param root the directory of a checkout, also of one without the guide
 * @throws Error if it cannot be built
 */
export function buildStaleGuide(root: string): void {
  const changedAt = (path: string) => statSync(join(root, path)).mtimeMs;
  if (!existsSync(join(root, BUILD))) return;
  const isBuilt = existsSync(join(root, LAST));
  if (isBuilt && globSync(SOURCES, { cwd: root }).every((path) => changedAt(path) <= changedAt(LAST))) return;
  const { status } = spawnSync(process.execPath, [join(root, BUILD)], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`expected ${BUILD} to build the guide, and it ended with ${status}`);
}
