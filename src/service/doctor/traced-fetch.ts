import { AsyncLocalStorage } from 'node:async_hooks';
import { type OutgoingProxies, proxyFor, shownProxy } from '@darkroom-service/media/net/outgoing-proxies';
import type { TrustedFetch } from '@darkroom-service/media/net/trusted-fetch';

interface TracedFetch {
  readonly fetch: TrustedFetch;
  /** Runs a check, and returns its result and the proxies that it used, without user and password. */
  trace<Result>(check: () => Promise<Result>): Promise<{ readonly result: Result; readonly proxies: Set<string> }>;
}

/** Tells for each check through which proxies its requests went. Checks may run at once. */
export function traceFetch(fetch: TrustedFetch, proxies: OutgoingProxies): TracedFetch {
  const traces = new AsyncLocalStorage<Set<string>>();
  return {
    async fetch(url, options) {
      const target = URL.parse(url);
      const proxy = target === null ? null : proxyFor(target, proxies);
      if (proxy !== null) traces.getStore()?.add(shownProxy(proxy));
      return await fetch(url, options);
    },
    async trace(check) {
      const used = new Set<string>();
      return { result: await traces.run(used, check), proxies: used };
    },
  };
}
