import { formatMicros, isoTime, type MeasuredRoute, timeIdPrefix } from '@darkroom-service/contract';
import type { Session } from '@darkroom-service/darkroom/kernel';
import { failureOf, routeOf } from '@darkroom-service/darkroom/kernel-views';

const ID_PREFIXES = ['img', 'vid'];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Number of newest orders of each type that are read. */
const WALK_LIMIT = 10_000;
/** Failures that say nothing about the upstream. */
const OF_THE_ORDER = ['content_policy', 'invalid_input', 'parent_failed', 'storage_error'];
/** Time for which a measurement is used, since the console asks often. */
const FRESH_MS = 30_000;

interface Sample {
  readonly at: number;
  readonly outcome: 'succeeded' | 'failed' | 'refused';
  readonly seconds: number | null;
  readonly cost: number | null;
}

/** Returns the recent performance of a route; null if it ended no live order within a day. */
export interface MeasuredRoutes {
  of(route: { readonly engine: string; readonly model: string | null }, modelId: string): MeasuredRoute | null;
}

/** Measures all routes from live orders that ended within a day; remembers the result for half a minute. */
export function createRouteMeasures(session: Session, now: () => number): { measure(): Promise<MeasuredRoutes> } {
  let latest: { readonly at: number; readonly routes: Promise<MeasuredRoutes> } | null = null;
  return {
    measure() {
      const at = now();
      if (latest === null || at - latest.at >= FRESH_MS || at < latest.at) {
        const routes = readRoutes(session, at);
        routes.catch(() => {
          latest = null;
        });
        latest = { at, routes };
      }
      return latest.routes;
    },
  };
}

async function readRoutes(session: Session, now: number): Promise<MeasuredRoutes> {
  const samples = new Map<string, Sample[]>();
  let since = now - DAY_MS;
  const names = new Map<string, string>();
  for (const prefix of ID_PREFIXES) {
    const rows = await readEnded(session, prefix, now - DAY_MS);
    // Orders before the oldest one that was read are not counted.
    if (rows.length === WALK_LIMIT) since = Math.max(since, rows.at(-1)?.created_at ?? since);
    for (const row of rows) {
      const { completed_at: at, status } = row;
      if (at === null || at < now - DAY_MS) continue;
      // Most orders of a route store the same text.
      let name = names.get(row.route_json);
      if (name === undefined) {
        name = nameOf(routeOf(row));
        names.set(row.route_json, name);
      }
      const key = `${row.model_id} ${name}`;
      const isRefused = status === 'failed' && OF_THE_ORDER.includes(failureOf(row)?.code ?? '');
      const sample: Sample = {
        at,
        outcome: status === 'succeeded' ? 'succeeded' : isRefused ? 'refused' : 'failed',
        seconds: status === 'succeeded' && row.started_at !== null ? (at - row.started_at) / 1000 : null,
        cost: row.cost === null ? null : Number(row.cost),
      };
      const list = samples.get(key);
      if (list === undefined) samples.set(key, [sample]);
      else list.push(sample);
    }
  }
  return {
    of(route, modelId) {
      const own = samples.get(`${modelId} ${nameOf(route)}`);
      if (own === undefined) return null;
      const lastHour = own.filter(({ at }) => at >= now - HOUR_MS);
      return { since: isoTime(since), hour: summaryOf(lastHour), day: summaryOf(own) };
    },
  };
}

async function readEnded(session: Session, prefix: string, since: number) {
  const newest = session.builder
    .selectFrom('tasks')
    .select(['id', 'model_id', 'route_json', 'status', 'error_json'])
    .select(['created_at', 'started_at', 'completed_at'])
    .where('id', '>=', timeIdPrefix(prefix, since))
    .where('id', '<', `${prefix}_~`)
    .where('mode', '=', 'live')
    .where('status', 'in', ['succeeded', 'failed'])
    .orderBy('id', 'desc')
    .limit(WALK_LIMIT);
  return await session.all(
    session.builder
      .selectFrom(newest.as('newest'))
      .leftJoin('task_costs', 'task_costs.task_id', 'newest.id')
      .selectAll('newest')
      .select((expression) => expression.fn.coalesce('task_costs.told', 'task_costs.expected').as('cost'))
      .orderBy('newest.id', 'desc'),
  );
}

function nameOf({ engine, model }: { readonly engine: string; readonly model: string | null }): string {
  return `${engine} ${model ?? ''}`;
}

function summaryOf(samples: readonly Sample[]): MeasuredRoute['hour'] {
  const count = (outcome: Sample['outcome']) => samples.filter((one) => one.outcome === outcome).length;
  const [succeeded, failed, refused] = [count('succeeded'), count('failed'), count('refused')];
  const seconds = samples.flatMap((one) => one.seconds ?? []).sort((a, b) => a - b);
  const costs = samples.flatMap((one) => one.cost ?? []);
  const judged = succeeded + failed;
  return {
    succeeded,
    failed,
    refused,
    success: judged === 0 ? null : Math.round((succeeded / judged) * 1000) / 1000,
    p50_seconds: percentile(seconds, 0.5),
    p95_seconds: percentile(seconds, 0.95),
    cost: costs.length === 0 ? null : formatMicros(costs.reduce((sum, one) => sum + one, 0)),
    costed: costs.length,
  };
}

/** Returns the percentile by the nearest rank, to a tenth of a second. @param sorted in ascending order */
function percentile(sorted: readonly number[], share: number): number | null {
  const value = sorted[Math.ceil(share * sorted.length) - 1];
  return value === undefined ? null : Math.round(value * 10) / 10;
}
