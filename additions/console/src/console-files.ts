import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

type Encoding = 'br' | 'gzip';

/** A file of the built console. Its bytes are read when it is requested: browsers cache them. */
export interface ConsoleFile {
  readonly path: string;
  readonly contentType: string;
  /** Encodings in which the file was compressed when the console was built. */
  readonly encodings: ReadonlySet<Encoding>;
  /** @throws Error if the file was removed after the start. */
  read(encoding: Encoding | null): Promise<Buffer>;
}

/** The built console. Paths are relative, with slashes. */
interface Console {
  /** The page, with a placeholder for a nonce; null if the console is not built. */
  readonly page: string | null;
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

export const PAGE = 'index.html';
export const ASSETS = 'assets';
const ENDINGS = { br: '.br', gzip: '.gz' } as const;
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
};

/** Lists the files of the built console. */
export function findConsole(directory: string): Console {
  const page = join(directory, PAGE);
  if (!existsSync(page)) return { page: null, files: new Map() };
  const assets = join(directory, ASSETS);
  const nested = existsSync(assets) ? readdirSync(assets, { recursive: true }) : [];
  const names = new Set([...readdirSync(directory), ...nested.map((name) => `${ASSETS}/${String(name)}`)]);
  const files = [...names].flatMap((name) => {
    const contentType = CONTENT_TYPES[extname(name)];
    if (contentType === undefined) return [];
    const encodings = (['br', 'gzip'] as const).filter((encoding) => names.has(`${name}${ENDINGS[encoding]}`));
    const path = name.replaceAll('\\', '/');
    const file: ConsoleFile = {
      path,
      contentType,
      encodings: new Set(encodings),
      read: (encoding) => readFile(join(directory, encoding === null ? name : `${name}${ENDINGS[encoding]}`)),
    };
    return [[path, file] as const];
  });
  return { page: readFileSync(page, 'utf8'), files: new Map(files) };
}

/** Returns the smallest encoding that the caller accepts. */
export function chooseEncoding(file: ConsoleFile, acceptEncoding: string | undefined): Encoding | null {
  const accepted = new Set(
    (acceptEncoding ?? '')
      .split(',')
      .map((word) => word.trim().toLowerCase())
      .filter((word) => !/;\s*q=0(\.0*)?$/.test(word))
      .map((word) => word.split(';')[0]),
  );
  return (['br', 'gzip'] as const).find((encoding) => file.encodings.has(encoding) && accepted.has(encoding)) ?? null;
}
