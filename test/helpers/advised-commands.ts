import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';

const ROOT = join(import.meta.dirname, '..', '..');

/** What follows the name where it names no command: a lock, a mark, a purpose of a key, any command. */
const NO_COMMANDS = /^(?:look|copy|secret|command)\b/;

/** A line of a source. */
interface Said {
  readonly where: string;
  readonly text: string;
}

/** The lines of all sources without their comments, with where they stand. */
export async function said(): Promise<Said[]> {
  const lines: Said[] = [];
  for await (const name of glob('{src,additions/*/src}/**/*.ts', { cwd: ROOT })) {
    if (name.endsWith('.test.ts')) continue;
    const source = await readFile(join(ROOT, name), 'utf8');
    for (const [index, line] of source.split('\n').entries())
      if (!/^\s*(?:\/\*\*|\*|\/\/)/.test(line)) lines.push({ where: `${name}:${index + 1}`, text: line });
  }
  return lines;
}

/** Each command line that a text names, up to the end of its sentence. */
export function commandLinesOf(text: string): string[] {
  return text
    .split(/\bdarkroom (?=[a-z])/)
    .slice(1)
    .map((rest) => rest.split(/[`'"),;:]|\.(?=[\s'"`]|$)|\\n/)[0] ?? '');
}

/** Each command line that a message advises, with where it stands. */
export async function adviceOf(): Promise<{ readonly where: string; readonly line: string }[]> {
  return (await said()).flatMap(({ where, text }) =>
    commandLinesOf(text).flatMap((line) => (NO_COMMANDS.test(line) ? [] : [{ where, line }])),
  );
}

/** Finds the command that words name. @returns null if there is none */
export function commandOf(program: Command, words: readonly string[]): { command: Command; rest: string[] } | null {
  let command = program;
  let depth = 0;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next === undefined) break;
    command = next;
    depth++;
  }
  return depth === 0 ? null : { command, rest: words.slice(depth) };
}

/** Names a command line by its command and options, without the values. */
export function kindOf(program: Command, words: readonly string[]): string {
  const found = commandOf(program, words);
  if (found === null) return words.join(' ');
  const { command, rest } = found;
  const path = words.slice(0, words.length - rest.length);
  const options = rest.filter((word) => command.options.some(({ long, short }) => long === word || short === word));
  const names = options.map((word) => command.options.find(({ short }) => short === word)?.long ?? word);
  return [...path, ...new Set(names.toSorted())].join(' ');
}
