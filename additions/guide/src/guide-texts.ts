import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const MARKDOWN_DIRECTORY = join(import.meta.dirname, '..', '..', '..', 'docs');
/** Address that the pages name in their examples. */
export const EXAMPLE_URL = 'http://127.0.0.1:8080';
/** Stands in built files for the public address of the service that serves them. */
export const PUBLIC_URL_MARK = '__PUBLIC_URL__';

/** Reads a page as it is stored. */
export async function readPage(name: string): Promise<string> {
  return await readFile(join(MARKDOWN_DIRECTORY, `${name}.md`), 'utf8');
}

/** Reads a program that a page links to. */
export async function readProgram(path: string): Promise<Buffer> {
  return await readFile(join(MARKDOWN_DIRECTORY, path));
}
