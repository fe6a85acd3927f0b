import type { Command } from 'commander';
import { withNotes, withOutput } from '../../cli/output.ts';
import type { Addition } from '../../service/addition.ts';
import { MOVE_TABLES } from './move-tables.ts';

/** Moves accounts between cells. */
export const MOVE: Addition = {
  name: 'move',
  tables: MOVE_TABLES,
  commands: addMoveCommands,
  async findOpenWork(session) {
    const left = await session.first(
      session.builder.selectFrom('account_moves').select('account_id').where('role', '=', 'source').limit(1),
    );
    return left === undefined ? null : `requests for the account '${left.account_id}' are passed on`;
  },
  async http({ config, services }) {
    const { passOn } = await import('./pass-on.ts');
    return { everyRequest: passOn(services, config.cell) };
  },
};

/** Adds `darkroom accounts move` and `darkroom cells map`. They work directly on the databases. */
function addMoveCommands(program: Command, additions: readonly Addition[]): void {
  const accounts = program.commands.find((other) => other.name() === 'accounts');
  if (accounts === undefined) return;
  const move = accounts
    .command('move')
    .description('move an account with all that it owns to another cell, while it is in use')
    .argument('<account>')
    .requiredOption('--to <cell>', 'the DARKROOM_CELL of the other cell')
    .requiredOption('--settings <file>', 'the settings of the other cell, as in a .env file')
    .option('--url <url>', 'where the processes of this cell reach the other one; not the proxy in front of both')
    .option('--from-url <url>', 'the reverse')
    .option('--wait <time>', 'for orders whose outcome is open; by default DARKROOM_DRAIN_SECONDS')
    .option('--cancel', 'remove what was copied; the account stays in this cell');
  withNotes(
    withOutput(move),
    ['Run it with the settings of the cell that the account leaves. If it ends early, run it again: it continues.'],
    'darkroom accounts move acme --to us1 --settings us1.env --url http://10.0.0.2:8080',
  );
  move.action(async (account, options) => (await import('./run-move.ts')).runMove(account, options, additions));
  const cells = program.command('cells').description('show which accounts have left this cell');
  withOutput(
    cells.command('map').description('print a line for each key that a proxy may send to another cell directly'),
  ).action(async (options) => (await import('./run-move.ts')).showMap(options));
}
