import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { test } from 'node:test';
import { CONSOLE_ROOMS, ROOMS } from './rooms.ts';
import {
  type Import,
  isForTests,
  isGenerated,
  isOfAddition,
  isProgram,
  packageOf,
  placeOf,
  readSources,
  workspaceOf,
} from './structure/sources.ts';

const ROOT = join(import.meta.dirname, '..');
const HOUSES = [
  { root: 'src', rooms: ROOMS },
  { root: 'console/src', rooms: CONSOLE_ROOMS },
] as const;

const MAX_LINES = 300;
/** The files that name what additions import of the core. */
const KERNEL = [
  'src/kernel.ts',
  'src/kernel-accounts.ts',
  'src/kernel-cli.ts',
  'src/kernel-orders.ts',
  'src/kernel-views.ts',
  'src/kernel-http.ts',
];
/** The named entries of packages. It only falls: one is right where the root would load too much for its callers. */
const MAX_ENTRIES_BESIDE_ROOTS = 13;
/** Tests say the same kind of thing many times over. */
const MAX_TEST_LINES = 450;
/** The formatter breaks code at this column, but no comment. */

/** The files that read the machine's own time and randomness. */
const OF_THE_MACHINE = [
  'packages/contract/src/world.ts',
  // Threads of their own: a simulator runs one thread and starts none of them.
  'packages/store/src/heartbeat-report.ts',
  'packages/store/src/heartbeat-thread.ts',
  'packages/store/src/report-thread.ts',
  // Measure the event loop and the thread pool of this process.
  'src/base/heap.ts',
  'src/service/stall-meter.ts',
];

const { texts, addresses, programs, consoleFiles, importsOf } = readSources(ROOT);
const imports = programs.flatMap((path) => importsOf(path));
const consoleImports = consoleFiles.flatMap((path) => importsOf(path));

test('the imports of the sources are found', () => {
  assert.ok(programs.length > 100, `${programs.length} files`);
  assert.ok(imports.length > programs.length, `${imports.length} imports of ${programs.length} files`);
  assert.ok(imports.some(({ from, to }) => from === 'src/service/start-http.ts' && to === 'src/http/server.ts'));
});

for (const { root, rooms } of HOUSES) {
  const names = Object.keys(rooms);
  const files = root === 'src' ? programs : consoleFiles;
  const inside = root === 'src' ? imports : consoleImports.filter(({ to }) => to.startsWith(`${root}/`));
  const leadsTo = (to: string, arrow: string) => `${stepsOf(to).join('/')}/`.startsWith(`${arrow}/`);

  test(`every import under ${root} follows an arrow of the table`, () => {
    const isAllowed = ({ from, to }: Import) =>
      roomOf(from) === roomOf(to) || rooms[roomOf(from)]?.some((arrow) => leadsTo(to, arrow));
    assert.deepEqual(
      inside.filter((one) => !isAllowed(one)).map(({ from, to }) => `${from} may not import ${to}`),
      [],
    );
  });

  test(`every file under ${root} lies in a room of the table, and every room of the table is there`, () => {
    assert.deepEqual([...new Set(files.map(roomOf))].sort(), names.toSorted());
  });

  test(`every arrow of the table of ${root} is used, and leads to a room above`, () => {
    const isUsed = (room: string, arrow: string) =>
      inside.some(({ from, to }) => roomOf(from) === room && leadsTo(to, arrow));
    const isAbove = (room: string, arrow: string) => {
      const [name = ''] = arrow.split('/');
      return names.indexOf(name) < names.indexOf(room);
    };
    const faulty = names.flatMap((room) =>
      (rooms[room] ?? [])
        .filter((arrow) => !isUsed(room, arrow) || !isAbove(room, arrow))
        .map((arrow) => `${room}: ${arrow}`),
    );
    assert.deepEqual(faulty, []);
  });
}

test('no source spells the pattern of an id: all take it from where ids are made', () => {
  // A part of an id is none.
  const spelled = /(?:\b[a-z]{3,4}|[a-z]\)|\})_(?:\[0-9a-z\](?!\{4,\})|\[A-Za-z0-9|\\+w)/;
  const places = [...texts].flatMap(([path, text]) =>
    isProgram(path) && !path.endsWith('contract/src/id-patterns.ts') && !path.endsWith('contract/src/ids.ts')
      ? text.split('\n').flatMap((line) => (spelled.test(line) ? [`${path}: ${line.trim()}`] : []))
      : [],
  );
  assert.deepEqual(places, []);
});

test('no part of a room depends on itself through other parts', () => {
  const between = [...imports, ...consoleImports]
    .map(({ from, to }) => [dirname(placeOf(from)), dirname(placeOf(to))] as const)
    .filter((pair) => pair[0] !== pair[1] && pair.every(isPart));
  assert.ok(between.length > 100, `${between.length} imports`);
  assert.equal(findCycle(between), null);
});

test('no page of the console imports another', () => {
  const isOfPage = (path: string) => path.startsWith('console/src/pages/');
  const between = consoleImports.filter(({ from, to }) => isOfPage(from) && isOfPage(to));
  assert.deepEqual(
    between.filter(({ from, to }) => stepsOf(from)[1] !== stepsOf(to)[1]),
    [],
  );
});

test('no addition imports another, only what they share, and the list of them loads neither HTTP, the worker nor what changes orders', () => {
  const list = 'src/additions/list.ts';
  const between = imports.filter(({ from, to }) => isOfAddition(from) && isOfAddition(to) && from !== list);
  const crossing = between.filter(({ from, to }) => stepsOf(from)[1] !== stepsOf(to)[1]);
  // Interfaces in the form of another service order through the calls of OpenAI's, if their package says so.
  const ordersThroughCalls = (addition: string) =>
    readFileSync(join(ROOT, 'additions', addition, 'package.json'), 'utf8').includes('/addition-openai"');
  const isShared = ({ from, to }: Import) =>
    stepsOf(to)[1] === 'common' || (stepsOf(to)[1] === 'openai' && ordersThroughCalls(stepsOf(from)[1] ?? ''));
  assert.deepEqual(
    crossing.filter((one) => !isShared(one)),
    [],
  );
  const sharers = Map.groupBy(
    imports.filter(({ from, to }) => isOfAddition(from) && to.startsWith('additions/common/')),
    ({ to }) => to,
  );
  assert.deepEqual(
    [...sharers].filter(([, all]) => new Set(all.map(({ from }) => stepsOf(from)[1])).size < 2).map(([path]) => path),
    [],
  );
  const loaded = [...loadedBy(list, ({ later }) => !later)];
  // The kernel object is given to additions: it is loaded by what opens it.
  assert.deepEqual(
    loaded.filter((path) => path.startsWith('src/service/kernel/')),
    [],
  );
  const anyway = loadedBy('src/service/service.ts', ({ later }) => !later);
  assert.deepEqual(
    loaded.filter(
      (path) =>
        /^src\/(?:http|worker|service\/(?!config\/)|kernel-(?:orders|views)\.ts)/.test(path) && !anyway.has(path),
    ),
    [],
  );
});

test('only the addition that declares a table names it in code, and the migrations that fill it from older tables', () => {
  const tables = programs.filter(isOfAddition).flatMap((path) => {
    const made = texts.get(path)?.matchAll(/create table (\w+) \(/g) ?? [];
    return [...made].map(([, table]) => ({ table, home: `${path.split('/').slice(0, 3).join('/')}/` }));
  });
  assert.ok(tables.length > 15, `${tables.length} tables`);
  const filling = ['bridge', 'joined-tables', 'modes-of-deliveries', 'respelled-names'].map(
    (name) => `src/database/migrations/${name}.ts`,
  );
  const faulty = tables.flatMap(({ table, home }) => {
    const names = new RegExp(
      `'${table}(?: as \\w+|\\.\\w+(?: as \\w+)?)?'|\\b(?:from|into|join|table|update) ${table}\\b`,
    );
    const isNamedIn = (path: string) => names.test((texts.get(path) ?? '').replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, ''));
    return programs
      .filter((path) => !path.startsWith(home) && !filling.includes(path) && isNamedIn(path))
      .map((path) => `${path} names ${table}`);
  });
  assert.deepEqual(faulty, []);
});

test('additions import no file of the core beside their interface', () => {
  const beside = imports.filter(({ from, to }) => isOfAddition(from) && isBesideKernel(to));
  assert.deepEqual(
    beside.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

test('no file of the repository depends on itself through others, not even for a type or for what loads later', () => {
  const files = globSync('{bench,clients,console,deploy,docs,packages,packaging,src,test}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['**/{node_modules,dist}'],
  }).map((path) => path.replaceAll('\\', '/'));
  const between = files.flatMap((path) => importsOf(path, readFileSync(join(ROOT, path), 'utf8')));
  assert.ok(between.length > imports.length + consoleImports.length, `${between.length} imports`);
  assert.equal(findCycle(between.map(({ from, to }) => [from, to])), null);
});

test('an API process does not load the worker, and a worker does not load HTTP', () => {
  const started = 'src/service/service.ts';
  const roles = { api: 'src/service/start-http.ts', worker: 'src/service/start-worker.ts' };
  for (const entry of Object.values(roles))
    assert.ok(imports.some(({ from, to, loads, later }) => from === started && to === entry && loads && later));
  const before = loadedBy(started, ({ later }) => !later);
  const api = new Set([...before, ...loadedBy(roles.api)]);
  const worker = new Set([...before, ...loadedBy(roles.worker), ...loadedBy('src/service/metrics-server.ts')]);
  assert.ok(api.has('src/http/server.ts') && worker.has('src/worker/runner.ts'));
  assert.deepEqual(
    [...api].filter((path) => roomOf(path) === 'worker'),
    [],
  );
  assert.deepEqual(
    [...worker].filter((path) => roomOf(path) === 'http'),
    [],
  );
});

test('what the service runs imports nothing that is there for tests', () => {
  assert.deepEqual(
    imports.filter(({ to }) => !isProgram(to)),
    [],
  );
});

test('every import names a file that is there', () => {
  assert.deepEqual(
    [...imports, ...consoleImports].filter(({ to }) => !existsSync(join(ROOT, to))),
    [],
  );
});

test('the service opens no picture, film or sound in its own process', () => {
  const decoders = /(?:\bfrom|\bimport|\bimport\()\s*'(?:sharp|mediabunny|@mediabunny\/[^']+)'/;
  const opens = (path: string) =>
    (texts.get(path) ?? '').split('\n').some((line) => decoders.test(line) && !/^import type\b/.test(line));
  const loaded = new Set([...loadedBy('src/service/service.ts'), ...loadedBy('src/additions/list.ts')]);
  assert.ok(loaded.size > 200, `${loaded.size} files`);
  assert.ok(programs.filter(opens).length > 5);
  assert.deepEqual([...loaded].filter(opens), []);
});

test('a process that has no collector loads nothing of OpenTelemetry', () => {
  const uses = (path: string) => /(?:\bfrom|\bimport) '@opentelemetry\//.test(texts.get(path) ?? '');
  const isAtOnce = ({ later }: Import) => !later;
  const loaded = new Set([
    ...['src/additions/list.ts', 'src/service/service.ts'].flatMap((entry) => [...loadedBy(entry, isAtOnce)]),
    ...['src/service/start-http.ts', 'src/service/start-worker.ts'].flatMap((entry) => [...loadedBy(entry)]),
  ]);
  assert.ok(loaded.has('additions/traces/src/traces.ts') && programs.filter(uses).length > 3);
  assert.deepEqual([...loaded].filter(uses), []);
});

test('a painter loads no library of signatures', () => {
  const signs = (path: string) => /(?:\bfrom|\bimport) '@(?:peculiar|trustnxt)\//.test(texts.get(path) ?? '');
  const loaded = loadedBy('packages/illustrator/src/jobs/paint-picture.ts', ({ later }) => !later);
  assert.ok(loaded.has('packages/media/src/decoding/decode-frame.ts') && programs.filter(signs).length > 2);
  assert.deepEqual([...loaded].filter(signs), []);
});

test('the environment is read in one place', () => {
  const readers = programs.filter((path) => /\bprocess\s*\.\s*env\b/.test(texts.get(path) ?? ''));
  assert.deepEqual(readers, ['src/service/config/environment.ts']);
});

test('no file exports by default, and none passes on all that another exports', () => {
  const faulty = [...texts].filter(
    ([path, text]) =>
      (!path.endsWith('.d.ts') && /^export default\b|^export \{[^}]*\bas default\b/m.test(text)) ||
      /^export \*/m.test(text) ||
      /^index\.ts$/.test(basename(path)),
  );
  assert.deepEqual(
    faulty.map(([path]) => path),
    [],
  );
});

test(`no file is longer than ${MAX_LINES} lines, no test than ${MAX_TEST_LINES}`, () => {
  const long = [...texts]
    .filter(([path]) => !isGenerated(path))
    .filter(([path, text]) => text.split('\n').length - 1 > (isForTests(path) ? MAX_TEST_LINES : MAX_LINES))
    .map(([path]) => path);
  assert.deepEqual(long, []);
});

test('no literal is spread into another: each property has a line', () => {
  const faulty = [...texts].filter(([path, text]) => !path.startsWith('console/') && /\.\.\.\{/.test(text));
  assert.deepEqual(
    faulty.map(([path]) => path),
    [],
  );
});

test('time, timers and randomness come from the world, so that a simulator can repeat them', () => {
  const machines =
    /(?<![\w.`])(?:Date\.now|new Date\(\)|performance\.now|set(?:Timeout|Interval|Immediate)\(|Math\.random|AbortSignal\.timeout|crypto\.(?:randomUUID|getRandomValues)|process\.hrtime)|^import .*(?:\brandom[A-Z]\w+.*'node:crypto'|'node:timers)/m;
  const faulty = [...texts].filter(
    ([path, text]) =>
      /^(?:src|packages\/(?:contract|engines|files|store)\/src)\//.test(path) &&
      isProgram(path) &&
      machines.test(text.replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '')),
  );
  assert.deepEqual(faulty.map(([path]) => path).toSorted(), [...OF_THE_MACHINE].toSorted());
});

test('a package has a root and few entries beside it, and the root says why each is apart', () => {
  const ofPackages = [...addresses].flatMap(([address, file]) => (packageOf(file) === undefined ? [] : address));
  const beside = ofPackages.filter((address) => address.split('/').length > 2);
  assert.ok(beside.length <= MAX_ENTRIES_BESIDE_ROOTS, `${beside.length} entries beside the roots`);
  for (const name of new Set(ofPackages.map((address) => address.split('/').slice(0, 2).join('/')))) {
    const root = addresses.get(name) ?? '';
    assert.match(root, /^packages\/[^/]+\/src\/main\.ts$/, name);
    const entries = beside.filter((address) => address.startsWith(`${name}/`));
    for (const entry of entries)
      assert.ok(texts.get(root)?.includes(`\`${entry.slice(name.length + 1)}\`:`), `${root} is silent of ${entry}`);
  }
});

test('a package is imported by its public addresses alone, and lists the packages that it imports', () => {
  const all = [...texts.keys()]
    .filter((path) => !/^(?:console|clients)\//.test(path))
    .flatMap((path) => importsOf(path));
  assert.ok(addresses.size > 10 && all.some(({ to }) => packageOf(to) !== undefined));
  const isDeep = (to: string) => to.startsWith('@darkroom-service/');
  const crossing = all.filter(({ from, to }) => packageOf(from) !== packageOf(to) || isDeep(to));
  const open = new Set(addresses.values());
  assert.deepEqual(
    crossing.filter(({ to }) => !open.has(to)),
    [],
  );
  const hidden = [...texts].filter(([path, text]) =>
    [...text.matchAll(/^(?:import|export)\s[^'";]*'(\.[^']+)'/gm)].some(
      ([, name = '']) => packageOf(posix.join(dirname(path), name)) !== packageOf(path),
    ),
  );
  assert.deepEqual(
    hidden.map(([path]) => path),
    [],
    'a relative import across the border of a package',
  );
});

test('a package or an addition lists those of ours that it imports, and nobody imports their files by a relative path', () => {
  const nameOf = (path: string) => {
    const [kind, name] = workspaceOf(path)?.split('/') ?? [];
    return `@darkroom-service/${kind === undefined ? 'darkroom' : kind === 'packages' ? name : `addition-${name}`}`;
  };
  const crossing = imports.filter(({ from, to }) => workspaceOf(from) !== workspaceOf(to));
  const unlisted = crossing.filter(({ from, to }) => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, workspaceOf(from) ?? '', 'package.json'), 'utf8'));
    return !(nameOf(to) in dependencies);
  });
  assert.deepEqual(
    unlisted.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
  const relative = programs.filter((path) =>
    [...(texts.get(path) ?? '').matchAll(/^(?:import|export)\s[^'";]*'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/gm)].some(
      ([, early, late]) => workspaceOf(posix.join(dirname(path), early ?? late ?? '')) !== workspaceOf(path),
    ),
  );
  assert.deepEqual(relative, []);
});

test('the console and the client speak HTTP and import nothing of the service', () => {
  const clients = globSync('{console,clients}/**/*.{ts,tsx,mts,js}', {
    cwd: ROOT,
    exclude: (path) => /node_modules|dist/.test(path),
  });
  const faulty = clients
    .map((path) => path.replaceAll('\\', '/'))
    .flatMap((path) => importsOf(path, readFileSync(join(ROOT, path), 'utf8')))
    .filter(({ to }) => /^(?:src|test|bench)\//.test(to));
  assert.deepEqual(faulty, []);
});

test('files are named in small letters with hyphens', () => {
  const odd = [...texts.keys()].filter(
    (path) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.conformance|\.module|\.d)?\.(tsx?|css)$/.test(basename(path)),
  );
  assert.deepEqual(odd, []);
});

/** What a process has loaded that starts with this file. */
function loadedBy(entry: string, follow: (one: Import) => boolean = () => true): Set<string> {
  const loaded = new Set([entry]);
  for (const path of loaded)
    for (const one of imports) if (one.from === path && one.loads && follow(one)) loaded.add(one.to);
  return loaded;
}

/** In the core, and none of the files that name what additions use. */
function isBesideKernel(path: string): boolean {
  return path.startsWith('src/') && !isOfAddition(path) && !KERNEL.includes(path);
}

/** Below the root of its house. */
function stepsOf(path: string): string[] {
  const place = placeOf(path);
  const { root } = HOUSES.find(({ root }) => place.startsWith(`${root}/`)) ?? { root: '' };
  return place.slice(root.length + 1).split('/');
}

function roomOf(path: string): string {
  return stepsOf(path)[0] ?? '';
}

/**
 * A folder in a room, or in an addition. The files directly in the room join its parts, and hold what they share.
 */
function isPart(folder: string): boolean {
  const depth = isOfAddition(folder) ? 2 : 1;
  return HOUSES.some(({ root }) => folder.startsWith(`${root}/`)) && stepsOf(folder).length > depth;
}

/** One way round, such as `a -> b -> a`; null where there is none. */
function findCycle(arrows: readonly (readonly [string, string])[]): string | null {
  const next = Map.groupBy(arrows, ([from]) => from);
  const done = new Set<string>();
  const walk = (at: string, way: readonly string[]): string | null => {
    if (way.includes(at)) return [...way.slice(way.indexOf(at)), at].join(' -> ');
    if (done.has(at)) return null;
    for (const [, to] of next.get(at) ?? []) {
      const cycle = walk(to, [...way, at]);
      if (cycle !== null) return cycle;
    }
    done.add(at);
    return null;
  };
  for (const at of next.keys()) {
    const cycle = walk(at, []);
    if (cycle !== null) return cycle;
  }
  return null;
}
