import type { Addition } from '../../service/addition.ts';
import { addMoveCommands } from './move-command.ts';
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
