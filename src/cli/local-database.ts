import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { createIdFactory, systemClock } from '@darkroom-service/contract';
import { ensureDefaultAccount } from '../accounts/accounts.ts';
import type { Act } from '../accounts/audit.ts';
import { START_COMMAND } from '../base/own-command.ts';
import { makePrivate } from '../base/private-path.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import type { Config } from '../service/config/config.ts';
import { makeDataDirectory } from '../service/config/data-directory.ts';
import type { LocalKernel } from '../service/local-kernel.ts';
import { CommandFault } from './command-fault.ts';
import { ownAdditions, ownTables, readOwnConfig } from './own-config.ts';

/** The data of the service, and the parts of the service that work on them. */
export interface LocalData extends LocalKernel {
  readonly config: Config;
  readonly database: Database;
  readonly by: Act;
}

/**
 * Opens the database in the data directory for one piece of work, also beside a running service.
 * @param absent action if there is no database: `make` one, in which the first account is `default`, or `refuse`.
 * @throws CommandFault if there is none; ConfigFault.
 */
export async function withLocalData<T>(absent: 'make' | 'refuse', work: (data: LocalData) => Promise<T>): Promise<T> {
  const config = readOwnConfig();
  const isNew = config.databaseUrl === null && !existsSync(config.databasePath);
  if (isNew && absent === 'refuse') {
    throw new CommandFault(
      `There is no database at ${config.databasePath}. Start the service once (${START_COMMAND}), or set DARKROOM_DATA_DIR to its data directory.`,
    );
  }
  await makeDataDirectory(config.dataDirectory);
  const database = await openDatabase({
    url: config.databaseUrl,
    path: config.databasePath,
    listen: false,
    added: ownTables(),
  });
  try {
    const by = commandLineAct(config);
    if (isNew) await makePrivate(config.databasePath, config.dataDirectory);
    // A command that was killed before may have left a database without it.
    if (absent === 'make') await ensureDefaultAccount(database, by);
    const { openLocalKernel } = await import('../service/local-kernel.ts');
    return await work({ config, database, by, ...openLocalKernel(database, ownAdditions()) });
  } finally {
    await database.close();
  }
}

/** Returns the actor of the command line for the audit log. */
function commandLineAct({ cell }: Config): Act {
  const now = systemClock.now();
  return { actor: 'command line', address: hostname(), now, createId: createIdFactory(() => systemClock.now(), cell) };
}
