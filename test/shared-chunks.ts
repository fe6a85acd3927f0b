import { isBuiltin } from 'node:module';
import { isAbsolute, join, relative, sep } from 'node:path';

interface ModuleInfo {
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
}
interface ModuleGraph {
  getModuleInfo(id: string): ModuleInfo | null;
}

/** Programs that are started often, and what they load late. What one of them does not import lies in other files. */
const PROGRAMS = [
  ['src/main.ts'],
  ['src/service/service.ts', 'src/service/start-http.ts', 'src/service/start-worker.ts'],
  ['packages/illustrator/src/jobs/painter.ts'],
  ['packages/illustrator/src/jobs/paint-picture.ts'],
  ['packages/media/src/process/media-program.ts'],
  ['picture-operations', 'probe-file', 'examine-output'].map((name) => `packages/media/src/decoding/${name}.ts`),
  ['packages/store/src/heartbeat-thread.ts'],
  ['packages/files/src/write-thread.ts'],
  ['packages/media/src/process/guard-thread.ts'],
  ['packages/store/src/checkpoint-thread.ts', 'packages/store/src/report-thread.ts'],
  ['src/database/open-database.ts'],
  ['account', 'key'].map((name) => `additions/operator-commands/src/${name}-actions.ts`),
  ['additions/local/src/commands/local-actions.ts'],
  ['additions/local/src/commands/pull-model.ts'],
  ['additions/local/src/servers/keeper.ts'],
  ['test/crash/service-process.ts'],
];

/**
 * Returns the function that names the chunk of a module. Modules lie together if the same programs import them, and if
 * they import the same packages from outside the bundle: so none of these is loaded earlier than it would be.
 */
export function createChunkNames(root: string, files: readonly string[]) {
  let names: ReadonlyMap<string, string> | null = null;
  return (id: string, graph: ModuleGraph): string => {
    names ??= nameAll(root, files, graph);
    return names.get(id) ?? 'other';
  };
}

function nameAll(root: string, files: readonly string[], graph: ModuleGraph): Map<string, string> {
  const importedBy = (id: string) => graph.getModuleInfo(id)?.importedIds ?? [];
  const all = reach(files, (id) => [...importedBy(id), ...(graph.getModuleInfo(id)?.dynamicallyImportedIds ?? [])]);
  const importers = new Map<string, string[]>();
  const outside: string[] = [];
  for (const id of all) {
    if (!isAbsolute(id) && !isBuiltin(id) && !id.startsWith('\0')) outside.push(id);
    for (const imported of importedBy(id)) importers.set(imported, [...(importers.get(imported) ?? []), id]);
  }
  const marks = new Map<string, string>();
  const mark = (ids: Iterable<string>, letter: string) => {
    for (const id of ids) marks.set(id, `${marks.get(id) ?? ''}${letter}`);
  };
  for (const [index, program] of PROGRAMS.entries())
    mark(
      reach(
        program.map((path) => join(root, path)),
        importedBy,
      ),
      `p${index}`,
    );
  for (const [index, id] of outside.sort().entries())
    mark(
      reach([id], (one) => importers.get(one) ?? []),
      `e${index}`,
    );
  return new Map([...all].map((id) => [id, nameOf(marks.get(id) ?? '', roomOf(root, id))]));
}

/** A module of no program lies with its room: programs that load one of these load no helpers of tests. */
function nameOf(marks: string, room: string): string {
  return marks.startsWith('p') ? marks : `${room}${marks}`;
}

/** Everything that can be reached from these. */
function reach(from: readonly string[], next: (id: string) => readonly string[]): Set<string> {
  const found = new Set<string>();
  const open = [...from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...next(id));
  }
  return found;
}

function roomOf(root: string, id: string): string {
  const path = relative(root, id).split(sep);
  // Each command loads its own files.
  if (path[0] === 'src' && path[1] === 'cli') return path.join('-');
  if (path[0] === 'src' || path[0] === 'packages' || path[0] === 'additions') return `${path[0]}-${path[1]}`;
  if (path[0] === 'test') return 'test';
  return `package-of-${path.at(path.lastIndexOf('node_modules') + 1)}`;
}
