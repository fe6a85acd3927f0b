import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { adviceOf, commandOf, said } from '../../test/helpers/advised-commands.ts';
import { ADDITIONS } from '../additions/list.ts';
import { variablesOf } from '../service/config/config-variables.ts';
import { WITHOUT } from '../service/enabled-additions.ts';
import { createProgram } from './command-line.ts';
import { addServiceCommands } from './operator-commands.ts';

/** What messages advise can be done: every command and setting that they name exists. */

/** Settings of commands, and of a program that reads the first keys, which configure no service. */
const OTHERS = [
  'DARKROOM_URL',
  'DARKROOM_API_KEY',
  WITHOUT,
  'DARKROOM_MCP_BUDGET',
  'DARKROOM_MCP_CONVERSATION',
  'DARKROOM_TEST_KEY',
  'DARKROOM_LIVE_KEY',
  'DARKROOM_ADMIN_KEY',
];

/** Says what of a command line does not exist; null = all of it does. */
function faultOf(program: Command, line: string): string | null {
  const named = line.split(/\s+/).filter((word) => word !== '');
  const found = commandOf(program, named);
  if (found === null) return `no command '${named[0]}'`;
  const { command, rest: words } = found;
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
  const program = createProgram(ADDITIONS, false, addServiceCommands);
  const found = await adviceOf();
  assert.ok(found.length > 50, `only ${found.length} commands are named`);
  const faults = found.flatMap(({ where, line }) => {
    const fault = faultOf(program, line);
    return fault === null ? [] : [`${where}: darkroom ${line}: ${fault}`];
  });
  assert.deepEqual(faults, []);
});

test('every setting that a message advises exists', async () => {
  const known = [...Object.keys(variablesOf(ADDITIONS)), ...OTHERS];
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
