import type { CheckResult } from '@darkroom-service/contract';
import { useQuery } from '@tanstack/react-query';
import { connectionStore } from '../../api/connection.ts';
import { OPEN_ALERTS } from '../../api/open-alerts.ts';
import type { DataOf } from '../../api/operations.ts';
import { useSession } from '../../api/session.ts';
import { useStore } from '../../api/store.ts';
import { useApi } from '../../api/use-api.ts';
import { useNow } from '../../api/use-now.ts';
import { together } from '../../components/as-seen.tsx';
import type { Tone } from '../../components/status-mark.tsx';
import { formatCount, inReadersForm } from '../../format.ts';
import { type Checks, type Hold, readChecks } from './read-checks.ts';
import { NOT_KNOWN, type Seen, seenTile, type Tile } from './seen-tile.ts';

/** Polling interval: a fault may occur without any event. */
const EVERY = { every: 10_000 };
/** Polling interval during a fault, in milliseconds, to show its end soon. */
const AGAIN_MS = 5_000;
/** Milliseconds for which observations count, of parts checked every few seconds and of parts checked once a minute. */
const FRESH_MS = 30_000;
const RARE_FRESH_MS = 120_000;
/** Prefix of the names of engine checks. */
const PROBE = 'engine ';

const DATABASE = ['database', 'database writes'];
/** State of every part after a look without an answer. */
const BLIND = { tone: 'quiet', says: 'not known while the service does not answer' } as const;
const DATABASE_ALERTS = ['database_unavailable', 'standby_behind', 'standby_asynchronous'];
const STORAGE_ALERTS = ['storage_unavailable', 'sweep_stopped'];
const DISK_ALERTS = ['disk_nearly_full', 'spool_unavailable'];
/** Checks of the disk of the process that answers. */
const DISKS = ['temporary files', 'spool'];

interface Told {
  readonly checks: Checks | undefined;
  readonly alerts: DataOf<'GET /admin/v1/alerts'>['items'];
  readonly engines: DataOf<'GET /admin/v1/engines'>['items'];
  readonly processes: DataOf<'GET /admin/v1/processes'>['items'];
}

/**
 * Returns the state of every part of the service, polled every ten seconds in any case. A part is green only if it was
 * seen to work recently, and red only by its own fault. After the first failed look nothing is known.
 */
export function useTiles(): { readonly tiles: readonly Tile[]; readonly hold: Hold | null | undefined } {
  const { admin = '' } = useSession().keys;
  const isDown = useStore(connectionStore) === 'down';
  const { data: checks, error } = useQuery({
    queryKey: ['GET /readyz', admin],
    queryFn: ({ signal }) => readChecks(admin, signal),
    refetchInterval: ({ state }) => (state.data?.items.every(({ ok }) => ok) === true ? EVERY.every : AGAIN_MS),
    retry: false,
  });
  const alerts = useApi('GET /admin/v1/alerts', OPEN_ALERTS, EVERY);
  const engines = useApi('GET /admin/v1/engines', {}, EVERY);
  const processes = useApi('GET /admin/v1/processes', {}, EVERY);
  const deliveries = together(
    useApi('GET /admin/v1/webhooks/deliveries', { query: { status: 'failed', limit: 100 } }, EVERY),
    useApi('GET /admin/v1/webhooks/deliveries', { query: { status: 'pending', limit: 100 } }, EVERY),
    useApi('GET /admin/v1/webhooks/deliveries', { query: { status: 'delivered', limit: 1 } }, EVERY),
  );
  const now = useNow(AGAIN_MS) + (checks?.aheadMs ?? 0);
  const told: Told = {
    checks,
    alerts: alerts.data?.items ?? [],
    engines: engines.data?.items ?? [],
    processes: processes.data?.items ?? [],
  };
  const stored = (source: Pick<typeof alerts, 'error'>) =>
    checksOf(checks, DATABASE).some((one) => one?.ok === false)
      ? 'not known while the database does not work'
      : source.error === null
        ? undefined
        : `not known: ${source.error.message}`;
  const seen: Seen[] = [
    seenOrders(told),
    seenChecks('Database', DATABASE, DATABASE_ALERTS, told),
    seenChecks('Storage', ['storage'], STORAGE_ALERTS, told),
    seenDisks(told, stored(alerts)),
    { ...seenProcesses(told), unseen: stored(processes) },
    seenUpstreams(told),
  ];
  const tiles = [...seen.map((one) => seenTile(one, now)), webhookTile(deliveries.data ?? [], stored(deliveries))];
  const isBlind = isDown || error !== null;
  return { tiles: isBlind ? tiles.map((tile) => ({ ...tile, ...BLIND })) : tiles, hold: checks?.hold };
}

function seenOrders({ checks }: Told): Seen {
  const { hold } = checks ?? {};
  const held = (hold == null ? [] : [hold]).map(({ since, reason = '' }) =>
    inReadersForm(`none is sent${since === undefined ? '' : ` since ${since}`}. ${reason}`.trim()),
  );
  return {
    name: 'Orders',
    href: '/orders?state=open',
    well: 'are sent',
    freshMs: FRESH_MS,
    faults: checks?.takesOrders === false ? ['cannot be placed now', ...held] : held,
    at: [hold === undefined ? undefined : checks?.toldAt],
  };
}

/** Returns the observations of checks, and of alerts about the same part. */
function seenChecks(name: string, names: readonly string[], kinds: readonly string[], { checks, alerts }: Told): Seen {
  const found = checksOf(checks, names);
  const failed = found.flatMap((one) =>
    one?.ok === false && one.waits_for === undefined
      ? [one.worked_at === undefined ? one.detail : `${one.detail}; last worked ${one.worked_at}`]
      : [],
  );
  const told = alerts.flatMap(({ kind, summary }) => (kinds.includes(kind) ? [summary] : []));
  return {
    name,
    href: '/now',
    well: 'works',
    freshMs: FRESH_MS,
    faults: (failed.length > 0 ? failed : told).map(inReadersForm).slice(0, 1),
    at: found.map((one) => one?.worked_at),
    unseen: found.find((one) => one?.waits_for !== undefined)?.detail,
  };
}

/** A disk that refuses a write is full now, whatever was measured within the last minute. */
function seenDisks({ checks, alerts }: Told, unseen: string | undefined): Seen {
  const refused = checksOf(checks, DISKS).flatMap((one) => (one?.ok === false ? [one.detail] : []));
  return {
    name: 'Disks',
    href: '/now',
    well: 'have room',
    freshMs: RARE_FRESH_MS,
    faults: [
      ...refused,
      ...alerts.flatMap(({ kind, summary }) => (DISK_ALERTS.includes(kind) && refused.length === 0 ? [summary] : [])),
    ],
    unseen: refused.length === 0 ? unseen : undefined,
    // The absence of alerts proves nothing while nobody checks for them.
    at: checksOf(checks, ['alert checks']).map((one) => (one?.ok === true ? one.worked_at : undefined)),
  };
}

/** A missing process is reported until somebody acknowledges it, or another one is started instead. */
function seenProcesses({ processes, alerts }: Told): Seen {
  const running = processes.filter(({ state }) => state === 'running');
  const taken = alerts.flatMap(({ kind, subject, acknowledged }) =>
    kind === 'process_silent' && acknowledged !== null ? [subject] : [],
  );
  return {
    name: 'Processes',
    href: '/now',
    well: `${running.length} running`,
    freshMs: FRESH_MS,
    faults: processes
      .filter(({ missing, process_id: id }) => missing && !taken.includes(id))
      .map(({ role, host, heard_at: at }) => `${role} at ${host} is silent since ${inReadersForm(at)}`),
    at: running.map(({ heard_at: at }) => at),
  };
}

function seenUpstreams({ checks, engines }: Told): Seen {
  const broken = engines.filter(({ circuit, paused }) => paused || circuit.state !== 'closed');
  const probes = (checks?.items ?? []).flatMap(({ name, ...check }) =>
    name.startsWith(PROBE) ? [{ name: name.slice(PROBE.length), ...check }] : [],
  );
  const unable = probes.find(({ cannot_make: kind }) => kind !== undefined);
  const answering = probes.filter(({ worked_at: at }) => at !== undefined);
  return {
    name: 'Upstreams',
    href: '/now/upstreams',
    freshMs: RARE_FRESH_MS,
    well: answering.length === probes.length ? 'accept orders' : `${answering.length} of ${probes.length} answer`,
    faults: [
      ...broken.map(({ name, paused }) => (paused ? `${name} is paused` : `${name} gets no orders`)),
      ...probes
        .filter(({ name, ok }) => !ok && !broken.some((engine) => engine.name === name))
        .map(({ name, detail }) => `${name}: ${inReadersForm(detail)}`),
    ],
    lacks: unable && { says: `${unable.name} cannot make ${unable.cannot_make}`, href: '/now/models' },
    at: answering.map(({ worked_at: at }) => at),
  };
}

function checksOf(checks: Checks | undefined, names: readonly string[]): readonly (CheckResult | undefined)[] {
  return names.map((name) => checks?.items.find((one) => one.name === name));
}

type Page = DataOf<'GET /admin/v1/webhooks/deliveries'>;

const DAY_MS = 86_400_000;

/**
 * Returns the state of webhooks by their receivers' answers: the absence of final failures proves nothing.
 * @param unseen reason why they are not known; undefined = they are
 */
function webhookTile([failed, pending, delivered]: readonly Page[], unseen: string | undefined): Tile {
  const tile = (tone: Tone, says: string): Tile => ({ name: 'Webhooks', tone, says, href: '/orders/webhooks' });
  if (unseen !== undefined || failed === undefined || pending === undefined || delivered === undefined)
    return tile('quiet', unseen ?? NOT_KNOWN);
  const refused = pending.items.filter(({ attempts }) => attempts.length > 0);
  const count = (page: Page, shown: number) => `${formatCount(shown)}${page.has_more ? '+' : ''}`;
  const said = refused.length === 0 ? null : answerOf(refused);
  if (said !== null) return tile('bad', `${count(pending, refused.length)} waiting, ${said}`);
  const givenUp = failed.items.filter(({ created_at: at }) => Date.now() - Date.parse(at) < DAY_MS);
  if (givenUp.length > 0) return tile('bad', `${givenUp.length} given up today`);
  const sent = count(pending, pending.items.length);
  if (pending.items.length > 0) return tile('quiet', `${sent} ${sent === '1' ? 'is' : 'are'} being sent`);
  const [last] = delivered.items;
  if (last === undefined) return tile('quiet', 'none sent');
  return tile('good', `last delivered ${inReadersForm(last.delivered_at ?? last.created_at)}`);
}

/** Describes the latest answer to any of the deliveries. */
function answerOf(refused: Page['items']): string {
  const attempts = refused.flatMap(({ url, attempts }) => attempts.map((attempt) => ({ url, ...attempt })));
  const last = attempts.reduce((a, b) => (a.started_at > b.started_at ? a : b));
  const { host } = new URL(last.url);
  return last.response_status === null
    ? `no answer from ${host}: ${last.error ?? NOT_KNOWN}`
    : `last answer ${last.response_status} from ${host}`;
}
