import { Alert, Badge, Skeleton, Tabs } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Suspense, useEffect, useRef } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { OPEN_ALERTS } from '../../api/open-alerts.ts';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { lazyPart } from '../../components/lazy-part.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { frameTexts } from '../../texts/frame.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { AlertsView } from './alerts-view.tsx';
import { AuditView } from './audit-view.tsx';
import { CostsView } from './costs-view.tsx';
import { EnginesView } from './engines-view.tsx';
import { FailuresView } from './failures-view.tsx';
import { ModelsView } from './models-view.tsx';
import classes from './operations.module.css';
import { OrdersView } from './orders-view.tsx';
import { UnknownView } from './unknown-view.tsx';
import { WebhooksView } from './webhooks-view.tsx';

const VIEWS = {
  engines: EnginesView,
  alerts: AlertsView,
  orders: OrdersView,
  requests: lazyPart(async () => (await import('./requests-view.tsx')).RequestsView),
  unknown: UnknownView,
  failures: FailuresView,
  webhooks: WebhooksView,
  models: ModelsView,
  costs: CostsView,
  audit: AuditView,
};
type ViewName = keyof typeof VIEWS;
type OpenAlert = DataOf<'GET /admin/v1/alerts'>['items'][number];

/** What the service itself needs to work; other alerts are about upstreams and money. */
const OWN_TROUBLES: readonly OpenAlert['kind'][] = [
  'storage_unavailable',
  'spool_unavailable',
  'database_unavailable',
  'standby_behind',
  'standby_asynchronous',
  'disk_nearly_full',
  'process_silent',
  'held',
  'sweep_stopped',
];

/** The operators' page. */
export function OperationsPage() {
  const { view } = useParams<{ view?: string }>();
  const [, navigate] = useLocation();
  const current: ViewName = view !== undefined && view in VIEWS ? (view as ViewName) : 'engines';
  const open = useApi('GET /admin/v1/reconciliation', { query: { limit: 100 } });
  const alerts = useApi('GET /admin/v1/alerts', OPEN_ALERTS);
  const counts = { unknown: open.data?.items.length ?? 0, alerts: alerts.data?.items.length ?? 0 };
  const View = VIEWS[current];
  // On a phone the tabs scroll: shows the open tab, after the count in another tab has loaded.
  const isCounted = !open.isPending && !alerts.isPending;
  const tabs = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = tabs.current;
    const tab = list?.querySelector<HTMLElement>(`[data-view="${current}"]`) ?? null;
    if (!isCounted || list === null || tab === null) return;
    list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
  }, [current, isCounted]);
  return (
    <>
      <PageHeader title={frameTexts.pages.operations} lead={operationsTexts.lead} />
      {current !== 'alerts' && <OwnTroubles alerts={alerts.data?.items ?? []} />}
      <Tabs
        value={current}
        onChange={(next) => navigate(next === 'engines' ? '/operations' : `/operations/${next}`)}
        keepMounted={false}
      >
        <Tabs.List ref={tabs} className={classes.tabs ?? ''} aria-label={operationsTexts.viewsLabel}>
          {(Object.keys(VIEWS) as ViewName[]).map((name) => (
            <Tabs.Tab
              key={name}
              value={name}
              data-view={name}
              rightSection={
                name in counts && counts[name as keyof typeof counts] > 0 ? (
                  <Badge size="sm" circle color="red" variant="filled">
                    {counts[name as keyof typeof counts]}
                  </Badge>
                ) : undefined
              }
            >
              {operationsTexts.views[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={current} pt="lg">
          <Suspense fallback={<Skeleton h={320} radius={14} aria-hidden="true" />}>
            <View />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** A red line for each open alert about the service's own dependencies. */
function OwnTroubles({ alerts }: { readonly alerts: readonly OpenAlert[] }) {
  return alerts
    .filter(({ kind }) => OWN_TROUBLES.includes(kind))
    .map(({ alert_id: id, kind, summary }) => (
      <Alert
        key={id}
        color="red"
        variant="light"
        mb="md"
        role="alert"
        icon={<IconAlertTriangle size={18} />}
        title={operationsTexts.alerts.kinds[kind]}
      >
        {summary} <Link href="/operations/alerts">{operationsTexts.alerts.whatToDo}</Link>
      </Alert>
    ));
}
