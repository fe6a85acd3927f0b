import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/**
 * Returns the files that this program, the packages under `packages/` and the additions under `additions/` make public,
 * as paths from the root, by the addresses that others import, such as `@darkroom-service/contract/schemas`.
 */
export function packageFiles(root: string): ReadonlyMap<string, string> {
  const files = globSync('{.,packages/*,additions/*}/package.json', { cwd: root }).flatMap((path) => {
    const { name, exports } = JSON.parse(readFileSync(join(root, path), 'utf8')) as {
      readonly name: string;
      readonly exports: Readonly<Record<string, string>>;
    };
    const folder = dirname(path).replaceAll('\\', '/');
    return Object.entries(exports).map(
      ([address, file]) => [posix.join(name, address), posix.join(folder, file)] as const,
    );
  });
  return new Map(files);
}
