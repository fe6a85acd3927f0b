import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { OPEN_ALERTS } from '../../api/open-alerts.ts';
import { useSession } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { useNow } from '../../api/use-now.ts';
import { Mark } from '../../components/status-mark.tsx';
import { withReadableTimes } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { ResumeNow } from './circuit-note.tsx';
import classes from './operations.module.css';
import { readChecks } from './read-checks.ts';
import { type Item, seenItem } from './seen-item.ts';
import { webhookItem } from './webhook-item.ts';

const texts = operationsTexts.line;
const AGAIN_MS = 5_000;
/** A fault may change nothing that would be told. */
const LOOK_MS = 10_000;
/** What is looked at every few seconds, and what once a minute. */
const FRESH_MS = 30_000;
const RARE_FRESH_MS = 120_000;
/** The names of checks of engines begin so. */
const PROBE = 'engine ';

/** How every part of the service does, each with the way to its cause. Green is only what was seen to work lately. */
export function HealthLine() {
  const { admin = '' } = useSession().keys;
  const { data: checks } = useQuery({
    queryKey: ['GET /readyz', admin],
    queryFn: ({ signal }) => readChecks(admin, signal),
    // While something fails, whoever looks wants to see it end.
    refetchInterval: ({ state }) => (state.data?.items.every(({ ok }) => ok) === true ? LOOK_MS : AGAIN_MS),
    retry: false,
  });
  const engines = useApi('GET /admin/v1/engines', {}).data?.items ?? [];
  const lasting = useApi('GET /admin/v1/alerts', OPEN_ALERTS).data?.items ?? [];
  const processes = useApi('GET /admin/v1/processes', {}, { every: LOOK_MS }).data?.items ?? [];
  const webhooks = {
    failed: useApi('GET /admin/v1/webhooks/deliveries', { query: { status: 'failed', limit: 100 } }).data,
    pending: useApi('GET /admin/v1/webhooks/deliveries', { query: { status: 'pending', limit: 100 } }).data,
    delivered: useApi('GET /admin/v1/webhooks/deliveries', { query: { status: 'delivered', limit: 1 } }).data,
  };
  const now = useNow(AGAIN_MS) + (checks?.aheadMs ?? 0);

  const checksOf = (names: readonly string[]) => names.map((name) => checks?.items.find((one) => one.name === name));
  /** Of checks, and of alerts about the same. */
  const checked = (name: string, names: readonly string[], kinds: readonly string[]): Item => {
    const found = checksOf(names);
    const failed = found.flatMap((one) => (one?.ok === false ? [texts.failing(one.detail, one.worked_at)] : []));
    const alerts = lasting.flatMap(({ kind, summary }) => (kinds.includes(kind) ? [summary] : []));
    return seenItem(
      {
        ...{ name, href: failed.length > 0 ? '/operations' : '/operations/alerts' },
        faults: (failed.length > 0 ? failed : alerts).map(withReadableTimes).slice(0, 1),
        ...{ well: texts.works, at: found.map((one) => one?.worked_at), freshMs: FRESH_MS },
      },
      now,
    );
  };
  const broken = engines.filter(({ circuit, paused }) => paused || circuit.state !== 'closed');
  const blocked = broken.find(({ circuit }) => circuit.state !== 'closed');
  const probes = (checks?.items ?? []).flatMap(({ name, ...check }) =>
    name.startsWith(PROBE) ? [{ name: name.slice(PROBE.length), ...check }] : [],
  );
  const answering = probes.filter(({ worked_at: at }) => at !== undefined);
  const disks = lasting.filter(({ kind }) => kind === 'disk_nearly_full' || kind === 'spool_unavailable');
  const running = processes.filter(({ state }) => state === 'running');
  const items: Item[] = [
    checked(
      texts.database,
      ['database', 'database writes'],
      ['database_unavailable', 'standby_behind', 'standby_asynchronous'],
    ),
    checked(texts.storage, ['storage'], ['storage_unavailable', 'sweep_stopped']),
    seenItem(
      {
        ...{ name: texts.disks, href: '/operations/alerts', well: texts.enough },
        faults: disks.map(({ summary }) => summary),
        // That there is no alert says nothing while nobody looks.
        at: checksOf(['alerts']).map((one) => (one?.ok === true ? one.worked_at : undefined)),
        freshMs: RARE_FRESH_MS,
      },
      now,
    ),
    seenItem(
      {
        ...{ name: texts.processes, href: '/operations/processes', well: texts.running(running.length) },
        faults: processes
          .filter(({ missing }) => missing)
          .map(({ role, host, heard_at: at }) => texts.silent(role, host, withReadableTimes(at))),
        ...{ at: running.map(({ heard_at: at }) => at), freshMs: FRESH_MS },
      },
      now,
    ),
    seenItem(
      {
        ...{
          name: texts.upstreams,
          href: '/operations/upstreams',
          well: texts.accept(answering.length, probes.length),
        },
        faults: [
          ...broken.map(({ name, paused }) => (paused ? texts.paused(name) : texts.blocked(name))),
          ...probes
            .filter(({ name, ok }) => !ok && !broken.some((engine) => engine.name === name))
            .map(({ name, detail }) => texts.refused(name, withReadableTimes(detail))),
        ],
        ...{ at: answering.map(({ worked_at: at }) => at), freshMs: RARE_FRESH_MS },
      },
      now,
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
