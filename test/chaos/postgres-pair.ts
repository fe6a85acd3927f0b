import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@darkroom-service/testing';
import { askPostgres } from '../helpers/postgres-server.ts';
import { openStandby, type StandbyServer } from '../helpers/standby-server.ts';
import { createTurn } from './create-turn.ts';
import { type OwnPostgres, openOwnPostgres } from './own-postgres.ts';

/** A primary with a standby that has every commit before it is confirmed. */
export interface PostgresPair extends OwnPostgres {
  readonly primary: OwnPostgres;
  readonly standby: StandbyServer;
  /**
   * Kills the primary and promotes the standby, as whatever watches over a cluster does: only a standby that has
   * everything. Until its end nothing restarts a server.
   */
  failOver(downMs: number): Promise<void>;
}

export async function openPostgresPair(): Promise<PostgresPair> {
  const primary = await openOwnPostgres();
  const closers: (() => Promise<unknown>)[] = [() => primary.close()];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  let standby: StandbyServer;
  try {
    standby = await openStandby({ after: (end: () => Promise<unknown>) => void closers.push(end) }, primary.url);
    await askPostgres(primary.url, "alter system set synchronous_standby_names = '*'");
    await askPostgres(primary.url, 'select pg_reload_conf()');
    await untilInStep(primary.url);
  } catch (error) {
    await close();
    throw error;
  }
  const inTurn = createTurn();
  let isPromoted = false;
  const stop: OwnPostgres['stop'] = (how) =>
    isPromoted ? standby.stop(how === 'crash' ? 'SIGQUIT' : 'SIGINT') : primary.stop(how);
  const start = () => (isPromoted ? standby.start() : primary.start());
  return {
    primary,
    standby,
    get url() {
      return isPromoted ? standby.url : primary.url;
    },
    addressOf: (database) => listOf(database, primary.url, standby.url),
    stop: (how) => inTurn(() => stop(how)),
    start: () => inTurn(start),
    restart: (how, downMs) =>
      inTurn(async () => {
        await stop(how);
        await sleep(downMs);
        await start();
      }),
    whileUp: inTurn,
    failOver: (downMs) =>
      inTurn(async () => {
        await untilInStep(primary.url);
        await primary.stop('crash');
        await sleep(downMs);
        await askPostgres(standby.url, 'select pg_promote()');
        isPromoted = true;
      }),
    close: () => inTurn(close),
  };
}

/** The address of a database that is at one of several servers. */
export function listOf(database: string, ...urls: string[]): string {
  const hosts = urls.map((url) => new URL(url).host).join();
  const { protocol, username } = new URL(urls[0] ?? '');
  return `${protocol}//${username}@${hosts}/${database}?target_session_attrs=read-write`;
}

/** Waits until a synchronous standby has all that the server has written so far. */
async function untilInStep(url: string): Promise<void> {
  const [written] = await askPostgres(url, 'select pg_current_wal_lsn() as lsn');
  const flushed = `select 1 from pg_stat_replication where sync_state = 'sync' and flush_lsn >= '${written?.lsn}'`;
  await until(
    () => askPostgres(url, flushed),
    (rows) => rows.length > 0,
  );
}
