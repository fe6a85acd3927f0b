import type { TestContext } from 'node:test';
import { createDarkroom } from '@darkroom/ai-sdk-provider';
import { Darkroom } from '@darkroom/client';
import type { TestService } from '../../helpers/service.ts';
import { openFaultProxy } from '../fault-proxy.ts';

/** A key of its own, a proxy before the service, a provider of that proxy, and what the service has of the key. */
export async function prepare(
  t: Pick<TestContext, 'after'>,
  service: TestService,
  options: { readonly retries?: number; readonly responseTimeoutMs?: number } = {},
) {
  const { key } = await service.issueKey({ mode: 'test' });
  const proxy = await openFaultProxy(t, service.url);
  const direct = new Darkroom({ baseUrl: service.url, apiKey: key });
  const charges = async () => (await direct.account.ledger().page()).items.filter(({ kind }) => kind === 'charge');
  return {
    proxy,
    direct,
    provider: createDarkroom({ baseUrl: proxy.url, apiKey: key, ...options }),
    images: async () => (await direct.images.list().page()).items,
    videos: async () => (await direct.videos.list().page()).items,
    charges,
  };
}
