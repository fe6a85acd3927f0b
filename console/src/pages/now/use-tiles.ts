import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { OPEN_ALERTS } from '../../api/open-alerts.ts';
import type { DataOf } from '../../api/operations.ts';
import { useSession } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import type { Tone } from '../../components/status-mark.tsx';
import { formatCount, withReadableTimes } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { type Check, type Checks, type Hold, readChecks } from './read-checks.ts';
import { seenTile, type Tile } from './seen-tile.ts';

const texts = operationsTexts.line;
/** A fault may change nothing that would be told. */
const EVERY = { every: 10_000 };
/** While something fails, whoever looks wants to see it end. */
const AGAIN_MS = 5_000;
/** What is looked at every few seconds, and what once a minute. */
const FRESH_MS = 30_000;
const RARE_FRESH_MS = 120_000;
/** The names of checks of engines begin so. */
const PROBE = 'engine ';

const DATABASE = ['database', 'database writes'];
const DATABASE_ALERTS = ['database_unavailable', 'standby_behind', 'standby_asynchronous'];
const STORAGE_ALERTS = ['storage_unavailable', 'sweep_stopped'];
const DISK_ALERTS = ['disk_nearly_full', 'spool_unavailable'];

interface Told {
  readonly checks: Checks | undefined;
  readonly alerts: DataOf<'GET /admin/v1/alerts'>['items'];
  readonly engines: DataOf<'GET /admin/v1/engines'>['items'];
  readonly processes: DataOf<'GET /admin/v1/processes'>['items'];
  readonly webhooks: Parameters<typeof webhookTile>[0];
}

/**
 * Tells how every part of the service does, read again every ten seconds whatever happens. Green is only what was seen
 * to work lately.
 */
export function useTiles(): { readonly tiles: readonly Tile[]; readonly hold: Hold | null | undefined } {
  const { admin = '' } = useSession().keys;
  const { data: checks } = useQuery({
    queryKey: ['GET /readyz', admin],
    queryFn: ({ signal }) => readChecks(admin, signal),
    refetchInterval: ({ state }) => (state.data?.items.every(({ ok }) => ok) === true ? EVERY.every : AGAIN_MS),
    retry: false,
  });
  const told: Told = {
    checks,
    alerts: useApi('GET /admin/v1/alerts', OPEN_ALERTS, EVERY).data?.items ?? [],
    engines: useApi('GET /admin/v1/engines', {}, EVERY).data?.items ?? [],
    processes: useApi('GET /admin/v1/processes', {}, EVERY).data?.items ?? [],
    webhooks: {
      failed: useApi('GET /admin/v1/webhooks/deliveries', { query: { status: 'failed', limit: 100 } }, EVERY).data,
      pending: useApi('GET /admin/v1/webhooks/deliveries', { query: { status: 'pending', limit: 100 } }, EVERY).data,
      delivered: useApi('GET /admin/v1/webhooks/deliveries', { query: { status: 'delivered', limit: 1 } }, EVERY).data,
    },
  };
  const now = useNow(AGAIN_MS) + (checks?.aheadMs ?? 0);
  const tiles = [
    ordersTile(told, now),
    checkedTile(texts.database, DATABASE, DATABASE_ALERTS, told, now),
    checkedTile(texts.storage, ['storage'], STORAGE_ALERTS, told, now),
    diskTile(told, now),
    processTile(told, now),
    upstreamTile(told, now),
    webhookTile(told.webhooks),
  ];
  return { tiles, hold: checks?.hold };
}

function ordersTile({ checks }: Told, now: number): Tile {
  const { hold } = checks ?? {};
  const held = hold == null ? [] : [withReadableTimes(texts.held(hold.since ?? null, hold.reason ?? ''))];
  return seenTile(
    {
      ...{ name: texts.orders, href: '/orders?state=open', well: texts.sent, freshMs: FRESH_MS },
      faults: checks?.takesOrders === false ? [texts.notTaken, ...held] : held,
      at: [hold === undefined ? undefined : checks?.toldAt],
    },
    now,
  );
}

/** Of checks, and of alerts about the same. */
function checkedTile(
  name: string,
  names: readonly string[],
  kinds: readonly string[],
  { checks, alerts }: Told,
  now: number,
): Tile {
  const found = checksOf(checks, names);
  const failed = found.flatMap((one) => (one?.ok === false ? [texts.failing(one.detail, one.worked_at)] : []));
  const told = alerts.flatMap(({ kind, summary }) => (kinds.includes(kind) ? [summary] : []));
  return seenTile(
    {
      ...{ name, href: '/now', well: texts.works, freshMs: FRESH_MS },
      faults: (failed.length > 0 ? failed : told).map(withReadableTimes).slice(0, 1),
      at: found.map((one) => one?.worked_at),
    },
    now,
  );
}

function diskTile({ checks, alerts }: Told, now: number): Tile {
  return seenTile(
    {
      ...{ name: texts.disks, href: '/now', well: texts.enough, freshMs: RARE_FRESH_MS },
      faults: alerts.flatMap(({ kind, summary }) => (DISK_ALERTS.includes(kind) ? [summary] : [])),
      // That there is no alert says nothing while nobody looks.
      at: checksOf(checks, ['alerts']).map((one) => (one?.ok === true ? one.worked_at : undefined)),
    },
    now,
  );
}

/** A process that is missing is told until somebody takes that on, or another one is started in its place. */
function processTile({ processes, alerts }: Told, now: number): Tile {
  const running = processes.filter(({ state }) => state === 'running');
  const taken = alerts.flatMap(({ kind, subject, acknowledged }) =>
    kind === 'process_silent' && acknowledged !== null ? [subject] : [],
  );
  return seenTile(
    {
      ...{ name: texts.processes, href: '/now', well: texts.running(running.length), freshMs: FRESH_MS },
      faults: processes
        .filter(({ missing, role, host }) => missing && !taken.includes(`${role} at ${host}`))
        .map(({ role, host, heard_at: at }) => texts.silent(role, host, withReadableTimes(at))),
      at: running.map(({ heard_at: at }) => at),
    },
    now,
  );
}

function upstreamTile({ checks, engines }: Told, now: number): Tile {
  const broken = engines.filter(({ circuit, paused }) => paused || circuit.state !== 'closed');
  const probes = (checks?.items ?? []).flatMap(({ name, ...check }) =>
    name.startsWith(PROBE) ? [{ name: name.slice(PROBE.length), ...check }] : [],
  );
  const answering = probes.filter(({ worked_at: at }) => at !== undefined);
  return seenTile(
    {
      ...{ name: texts.upstreams, href: '/now/upstreams', freshMs: RARE_FRESH_MS },
      well: texts.accept(answering.length, probes.length),
      faults: [
        ...broken.map(({ name, paused }) => (paused ? texts.paused(name) : texts.blocked(name))),
        ...probes
          .filter(({ name, ok }) => !ok && !broken.some((engine) => engine.name === name))
          .map(({ name, detail }) => texts.refused(name, withReadableTimes(detail))),
      ],
      at: answering.map(({ worked_at: at }) => at),
    },
    now,
  );
}

function checksOf(checks: Checks | undefined, names: readonly string[]): readonly (Check | undefined)[] {
  return names.map((name) => checks?.items.find((one) => one.name === name));
}

/** The time in milliseconds since 1970, read again so often: an age grows also while nothing else changes. */
function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

type Page = DataOf<'GET /admin/v1/webhooks/deliveries'>;

const DAY_MS = 86_400_000;

/** Says how webhooks go, by the answers of their receivers: that none has failed for good yet says nothing. */
function webhookTile({
  failed,
  pending,
  delivered,
}: {
  readonly failed: Page | undefined;
  readonly pending: Page | undefined;
  readonly delivered: Page | undefined;
}): Tile {
  const tile = (tone: Tone, says: string): Tile => ({ name: texts.webhooks, tone, says, href: '/orders/webhooks' });
  if (failed === undefined || pending === undefined || delivered === undefined) return tile('quiet', texts.unknown);
  const refused = pending.items.filter(({ attempts }) => attempts.length > 0);
  const count = (page: Page, shown: number) => `${formatCount(shown)}${page.has_more ? '+' : ''}`;
  const said = refused.length === 0 ? null : answerOf(refused);
  if (said !== null) return tile('bad', texts.waiting(count(pending, refused.length), said));
  const givenUp = failed.items.filter(({ created_at: at }) => Date.now() - Date.parse(at) < DAY_MS);
  if (givenUp.length > 0) return tile('bad', texts.undelivered(givenUp.length));
  if (pending.items.length > 0) return tile('quiet', texts.onTheWay(count(pending, pending.items.length)));
  const [last] = delivered.items;
  if (last === undefined) return tile('quiet', texts.noneSent);
  return tile('good', texts.delivered(withReadableTimes(last.delivered_at ?? last.created_at)));
}

/** The latest answer to any of them. */
function answerOf(refused: Page['items']): string {
  const attempts = refused.flatMap(({ url, attempts }) => attempts.map((attempt) => ({ url, ...attempt })));
  const last = attempts.reduce((a, b) => (a.started_at > b.started_at ? a : b));
  const { host } = new URL(last.url);
  return last.response_status === null
    ? texts.noAnswer(host, last.error ?? texts.unknown)
    : texts.lastAnswer(last.response_status, host);
}
