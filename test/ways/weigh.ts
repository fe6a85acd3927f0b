import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Weighs checkouts whose packages are installed, side by side:
 *
 *     node test/ways/weigh.ts [directory] …
 */
const directories = process.argv.length > 2 ? process.argv.slice(2) : [join(import.meta.dirname, '..', '..')];

/** Rooms of any checkout that the core could do without, and those that later became packages. */
const BESIDE_CORE = /^src\/(?:additions|alerts|engines|illustrator|local|mcp|media|net|openai|shares|tags|wire)\//;
/** What one folder each should know. */
const FEATURES = { batch: /batch/i, end_user: /end_?user/i, archiv: /archiv/i, circuit: /circuit/i };

const weights = directories.map((directory) => weigh(resolve(directory)));
for (const measure of Object.keys(weights[0] ?? {}))
  console.log(`${measure.padEnd(44)}${weights.map((one) => String(one[measure]).padStart(12)).join('')}`);

function weigh(root: string): Record<string, number> {
  const texts = new Map(
    globSync('{src,packages/*/src}/**/*.ts', { cwd: root })
      .filter((path) => !/\.(?:test|conformance)\.ts$|\/fixtures\/|^packages\/testing\//.test(path))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
  const linesOf = (belongs: (path: string) => boolean) =>
    [...texts].filter(([path]) => belongs(path)).reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0);
  const rooms = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const { tables, columns } = schemaOf(root);
  return {
    'lines of the core, without tests': linesOf((path) => path.startsWith('src/') && !BESIDE_CORE.test(path)),
    'lines of service and packages, without tests': linesOf(() => true),
    rooms: rooms.length,
    'arrows between rooms': arrowsOf(texts).size,
    tables,
    'columns of tasks': columns,
    'settings beside those of engines': settingsOf(root),
    ...Object.fromEntries(
      Object.entries(FEATURES).map(([name, pattern]) => [
        `files that name ${name} outside its folder`,
        filesWith(texts, pattern),
      ]),
    ),
    'words of docs/*.md': globSync('docs/*.md', { cwd: root }).reduce(
      (sum, path) => sum + readFileSync(join(root, path), 'utf8').split(/\s+/).filter(Boolean).length,
      0,
    ),
    'MB of installed packages, without those for tests': Math.round(installedBytes(root) / 1e6),
  };
}

/** Returns pairs of rooms that import each other, packages left out. */
function arrowsOf(texts: ReadonlyMap<string, string>): Set<string> {
  const roomOf = (path: string) => /^src\/([^/]+)/.exec(path)?.[1];
  const pairs = [...texts].flatMap(([path, text]) =>
    [...text.matchAll(/(?:\bfrom|\bimport|\bURL)\s*\(?\s*'(\.[^']+\.ts)'/g)].map(
      ([, name = '']) => [roomOf(path), roomOf(posix.join(posix.dirname(path), name))] as const,
    ),
  );
  return new Set(pairs.filter(([from, to]) => from !== undefined && to !== undefined && from !== to).map(String));
}

function filesWith(texts: ReadonlyMap<string, string>, pattern: RegExp): number {
  return [...texts].filter(
    ([path, text]) => pattern.test(text) && !pattern.test(posix.dirname(path).replaceAll('-', '_')),
  ).length;
}

/** Counts the rows of docs/configuration.md, except those of engines and of clients. */
function settingsOf(root: string): number {
  const sections = readFileSync(join(root, 'docs', 'configuration.md'), 'utf8').split(/^## /m);
  return sections
    .filter((section) => !/^(?:Engines|Command line)\n/.test(section))
    .reduce((sum, section) => sum + (section.match(/^\| `[A-Z_]+` \|/gm) ?? []).length, 0);
}

/** Lets the checkout make an empty database, and counts its tables. */
function schemaOf(root: string): { readonly tables: number; readonly columns: number } {
  const directory = mkdtempSync(join(tmpdir(), 'darkroom-weigh-'));
  try {
    const main =
      ['src/main.ts', 'src/cli/main.ts'].map((path) => join(root, path)).find((path) => existsSync(path)) ?? '';
    execFileSync(process.execPath, [main, 'keys', 'create', '--mode', 'test', '--plain'], {
      cwd: directory,
      env: { PATH: process.env.PATH, DARKROOM_DATA_DIR: directory },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const database = new DatabaseSync(join(directory, 'darkroom.db'));
    const count = (sql: string) => Number(database.prepare(sql).get()?.count);
    const tables = count("select count(*) count from sqlite_master where type = 'table' and name not like 'sqlite%'");
    const columns = count("select count(*) count from pragma_table_info('tasks')");
    database.close();
    return { tables, columns };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function installedBytes(root: string): number {
  const lock: { packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean }> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  return Object.entries(lock.packages)
    .filter(([path, { dev, devOptional, link }]) => path.startsWith('node_modules/') && !dev && !devOptional && !link)
    .reduce((sum, [path]) => sum + bytesBelow(join(root, path)), 0);
}

/** Packages within a package are entries of their own. */
function bytesBelow(directory: string): number {
  if (!existsSync(directory)) return 0;
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => join(directory, entry.name))
    .reduce((sum, path) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      return sum + (stats === undefined ? 0 : stats.isDirectory() ? bytesBelow(path) : stats.size);
    }, 0);
}
