import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { DEFAULT_COLUMNS } from '../src/accounts/key-settings.ts';
import { ADDITIONS } from '../src/additions/list.ts';
import { createProgram } from '../src/cli/command-line.ts';
import { addServiceCommands } from '../src/cli/operator-commands.ts';

const commands = allCommands(createProgram(ADDITIONS, false, addServiceCommands));

test('each default that a help prints means the same as if it were typed', () => {
  const printed = commands.flatMap((command) =>
    command.options.flatMap((option) => {
      const { defaultValue, defaultValueDescription, parseArg, long } = option;
      // `--no-…` is a flag.
      if (defaultValue === undefined || typeof defaultValue === 'boolean') return [];
      const text = defaultValueDescription ?? String(defaultValue);
      const typed = parseArg === undefined ? text : parseArg(text, undefined as never);
      assert.deepEqual(typed, defaultValue, `${command.name()} ${long}: ${text}`);
      return [`${command.name()} ${long} ${text}`];
    }),
  );
  assert.ok(printed.length > 10, `${printed.length} defaults`);
  assert.ok(printed.includes('try --max-spend 0.50'), printed.join('\n'));
});

test('the help of keys names the settings of a key that is given none', () => {
  const defaults = { rpm: 'rpm', 'read-rpm': 'read_rpm', concurrency: 'concurrency', queue: 'queue_limit' } as const;
  const create = commands.find((command) => command.name() === 'create' && command.parent?.name() === 'keys');
  for (const [name, column] of Object.entries(defaults)) {
    const { description = '' } = create?.options.find(({ long }) => long === `--${name}`) ?? {};
    const [, told, asLimit] = /\(default: (\d+)\)|(0 = no limit) \(default\)/.exec(description) ?? [];
    assert.equal(asLimit === undefined ? Number(told) : 0, DEFAULT_COLUMNS[column], description);
  }
});

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}
