import { existsSync, globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A file of the built console, with the forms of it that were compressed when it was built. */
export interface ConsoleFile {
  readonly path: string;
  readonly contentType: string;
  readonly plain: Buffer;
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
};

/** The built console, read into memory once; none where it has not been built. Paths are relative, with slashes. */
export function readConsoleFiles(directory: string): ConsoleFile[] {
  if (!existsSync(join(directory, 'index.html'))) return [];
  const paths = globSync('{*,assets/**/*}', { cwd: directory }).map((path) => path.replaceAll('\\', '/'));
  return paths.flatMap((path) => {
    const contentType = CONTENT_TYPES[extname(path)];
    if (contentType === undefined) return [];
    const read = (ending: string) => {
      const name = join(directory, `${path}${ending}`);
      return existsSync(name) ? readFileSync(name) : null;
    };
    return [{ path, contentType, plain: readFileSync(join(directory, path)), br: read('.br'), gzip: read('.gz') }];
  });
}

/** The smallest form that the caller takes. */
export function encodedFor(
  file: ConsoleFile,
  acceptEncoding: string | undefined,
): { readonly body: Buffer; readonly encoding: 'br' | 'gzip' | null } {
  const accepted = new Set(
    (acceptEncoding ?? '')
      .split(',')
      .map((word) => word.trim().toLowerCase())
      .filter((word) => !/;\s*q=0(\.0*)?$/.test(word))
      .map((word) => word.split(';')[0]),
  );
  for (const encoding of ['br', 'gzip'] as const) {
    const body = file[encoding];
    if (body !== null && accepted.has(encoding)) return { body, encoding };
  }
  return { body: file.plain, encoding: null };
}
