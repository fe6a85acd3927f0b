import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { openStorage } from '@darkroom-service/files';
import { loadPostgres } from '@darkroom-service/store';
import type { Client } from 'pg';
import { recordAct } from '../../accounts/audit.ts';
import type { Vault } from '../../base/vault.ts';
import { CommandFault, usageFault } from '../../cli/command-fault.ts';
import { parseDuration } from '../../cli/duration.ts';
import { withLocalData } from '../../cli/local-database.ts';
import { inform, type OutputOptions, show, table } from '../../cli/output.ts';
import { type Addition, tablesOf } from '../../service/addition.ts';
import { type Config, loadConfig } from '../../service/config/config.ts';
import { readEnvironment } from '../../service/config/environment.ts';
import { vaultOf } from '../../service/config/upstream-key-variables.ts';
import type { Cell } from './begin-move.ts';
import { cancelMove } from './cancel-move.ts';
import { GONE } from './ends.ts';
import { moveAccount } from './move-account.ts';
import { ownedTables } from './owned-tables.ts';

interface MoveCommandOptions extends OutputOptions {
  readonly to: string;
  readonly settings: string;
  readonly url?: string;
  readonly fromUrl?: string;
  readonly wait?: string;
  readonly cancel?: boolean;
}

/** A cell that has what a move needs. */
interface MovingCell extends Cell {
  readonly config: Config;
  readonly databaseUrl: string;
}

const CONNECTS_WITHIN_MS = 5_000;

/** Runs `darkroom accounts move`. */
export async function runMove(
  account: string,
  options: MoveCommandOptions,
  additions: readonly Addition[],
): Promise<void> {
  const from = cellOf(loadConfig(readEnvironment()), 'this cell', options.fromUrl);
  const path = resolve(options.settings);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new CommandFault(`${path} cannot be read.`, { cause });
  });
  const to = cellOf(loadConfig(parseEnv(text)), `the cell of ${path}`, options.url);
  if (to.name !== options.to)
    throw usageFault(`--to ${options.to}: ${path} has the settings of the cell '${to.name}'.`);
  if (to.name === from.name) throw usageFault(`--to ${options.to}: these are settings of the same cell.`);
  const tables = ownedTables(
    tablesOf(additions),
    additions.flatMap(({ hooks }) => hooks?.personalTables ?? []),
  );
  const [source, target] = [await open(from), await open(to)];
  try {
    if (options.cancel) {
      await cancelMove({ account, source, target }, tables);
      show(options, { json: { account_id: account, moved: false }, text: `'${account}' stays in ${from.name}.` });
      return;
    }
    await checkSealed(source, account, vaultOf(to.config.upstreamKeys), to.name);
    const [fromStorage, toStorage] = [await storageOf(from), await storageOf(to)];
    try {
      await moveAccount({
        account,
        from: { ...from, client: source, storage: fromStorage },
        to: { ...to, client: target, storage: toStorage },
        tables,
        drainMs: options.wait === undefined ? from.config.drainMs : parseDuration(options.wait, '--wait'),
        onStep: (step) => inform(options, step),
      });
    } finally {
      await Promise.all([fromStorage.close(), toStorage.close()]);
    }
  } finally {
    const { endConnection } = await loadPostgres();
    await Promise.all([endConnection(source), endConnection(target)]);
  }
  await withLocalData('refuse', ({ database, by }) =>
    database.write('move_account', (trx) =>
      recordAct(trx, by, { act: 'account.move', target: account, detail: { cell: to.name } }),
    ),
  );
  show(options, {
    json: { account_id: account, moved: true, cell: to.name },
    text: `'${account}' is in ${to.name} with all that it owns. ${from.name} passes on what still arrives there: 'darkroom cells map' prints what a proxy may send to ${to.name} directly.`,
  });
}

/** Runs `darkroom cells map`. */
export async function showMap(options: OutputOptions): Promise<void> {
  const keys = await withLocalData('refuse', ({ database: { read } }) =>
    read.all(
      read.builder
        .selectFrom('account_moves')
        .innerJoin('moved_keys', 'moved_keys.account_id', 'account_moves.account_id')
        .select(['moved_keys.account_id', 'moved_keys.key_id', 'account_moves.cell', 'moved_keys.hash'])
        .where('account_moves.role', '=', 'source')
        .where('account_moves.state', 'in', GONE)
        .orderBy('moved_keys.key_id'),
    ),
  );
  show(options, {
    json: { items: keys.map(({ hash, ...key }) => ({ ...key, sha256: hash })) },
    text: table(
      ['sha256 of the key', 'cell', 'key', 'account'],
      keys.map((key) => [key.hash, key.cell, key.key_id, key.account_id]),
    ),
  });
}

function cellOf(config: Config, what: string, url: string | undefined): MovingCell {
  const { cell, databaseUrl, publicUrl } = config;
  if (databaseUrl === null)
    throw new CommandFault(`${what} has the embedded database. Accounts move between PostgreSQL databases only.`);
  if (cell === null) throw new CommandFault(`${what} has no DARKROOM_CELL. Set the names of both cells first.`);
  const reached = url ?? publicUrl;
  if (reached === null || !URL.canParse(reached))
    throw usageFault(`expected the address of ${what}: a URL in --url or --from-url, or its DARKROOM_PUBLIC_URL.`);
  return { name: cell, url: reached, config, databaseUrl };
}

async function open({ name, databaseUrl }: MovingCell): Promise<Client> {
  const { connect } = await loadPostgres();
  try {
    return await connect(databaseUrl, 'migrate', CONNECTS_WITHIN_MS);
  } catch (cause) {
    throw new CommandFault(`The database of ${name} cannot be reached.`, { cause });
  }
}

async function storageOf({ config }: MovingCell) {
  return await openStorage({ url: config.storageUrl, directory: config.filesDirectory, s3: config.s3 });
}

/** @throws CommandFault if the other cell cannot open a secret that this one has sealed */
async function checkSealed(source: Client, account: string, vault: Vault | null, to: string): Promise<void> {
  const { rows } = await source.query<{ sealed: string }>(
    `select sealed from upstream_keys where account_id = $1 and sealed is not null
      union all select sealed from destinations where account_id = $1`,
    [account],
  );
  if (rows.every(({ sealed }) => vault?.hasKeyOf(sealed) === true)) return;
  throw new CommandFault(
    `'${account}' has keys or destinations that ${to} cannot open. Add the key of this cell there as the second one of DARKROOM_SECRETS_KEY.`,
  );
}
