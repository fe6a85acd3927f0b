import type { Operation } from './api/operations.ts';
import { lazyPart, type Part } from './components/lazy-part.ts';

/** A view of a place. It is open to sessions that may call the operation in `needs`, or the one in `or`. */
export interface View {
  /** Label of the view's tab, and its heading. */
  readonly name: string;
  /** Path of the view after `#`. */
  readonly path: string;
  /** Patterns of all paths of the view, with wouter's parameters; `path` alone if absent. */
  readonly routes?: readonly string[];
  readonly needs: Operation;
  readonly or?: Operation;
  /** Whether the view is opened from other views instead of a tab. */
  readonly isLinked?: boolean;
  readonly component: Part<object>;
}

type PlaceName = 'Make' | 'Now' | 'Orders' | 'Money' | 'People and keys';

/** A place of the console: an entry of the navigation, with its views as tabs. */
export interface Place {
  /** Label of the place's link. */
  readonly name: PlaceName;
  readonly views: readonly View[];
}

/** Page shown instead of every view to visitors who are not signed in. */
export const SignInPage = lazyPart(async () => (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage);

/** Page shown instead of every view to people with several accounts, until they have chosen one. */
export const ChooseAccountPage = lazyPart(
  async () => (await import('./pages/sign-in/choose-account-page.tsx')).ChooseAccountPage,
);

/** Places in the order of the navigation. Each view is loaded when it is first opened. */
export const places: readonly Place[] = [
  {
    name: 'Make',
    views: [
      {
        name: 'Make',
        path: '/',
        routes: ['/', '/light', '/t/:shownId', '/history/:openId?', '/batches/:batchId?', '/models'],
        needs: 'POST /v1/images',
        component: lazyPart(async () => (await import('./pages/make/make-page.tsx')).MakePage),
      },
      {
        name: 'Table',
        path: '/light/:batchId',
        needs: 'POST /v1/batches',
        isLinked: true,
        component: lazyPart(async () => (await import('./pages/make/table/table.tsx')).TablePage),
      },
      {
        name: 'Model',
        path: '/models/:modelId',
        needs: 'GET /v1/models/{model_id}',
        isLinked: true,
        component: lazyPart(async () => (await import('./pages/make/model-page.tsx')).ModelPage),
      },
    ],
  },
  {
    name: 'Now',
    views: [
      {
        name: 'Now',
        path: '/now',
        needs: 'GET /admin/v1/processes',
        component: lazyPart(async () => (await import('./pages/now/now-view.tsx')).NowView),
      },
      {
        name: 'Upstreams',
        path: '/now/upstreams',
        needs: 'GET /admin/v1/engines',
        component: lazyPart(async () => (await import('./pages/now/engines-view.tsx')).EnginesView),
      },
      {
        name: 'Models',
        path: '/now/models',
        needs: 'GET /admin/v1/models',
        component: lazyPart(async () => (await import('./pages/now/models-view.tsx')).ModelsView),
      },
    ],
  },
  {
    name: 'Orders',
    views: [
      {
        name: 'All orders',
        path: '/orders',
        needs: 'GET /admin/v1/tasks',
        component: lazyPart(async () => (await import('./pages/orders/orders-view.tsx')).OrdersView),
      },
      {
        name: 'Orders of the account',
        path: '/orders/account',
        routes: ['/orders/account/:taskId?'],
        needs: 'GET /v1/account/tasks',
        component: lazyPart(async () => (await import('./pages/orders/account-orders.tsx')).AccountOrders),
      },
      {
        name: 'Webhook deliveries',
        path: '/orders/webhooks',
        needs: 'GET /admin/v1/webhooks/deliveries',
        component: lazyPart(async () => (await import('./pages/orders/webhooks-view.tsx')).WebhooksView),
      },
      {
        name: 'Order',
        path: '/orders/:taskId',
        needs: 'GET /admin/v1/tasks/{task_id}',
        isLinked: true,
        component: lazyPart(async () => (await import('./pages/orders/order-facts.tsx')).OrderFacts),
      },
    ],
  },
  {
    name: 'Money',
    views: [
      {
        name: 'Spending',
        path: '/money/usage',
        needs: 'GET /v1/account/usage',
        component: lazyPart(async () => (await import('./pages/money/usage-page.tsx')).UsagePage),
      },
      {
        name: 'Revenue and costs',
        path: '/money/margins',
        needs: 'GET /admin/v1/costs',
        component: lazyPart(async () => (await import('./pages/money/costs-view.tsx')).CostsView),
      },
      {
        name: 'Credits',
        path: '/money/credits',
        needs: 'GET /admin/v1/credits',
        component: lazyPart(async () => (await import('./pages/money/credits-view.tsx')).CreditsView),
      },
    ],
  },
  {
    name: 'People and keys',
    views: [
      {
        name: 'People',
        path: '/people',
        needs: 'GET /admin/v1/people',
        or: 'GET /v1/account/members',
        component: lazyPart(async () => (await import('./pages/people/people-view.tsx')).PeopleView),
      },
      {
        name: 'Keys',
        path: '/people/keys',
        needs: 'GET /admin/v1/keys',
        or: 'GET /v1/account/keys',
        component: lazyPart(async () => (await import('./pages/people/keys-view.tsx')).KeysView),
      },
      {
        name: 'Accounts',
        path: '/people/accounts',
        needs: 'GET /admin/v1/accounts',
        component: lazyPart(async () => (await import('./pages/people/accounts-view.tsx')).AccountsView),
      },
      {
        name: 'Developers',
        path: '/people/developers',
        needs: 'GET /v1/account/webhooks',
        or: 'GET /v1/account/upstream_keys',
        component: lazyPart(async () => (await import('./pages/people/developers-view.tsx')).DevelopersView),
      },
      {
        name: 'Requests',
        path: '/people/requests',
        routes: ['/people/requests/:item?'],
        needs: 'GET /admin/v1/requests',
        component: lazyPart(async () => (await import('./pages/people/requests-view.tsx')).RequestsView),
      },
      {
        name: 'Privacy',
        path: '/people/privacy',
        needs: 'GET /admin/v1/erasures',
        component: lazyPart(async () => (await import('./pages/people/privacy-view.tsx')).PrivacyView),
      },
      {
        name: 'Audit',
        path: '/people/audit',
        needs: 'GET /admin/v1/audit',
        component: lazyPart(async () => (await import('./pages/people/audit-view.tsx')).AuditView),
      },
    ],
  },
];

/** Returns the patterns of a view's paths. */
export function routesOf({ path, routes = [path] }: View): readonly string[] {
  return routes;
}

/** Returns the view at a path after `#`; null if there is none. */
export function viewAt(location: string): { readonly place: Place; readonly view: View } | null {
  const isAt = (pattern: string) => location === pattern || matches(pattern, location);
  for (const place of places) for (const view of place.views) if (routesOf(view).some(isAt)) return { place, view };
  return null;
}

/** Tells whether a path matches a pattern of wouter: `:name` stands for one part, `:name?` for one or none. */
function matches(pattern: string, location: string): boolean {
  const source = pattern.replace(/\/:\w+\?/g, '(?:/[^/]+)?').replace(/:\w+/g, '[^/]+');
  return new RegExp(`^${source}/?$`).test(location);
}
