import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeHtml } from '@darkroom-service/addition-common/http/escape-html';
import { loadPart } from '@darkroom-service/media/process';
import { PUBLIC_URL_MARK } from './guide-texts.ts';

/** Directory of the guide built by `npm ci`. */
export const BUILT_DIRECTORY = join(import.meta.dirname, '..', 'dist');
/** The names of the built pages. It is written last. */
export const PAGE_LIST = 'pages.json';
/** Pages of the guide, as files. */
export const pageFile = (name: string) => `${name}.html`;
/** The page around the list of clients, which has this mark in the list's place. */
export const CLIENTS_FILE = 'clients.html';
export const CLIENTS_MARK = '<!--clients-->';
export const LLMS_FILE = 'llms.txt';
export const SEARCH_FILE = 'search.json';
/** Files that pages load, with their types. */
export const ASSETS = {
  'guide.css': 'text/css; charset=utf-8',
  'guide.js': 'text/javascript; charset=utf-8',
} as const;

/** The built files of the guide. */
export interface BuiltGuide {
  /** Names of the pages that were built. */
  readonly pages: readonly string[];
  /**
   * Reads a built file, with this URL in place of the mark.
   * @throws MachineFault if the file is missing, such as while another version replaces the program
   */
  text(name: string, publicUrl: string): Promise<string>;
}

/** Finds the built guide; null if it is not built. */
export function findGuide(directory: string): BuiltGuide | null {
  const list = join(directory, PAGE_LIST);
  if (!existsSync(list)) return null;
  return {
    pages: JSON.parse(readFileSync(list, 'utf8')) as string[],
    async text(name, publicUrl) {
      const text = await loadPart(() => readFile(join(directory, name), 'utf8'));
      return text.replaceAll(PUBLIC_URL_MARK, name.endsWith('.html') ? escapeHtml(publicUrl) : publicUrl);
    },
  };
}

/** Removes the links to pages that this service does not have, since their additions are closed. */
export function withoutPages(html: string, closed: readonly string[]): string {
  if (closed.length === 0) return html;
  const href = `href="(?:docs/)?(?:${closed.join('|')})(?:#[^"]*)?"`;
  return html
    .replaceAll(new RegExp(`^<a class="page" ${href}>.*</a>\\n`, 'gm'), '')
    .replaceAll(new RegExp(`<a ${href}>(.*?)</a>`, 'gs'), '$1');
}

/** Policy of the guide's pages: everything that they load comes from here. */
export const GUIDE_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page of a service whose guide is not built. */
export const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Darkroom</title>
<h1>The guide is not built</h1>
<p>The service runs. To build its guide, run <code>npm ci</code> (or <code>npm run prepare</code>) in the folder of the service and start it again.</p>
</html>
`;
