import { Badge, Skeleton, Tabs } from '@mantine/core';
import { type ComponentType, Suspense, useEffect, useRef } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { OPEN_ALERTS } from '../../api/open-alerts.ts';
import { useApi } from '../../api/use-api.ts';
import { lazyPart } from '../../components/lazy-part.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { frameTexts } from '../../texts/frame.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { AlertsView } from './alerts-view.tsx';
import { CostsView } from './costs-view.tsx';
import { EnginesView } from './engines-view.tsx';
import classes from './operations.module.css';
import { OrdersView } from './orders-view.tsx';
import { RequestsView } from './requests-view.tsx';
import { TroubleView } from './trouble-view.tsx';
import { WebhooksView } from './webhooks-view.tsx';

/** The views of each tab; the first one is its own. */
const TABS = {
  trouble: {
    trouble: TroubleView,
    alerts: AlertsView,
    processes: lazyPart(async () => (await import('./processes-view.tsx')).ProcessesView),
  },
  orders: {
    orders: OrdersView,
    requests: RequestsView,
    webhooks: WebhooksView,
  },
  upstreams: {
    upstreams: EnginesView,
    models: lazyPart(async () => (await import('./models-view.tsx')).ModelsView),
    local: lazyPart(async () => (await import('./local/local-view.tsx')).LocalView),
  },
  money: {
    money: CostsView,
    settled: lazyPart(async () => (await import('./settled-view.tsx')).SettledView),
  },
  people: {
    people: lazyPart(async () => (await import('./keys/keys-view.tsx')).KeysView),
    audit: lazyPart(async () => (await import('./audit-view.tsx')).AuditView),
  },
} as const;
type TabName = keyof typeof TABS;
type ViewName = keyof typeof operationsTexts.views;

const TAB_NAMES = Object.keys(TABS) as TabName[];
/** Addresses of earlier versions. */
const MOVED: Readonly<Record<string, ViewName>> = {
  engines: 'upstreams',
  costs: 'money',
  failures: 'orders',
  unknown: 'orders',
};

/** The operators' page. */
export function OperationsPage() {
  const { view = 'trouble' } = useParams<{ view?: string }>();
  const [, navigate] = useLocation();
  const wanted = MOVED[view] ?? view;
  const tab = TAB_NAMES.find((name) => wanted in TABS[name]) ?? 'trouble';
  const views: Partial<Record<ViewName, ComponentType<object>>> = TABS[tab];
  const current = (wanted in views ? wanted : tab) as ViewName;
  const View = views[current] ?? TroubleView;
  const alerts = useApi('GET /admin/v1/alerts', OPEN_ALERTS);
  const count = alerts.data?.items.length ?? 0;
  // On a phone the tabs scroll.
  const tabs = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = tabs.current;
    const open = list?.querySelector<HTMLElement>(`[data-tab="${tab}"]`) ?? null;
    if (list !== null && open !== null) list.scrollLeft = open.offsetLeft - (list.clientWidth - open.offsetWidth) / 2;
  }, [tab]);
  const names = Object.keys(views) as ViewName[];
  return (
    <>
      <PageHeader title={frameTexts.pages.operations} />
      <Tabs value={tab} onChange={(next) => next !== null && navigate(addressOf(next as ViewName))} keepMounted={false}>
        <Tabs.List ref={tabs} className={classes.tabs ?? ''} aria-label={operationsTexts.viewsLabel}>
          {TAB_NAMES.map((name) => (
            <Tabs.Tab
              key={name}
              value={name}
              data-tab={name}
              rightSection={
                name === 'trouble' && count > 0 ? (
                  <Badge size="sm" color="red" variant="filled">
                    {count}
                  </Badge>
                ) : undefined
              }
            >
              {operationsTexts.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="md">
          {names.length > 1 && (
            <nav className={classes.views} aria-label={operationsTexts.tabs[tab]}>
              {names.map((name) => (
                <Link key={name} href={addressOf(name)} aria-current={name === current ? 'page' : undefined}>
                  {operationsTexts.views[name]}
                </Link>
              ))}
            </nav>
          )}
          <Suspense fallback={<Skeleton h={320} radius={14} aria-hidden="true" />}>
            <View />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function addressOf(view: ViewName): string {
  return view === 'trouble' ? '/operations' : `/operations/${view}`;
}
