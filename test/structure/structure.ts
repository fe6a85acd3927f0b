import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { countWays } from './count-ways.ts';
import { exportedComments, isDependent } from './doc-comments.ts';
import { countPoints, kernelMembers, kernelNames } from './kernel-interface.ts';
import { measureRooms } from './measure-rooms.ts';
import { isGenerated, isOfAddition, readSources, type Sources } from './sources.ts';

/**
 * Prints what the code of checkouts is made of, side by side: `npm run structure [-- directory …]`. Without a directory
 * it is this checkout. The packages of each must be installed.
 */
const directories = process.argv.slice(2);

/** A measure, such as `files`, and what it is. */
type Measures = Readonly<Record<string, string>>;

/** What one folder each should know. */
const FEATURES = { batch: /batch/i, end_user: /end_?user/i, circuit: /circuit/i, deliver_to: /deliver_?to/i };
const SMALL_FILE_LINES = 40;

const columns: Measures[] = [];
for (const directory of directories.length > 0 ? directories : [join(import.meta.dirname, '..', '..')]) {
  const root = resolve(directory);
  const sources = readSources(root);
  columns.push({
    checkout: basename(root),
    ...measureRooms(sources),
    ...measureWhole(root, sources),
    ...(await measureRunning(root)),
  });
}
const names = [...new Set(columns.flatMap((column) => Object.keys(column)))];
for (const name of names)
  console.log(`${name.padEnd(58)}${columns.map((column) => (column[name] ?? '-').padStart(28)).join('')}`.trimEnd());

function measureWhole(root: string, { texts, programs, addresses, importsOf }: Sources): Measures {
  const imports = programs.flatMap((path) => importsOf(path));
  const ofService = programs.filter((path) => path.startsWith('src/'));
  const hung = imports.filter(({ from, to }) => isOfAddition(from) && to.startsWith('src/') && !isOfAddition(to));
  const comments = exportedComments(texts).filter(({ path }) => !isGenerated(path) && !path.startsWith('console/'));
  const names = kernelNames({ texts, programs }, root);
  const members = kernelMembers({ texts });
  const importers = Map.groupBy(imports, ({ to }) => to);
  const crumbs = ofService.filter((path) => {
    const from = new Set((importers.get(path) ?? []).map((one) => one.from));
    const [only = ''] = from;
    return linesOf(texts.get(path)) <= SMALL_FILE_LINES && from.size === 1 && dirname(only) === dirname(path);
  });
  const page = readFileSync(join(root, 'docs', 'configuration.md'), 'utf8');
  const words = globSync('docs/{,decisions/}*.md', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
  return {
    'extension points': String(countPoints({ texts })),
    'names of the interface of additions': String(names.length),
    'names of the interface with one user': String(names.filter(({ users }) => users.size === 1).length),
    'core files behind the interface': String(new Set(names.map(({ from }) => from)).size),
    'parts and members of the kernel object': `${new Set(members.map(({ part }) => part)).size} ${members.length}`,
    'imports from additions to the core': String(hung.length),
    'files of the core that additions import': String(new Set(hung.map(({ to }) => to)).size),
    'doc comments of exported names that do not stand alone': String(comments.filter(isDependent).length),
    'addresses of packages, without their roots': String([...addresses.values()].length - rootsOf(addresses)),
    [`files of src to ${SMALL_FILE_LINES} lines whose one importer is beside them`]: String(crumbs.length),
    ...Object.fromEntries(
      Object.entries(FEATURES).map(([name, pattern]) => [
        `files of src that name ${name} outside its folder`,
        String(
          ofService.filter(
            (path) => pattern.test(texts.get(path) ?? '') && !pattern.test(dirname(path).replaceAll('-', '_')),
          ).length,
        ),
      ]),
    ),
    'settings DARKROOM_*': String(new Set(page.match(/(?<=^\| `)DARKROOM_[A-Z0-9_]+(?=`)/gm)).size),
    'words of docs': String(words.join('\n').split(/\s+/).filter(Boolean).length),
  };
}

function rootsOf(addresses: ReadonlyMap<string, string>): number {
  return [...addresses.keys()].filter((address) => address.split('/').length === 2).length;
}

async function measureRunning(root: string): Promise<Measures> {
  let measures: Measures = {};
  const ways = await countWays(root, async ({ url, database }) => {
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, object> };
    const file = new DatabaseSync(database, { readOnly: true });
    const count = (sql: string) => String(file.prepare(sql).get()?.count);
    measures = {
      tables: count("select count(*) count from sqlite_master where type = 'table' and name not like 'sqlite%'"),
      'columns of tasks': count("select count(*) count from pragma_table_info('tasks')"),
      operations: String(Object.values(document.paths).flatMap((path) => Object.keys(path)).length),
    };
    file.close();
  });
  const cells = ways.map(({ name, stays, files, returns }) => [
    `way of ${name === 'order' || name === 'result' ? `the ${name}` : `a ${name}`}: stays, files, returns`,
    `${stays.length} ${files} ${returns}`,
  ]);
  return { ...measures, ...Object.fromEntries(cells) };
}

function linesOf(text = ''): number {
  return text.split('\n').length - 1;
}
