import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOfAddition, placeOf, type Sources } from './sources.ts';

/** A name that additions import of the core, and the additions that do. */
export interface KernelName {
  readonly name: string;
  /** The file that declares it, from `src/`. */
  readonly from: string;
  readonly users: ReadonlySet<string>;
}

/** A member of a part of the kernel object. */
export interface KernelMember {
  readonly part: string;
  readonly name: string;
  readonly comment: string;
}

const FILE = /^src\/kernel(?:-\w+)?\.ts$/;
const EXPORTED = /^export (?:type )?\{([^}]*)\} from '\.\/([^']+)';/gm;
/** Imports of names: at the head of a file, or when they are needed. */
const IMPORTED =
  /(?:import\s+(?:type\s+)?\{([^}]*)\}\s+from|\{([^}]*)\}\s*=\s*await import\()\s*'(?:\.[^']*|@darkroom-service\/darkroom)\/kernel(?:-\w+)?(?:\.ts)?'/g;
/** The points at which additions join: members of these interfaces. */
const POINTS = /^export interface (?:Addition|OpenAddition|HttpAddition|TaskHooks|Follower)\b[^{]*\{\n(.*?)^\}/gms;
const PART = /^export interface (\w+)(?:<[^{]*>)?(?: extends [^{]*)? \{\n(.*?)^\}/gms;
const MEMBER = /(?:^ {2}(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\n)?^ {2}(?:readonly )?(\w+)\??(?:<[^(]*>)?(?=[:(])/gm;

/** Finds the names that additions import of the core, each with its users. */
export function kernelNames({ texts, programs }: Pick<Sources, 'texts' | 'programs'>, root: string): KernelName[] {
  const users = new Map<string, Set<string>>();
  const examples = globSync('docs/example-addition/*.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  for (const path of [...programs.filter(isOfAddition), ...examples]) {
    const text = texts.get(path) ?? readFileSync(join(root, path), 'utf8');
    const addition = placeOf(path).split('/')[2] ?? path;
    for (const [, early, late] of text.matchAll(IMPORTED))
      for (const name of namesIn(early ?? late ?? '')) {
        const known = users.get(name) ?? new Set();
        users.set(name, known.add(addition));
      }
  }
  return [...texts]
    .filter(([path]) => FILE.test(path))
    .flatMap(([, text]) =>
      [...text.matchAll(EXPORTED)].flatMap(([, names = '', from = '']) =>
        namesIn(names).map((name) => ({ name, from, users: users.get(name) ?? new Set<string>() })),
      ),
    );
}

/** Finds the members of the parts of the kernel object. */
export function kernelMembers({ texts }: Pick<Sources, 'texts'>): KernelMember[] {
  return [...texts]
    .filter(([path]) => path.startsWith('src/service/kernel/') && !path.endsWith('/kernel.ts'))
    .flatMap(([, text]) =>
      [...text.matchAll(PART)].flatMap(([, part = '', body = '']) =>
        [...body.matchAll(MEMBER)].map(([, comment = '', name = '']) => ({ part, name, comment })),
      ),
    );
}

/** Counts the points at which additions join. */
export function countPoints({ texts }: Pick<Sources, 'texts'>): number {
  return [...texts.values()].reduce(
    (sum, text) =>
      [...text.matchAll(POINTS)].reduce(
        (all, [, members = '']) => all + (members.match(/^ {2}readonly \w+/gm)?.length ?? 0),
        sum,
      ),
    0,
  );
}

function namesIn(list: string): string[] {
  return list.split(',').flatMap((one) => /^(?:type )?(\w+)/.exec(one.trim())?.[1] ?? []);
}
