import { readSources } from '../structure/sources.ts';

/**
 * Finds the tests and measurements outside of some folders that import their files, directly or through others: they
 * leave with them.
 * @param folders of additions, from the root.
 */
export function testsBuiltOn(root: string, folders: readonly string[]): string[] {
  const { texts, importsOf } = readSources(root);
  const isInside = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`));
  const isTest = (path: string) => /^(?:test|bench)\/|\.(?:test|conformance)\.ts$/.test(path);
  const importers = Map.groupBy(
    [...texts.keys()].filter((path) => isTest(path) && !isInside(path)).flatMap((path) => importsOf(path)),
    ({ to }) => to,
  );
  const found = new Set<string>();
  const wanted = [...importers.keys()].filter(isInside);
  for (const path of wanted)
    for (const { from } of importers.get(path) ?? [])
      if (!found.has(from)) {
        found.add(from);
        wanted.push(from);
      }
  return [...found].sort();
}
