import { lazyPart, type Part } from './components/lazy-part.ts';
import type { frameTexts } from './texts/frame.ts';

/** A page of the console: its address after `#`, which may have wouter's parameters. */
export interface Page {
  readonly name: keyof typeof frameTexts.pages;
  readonly path: string;
  /** The pattern of its addresses, where one component stays while they change. */
  readonly route?: string;
  /** Further addresses of the same page. */
  readonly also: readonly string[];
  /** `person`: somebody who has signed in, or an admin key. */
  readonly needs: 'ordering' | 'admin' | 'person';
  /** The roles of people that have no use for it. */
  readonly notFor?: readonly string[];
  /** The page of the navigation that leads to it; absent for those in the navigation. */
  readonly under?: Page['name'];
  readonly component: Part<object>;
}

/** Roles that order nothing themselves. */
const NOT_ORDERING = ['viewer', 'finance'];

/** Shown in place of every page to those who are not signed in. */
export const SignInPage = lazyPart(async () => (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage);

/** Shown in place of every page to people with several accounts, until they have chosen one. */
export const ChooseAccountPage = lazyPart(
  async () => (await import('./pages/sign-in/choose-account-page.tsx')).ChooseAccountPage,
);

/** In the order of the navigation. Each page is loaded when it is first opened. */
export const pages: readonly Page[] = [
  {
    name: 'studio',
    path: '/',
    also: ['/t/:taskId'],
    needs: 'ordering',
    notFor: NOT_ORDERING,
    component: lazyPart(async () => (await import('./pages/studio/studio-page.tsx')).StudioPage),
  },
  {
    name: 'model',
    path: '/models/:modelId',
    also: [],
    needs: 'ordering',
    under: 'studio',
    component: lazyPart(async () => (await import('./pages/studio/model-page.tsx')).ModelPage),
  },
  {
    name: 'light',
    path: '/light',
    route: '/light/:batchId?',
    also: [],
    needs: 'ordering',
    notFor: NOT_ORDERING,
    component: lazyPart(async () => (await import('./pages/light/light-page.tsx')).LightPage),
  },
  {
    name: 'history',
    path: '/history',
    route: '/history/:taskId?',
    also: ['/batches/:batchId'],
    needs: 'ordering',
    notFor: NOT_ORDERING,
    component: lazyPart(async () => (await import('./pages/history/history-page.tsx')).HistoryPage),
  },
  {
    name: 'usage',
    path: '/usage',
    also: [],
    needs: 'ordering',
    notFor: ['viewer'],
    component: lazyPart(async () => (await import('./pages/usage/usage-page.tsx')).UsagePage),
  },
  {
    name: 'operations',
    path: '/operations',
    route: '/operations/:view?/:item?',
    also: [],
    needs: 'admin',
    component: lazyPart(async () => (await import('./pages/operations/operations-page.tsx')).OperationsPage),
  },
  {
    name: 'team',
    path: '/team',
    also: [],
    needs: 'person',
    component: lazyPart(async () => (await import('./pages/team/team-page.tsx')).TeamPage),
  },
];

/** Addresses of earlier versions, and what stands in their place. */
export const MOVED: Readonly<Record<string, string>> = {
  '/keys': '/operations/people',
  '/local': '/operations/local',
  '/batches': '/history',
};

/** Returns the page at a path after `#`; null if there is none. */
export function pageAt(location: string): Page | null {
  const begins = (path: string) =>
    location === path || (path.includes(':') && location.startsWith(path.split(':')[0] ?? ''));
  return pages.find(({ path, route = path, also }) => [path, route, ...also].some(begins)) ?? null;
}
