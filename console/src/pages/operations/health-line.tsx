import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { OPEN_ALERTS } from '../../api/open-alerts.ts';
import { SERVICE_URL } from '../../api/service-url.ts';
import { useSession } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { Mark, type Tone } from '../../components/status-mark.tsx';
import { withReadableTimes } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { ResumeNow } from './circuit-note.tsx';
import classes from './operations.module.css';
import { webhookItem } from './webhook-item.ts';

const texts = operationsTexts.line;
const AGAIN_MS = 5_000;
/** A fault may change nothing that would be told. */
const LOOK_MS = 10_000;
const PATIENCE_MS = 10_000;

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

export interface Item {
  readonly name: string;
  readonly tone: Tone;
  readonly says: string;
  readonly href: string;
}

/** How every part of the service does, each with the way to its cause. It is read again when something changes. */
export function HealthLine() {
  const { admin = '' } = useSession().keys;
  const checks = useQuery({
    queryKey: ['GET /readyz', admin],
    queryFn: ({ signal }) => readChecks(admin, signal),
    // While something fails, whoever looks wants to see it end.
    refetchInterval: ({ state }) => (state.data?.every(({ ok }) => ok) === true ? LOOK_MS : AGAIN_MS),
    retry: false,
  });
  const engines = useApi('GET /admin/v1/engines', {});
  const alerts = useApi('GET /admin/v1/alerts', OPEN_ALERTS);
  const processes = useApi('GET /admin/v1/processes', {});
  const webhooks = {
    failed: useApi('GET /admin/v1/webhooks/deliveries', { query: { status: 'failed', limit: 100 } }).data,
    pending: useApi('GET /admin/v1/webhooks/deliveries', { query: { status: 'pending', limit: 100 } }).data,
    delivered: useApi('GET /admin/v1/webhooks/deliveries', { query: { status: 'delivered', limit: 1 } }).data,
  };
  const lasting = alerts.data?.items ?? [];

  const check = (name: string, label: string, kinds: readonly string[]): Item => {
    const found = checks.data?.find((one) => one.name === name);
    const alert = lasting.find(({ kind }) => kinds.includes(kind));
    if (found?.ok === false)
      return { name: label, tone: 'bad', says: withReadableTimes(found.detail), href: '/operations' };
    if (alert !== undefined)
      return { name: label, tone: 'bad', says: withReadableTimes(alert.summary), href: '/operations/alerts' };
    return {
      name: label,
      tone: found === undefined ? 'quiet' : 'good',
      says: found === undefined ? texts.unknown : texts.works,
      href: '/operations/alerts',
    };
  };
  const broken = (engines.data?.items ?? []).filter(({ circuit, paused }) => paused || circuit.state !== 'closed');
  const blocked = broken.find(({ circuit }) => circuit.state !== 'closed');
  const silent = (processes.data?.items ?? []).filter(({ missing }) => missing);
  const disk = lasting.find(({ kind }) => kind === 'disk_nearly_full' || kind === 'spool_unavailable');
  // That there is no alert says nothing while nobody looks.
  const observed = checks.data?.find(({ name }) => name === 'alerts')?.ok === true ? alerts.data : undefined;
  const items: Item[] = [
    writes(checks.data) ??
      check('database', texts.database, ['database_unavailable', 'standby_behind', 'standby_asynchronous']),
    check('storage', texts.storage, ['storage_unavailable', 'sweep_stopped']),
    item(texts.disks, disk === undefined ? [] : [disk.summary], observed, texts.enough, '/operations/alerts'),
    item(
      texts.processes,
      silent.map(({ role, host, heard_at: at }) => texts.silent(role, host, withReadableTimes(at))),
      processes.data,
      texts.running((processes.data?.items ?? []).filter(({ state }) => state === 'running').length),
      '/operations/processes',
    ),
    item(
      texts.upstreams,
      broken.map(({ name, paused }) => (paused ? texts.paused(name) : texts.blocked(name))),
      engines.data,
      texts.accept,
      '/operations/upstreams',
    ),
    webhookItem(webhooks),
  ];
  return (
    <section aria-label={texts.label}>
      <ul className={classes.line}>
        {items.map(({ name, tone, says, href }) => (
          <li key={name} className={classes.lineItem} data-tone={tone}>
            <Link href={href} className={classes.linePart ?? ''}>
              <Mark tone={tone}>{name}</Mark>
              <span className={classes.lineSays}>{says}</span>
            </Link>
            {name === texts.upstreams && blocked !== undefined && (
              <div className={classes.lineRemedy}>
                <ResumeNow name={blocked.name} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The database may answer reads and refuse writes. */
function writes(checks: readonly Check[] | undefined): Item | null {
  const found = checks?.find(({ name }) => name === 'database writes');
  if (found?.ok !== false) return null;
  return { name: texts.database, tone: 'bad', says: withReadableTimes(found.detail), href: '/operations' };
}

function item(name: string, faults: readonly string[], data: unknown, well: string, href: string): Item {
  if (data === undefined) return { name, tone: 'quiet', says: texts.unknown, href };
  if (faults.length === 0) return { name, tone: 'good', says: well, href };
  const rest = faults.length > 1 ? ` ${texts.others(faults.length - 1)}` : '';
  return { name, tone: 'bad', says: `${faults[0]}${rest}`, href };
}

/** Asks the service what works. It answers also while its database is away. */
async function readChecks(admin: string, signal: AbortSignal): Promise<readonly Check[]> {
  const answer = await fetch(`${SERVICE_URL}readyz`, {
    headers: { authorization: `Bearer ${admin}` },
    cache: 'no-store',
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  });
  const body = (await answer.json()) as {
    readonly checks?: readonly Check[];
    readonly error?: { readonly details?: readonly Check[] };
  };
  return body.checks ?? body.error?.details ?? [];
}
