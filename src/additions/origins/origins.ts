import type { Addition } from '../../service/addition.ts';
import { ORIGIN_TABLES } from './origin-tables.ts';
import { ORIGIN_HOOKS } from './output-hashes.ts';
import { addWhenceCommand } from './whence-command.ts';

/** Finds the task of a file by its hash. */
export const ORIGINS: Addition = {
  name: 'origins',
  tables: ORIGIN_TABLES,
  hooks: ORIGIN_HOOKS,
  commands: addWhenceCommand,
  async http({ config }) {
    const [{ originRoutes }, { ORIGIN_OPERATIONS }, { Origin }] = await Promise.all([
      import('./origin-routes.ts'),
      import('./origin-operations.ts'),
      import('./origin-wire.ts'),
    ]);
    return {
      ...originRoutes(config),
      operations: ORIGIN_OPERATIONS,
      section: ['Origins', 'Which task made a file.'],
      components: [Origin],
    };
  },
};
