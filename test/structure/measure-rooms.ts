import { BESIDE_KERNEL, LEAVING } from './kernel.ts';
import { isForTests, isGenerated, isOfAddition, isProgram, placeOf, type Sources } from './sources.ts';

const EXPORTED_VALUE = /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class) /gm;
const EXPORTED_TYPE = /^export (?:interface|type) /gm;

/**
 * Measures the rooms and packages of a checkout, what additions are imported by the kernel, and the code beside the
 * service. *Seen* are the files of a room that files of other rooms import.
 */
export function measureRooms(sources: Sources): Readonly<Record<string, string>> {
  const { texts, programs, importsOf } = sources;
  const imports = programs.flatMap((path) => importsOf(path)).filter(({ to }) => isProgram(to));
  const seen = new Set(imports.filter(({ from, to }) => roomOf(from) !== roomOf(to)).map(({ to }) => to));
  const cellOf = (paths: readonly string[]) => {
    const all = paths.map((path) => texts.get(path) ?? '');
    const share = Math.round((100 * paths.filter((path) => seen.has(path)).length) / paths.length);
    return `${linesOf(all)} ${paths.length} ${count(all, EXPORTED_VALUE)}+${count(all, EXPORTED_TYPE)} ${share}%`;
  };
  const rooms = [...Map.groupBy(programs, roomOf)].sort(([one], [other]) => (one < other ? -1 : 1));
  const linesWhere = (belongs: (path: string) => boolean) =>
    String(linesOf([...texts].filter(([path]) => belongs(path) && !isGenerated(path)).map(([, text]) => text)));
  const isService = (path: string) => path.startsWith('src/') && isProgram(path);
  const isOfConsole = (path: string) => path.startsWith('console/') && !path.endsWith('.css');
  return {
    'rooms and packages: lines, files, values+types, seen': '',
    ...Object.fromEntries(rooms.map(([room, paths]) => [`  ${room}`, cellOf(paths)])),
    'lines of src': linesWhere(isService),
    'lines of src without additions': linesWhere((path) => isService(path) && !isOfAddition(path)),
    'lines of additions that have a workspace': linesWhere((path) => path.startsWith('additions/') && isProgram(path)),
    'lines of the kernel': linesWhere(isOfKernel),
    'lines of packages': linesWhere((path) => path.startsWith('packages/') && isProgram(path)),
    'lines of console/src, without styles and tests': linesWhere((path) => isOfConsole(path) && !isForTests(path)),
    'lines of clients': linesWhere((path) => path.startsWith('clients/') && !isForTests(path)),
    'lines of bench': linesWhere((path) => path.startsWith('bench/') && !isForTests(path)),
    'lines of tests and fakes': linesWhere(
      (path) => isForTests(path) || /^(?:test|packages\/testing|packages\/[^/]+\/(?:fakes|conformance))\//.test(path),
    ),
    ...importsOfKernel(imports),
  };
}

function importsOfKernel(imports: readonly { readonly from: string; readonly to: string }[]): Record<string, string> {
  const leading = imports.filter(({ from, to }) => isOfKernel(from) && featureOf(to) !== null);
  const byFeature = Object.entries(Object.groupBy(leading, ({ to }) => featureOf(to) ?? ''));
  const rows = byFeature.map(([feature, all = []]) => [`  ${feature}`, String(all.length)] as const);
  return {
    'imports from the kernel to what leaves it': String(leading.length),
    ...Object.fromEntries(rows.sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

function isOfKernel(path: string): boolean {
  const name = nameIn(path);
  return name !== null && !BESIDE_KERNEL.test(name) && featureOf(path) === null;
}

/** Returns the feature that the file leaves the core with; null = none. */
function featureOf(path: string): string | null {
  const name = nameIn(path);
  if (name === null) return null;
  return Object.entries(LEAVING).find(([, files]) => files.test(name))?.[0] ?? null;
}

function nameIn(path: string): string | null {
  return path.startsWith('src/') && isProgram(path) ? path.slice('src/'.length).replace(/\.ts$/, '') : null;
}

function roomOf(path: string): string {
  return placeOf(path).split('/')[1] ?? '';
}

function count(texts: readonly string[], pattern: RegExp): number {
  return texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
}

function linesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
}
