import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { ADDITIONS } from '../additions/list.ts';
import { VARIABLES } from '../service/config/config-variables.ts';
import { WITHOUT } from '../service/doors.ts';
import { createProgram } from './command-line.ts';

/** What messages advise can be done: every command and setting that they name exists. */

const SOURCES = join(import.meta.dirname, '..');
/** Settings of commands, and of a program that reads the first keys, which configure no service. */
const OTHERS = [
  ...['DARKROOM_URL', 'DARKROOM_API_KEY', WITHOUT, 'DARKROOM_MCP_BUDGET', 'DARKROOM_MCP_CONVERSATION'],
  ...['DARKROOM_TEST_KEY', 'DARKROOM_LIVE_KEY', 'DARKROOM_ADMIN_KEY'],
];

/** What follows the name where it names no command: a lock, a mark, a purpose of a key, any command. */
const NO_COMMANDS = /^(?:look|copy|secret|command)\b/;

interface Said {
  readonly where: string;
  readonly text: string;
}

/** The lines of all sources without their comments, with where they stand. */
async function said(): Promise<Said[]> {
  const lines: Said[] = [];
  for await (const name of glob('**/*.ts', { cwd: SOURCES })) {
    if (name.endsWith('.test.ts')) continue;
    const source = await readFile(join(SOURCES, name), 'utf8');
    for (const [index, line] of source.split('\n').entries())
      if (!/^\s*(?:\/\*\*|\*|\/\/)/.test(line)) lines.push({ where: `${name}:${index + 1}`, text: line });
  }
  return lines;
}

/** Each command line that a text names, up to the end of its sentence. */
function commandLinesOf(text: string): string[] {
  return text
    .split(/\bdarkroom (?=[a-z])/)
    .slice(1)
    .map((rest) => rest.split(/[`'"),;:]|\.(?=[\s'"`]|$)|\\n/)[0] ?? '');
}

/** Says what of a command line does not exist; null = all of it does. */
function faultOf(program: Command, line: string): string | null {
  const words = line.split(/\s+/).filter((word) => word !== '');
  let command = program;
  while (words[0] !== undefined) {
    const next = command.commands.find((one) => one.name() === words[0] || one.aliases().includes(words[0] ?? ''));
    if (next === undefined) break;
    command = next;
    words.shift();
  }
  if (command === program) return `no command '${words[0]}'`;
  for (const [place, word] of words.entries()) {
    if (!/^--?[a-z]/.test(word)) continue;
    const option = command.options.find(({ long, short }) => long === word || short === word);
    // Fields of an order are options of any name.
    if (option === undefined && Reflect.get(command, '_allowUnknownOption') === true) continue;
    if (option === undefined) return `'${command.name()}' has no option '${word}'`;
    const value = words[place + 1];
    if (option.argChoices !== undefined && !option.argChoices.includes(value ?? ''))
      return `'${word}' cannot be '${value}'`;
  }
  return null;
}

test('every command that a message advises exists, with its options and their values', async () => {
  const program = createProgram(ADDITIONS, false);
  const found = (await said()).flatMap(({ where, text }) =>
    commandLinesOf(text).flatMap((line) => (NO_COMMANDS.test(line) ? [] : [{ where, line }])),
  );
  assert.ok(found.length > 50, `only ${found.length} commands are named`);
  const faults = found.flatMap(({ where, line }) => {
    const fault = faultOf(program, line);
    return fault === null ? [] : [`${where}: darkroom ${line}: ${fault}`];
  });
  assert.deepEqual(faults, []);
});

test('every setting that a message advises exists', async () => {
  const known = [...Object.keys(VARIABLES), ...OTHERS];
  const found = (await said()).flatMap(({ where, text }) =>
    [...text.matchAll(/\bDARKROOM_[A-Z0-9_]*/g)].map(([name]) => ({ where, name })),
  );
  assert.ok(found.length > 100, `only ${found.length} settings are named`);
  // A name that goes on with a value of the program ends with an underscore.
  const exists = (name: string) => known.some((one) => (name.endsWith('_') ? one.startsWith(name) : one === name));
  assert.deepEqual(
    found.flatMap(({ where, name }) => (exists(name) ? [] : [`${where}: ${name}`])),
    [],
  );
});
