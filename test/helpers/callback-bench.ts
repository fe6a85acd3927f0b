import type { TestContext } from 'node:test';
import { systemClock } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import type { Log } from '../../src/base/log.ts';
import { CALLED_ANYWHERE } from './called-anywhere.ts';
import { openCatalogOverlay } from './catalog-overlay.ts';
import { conformanceEntry } from './conformance-entry.ts';
import { plainPicture } from './plain-picture.ts';
import { startTestService, type TestService } from './service.ts';

/** An engine whose upstream may call back, as a test makes it do. */
export interface CallingEngine extends Engine {
  /** The URLs that orders were submitted with, by prompt. */
  readonly urls: ReadonlyMap<string, string>;
  /** How often an order was submitted and checked, by prompt. */
  readonly counts: ReadonlyMap<string, { starts: number; checks: number }>;
}

export interface CallingWishes {
  /** How long an order takes, by its prompt, in milliseconds. */
  readonly orderMs: (prompt: string) => number;
  /** Called when an order was taken, before its submission is answered. */
  readonly onStart?: (prompt: string, url: string) => Promise<void>;
  /** Pause between checks; absent = the service's own. */
  readonly checkAfterMs?: number;
}

export function createCallingEngine({ orderMs, onStart, checkAfterMs }: CallingWishes): CallingEngine {
  const urls = new Map<string, string>();
  const counts = new Map<string, { starts: number; checks: number }>();
  const promptOf = (values: Readonly<Record<string, unknown>>) => String(values.prompt);
  const count = (prompt: string, what: 'starts' | 'checks') => {
    const known = counts.get(prompt) ?? { starts: 0, checks: 0 };
    counts.set(prompt, known);
    known[what]++;
  };
  const pace = checkAfterMs === undefined ? {} : { checkAfterMs };
  return {
    name: 'calling',
    concurrency: 64,
    urls,
    counts,
    async start({ request }, { callbackUrl }) {
      const prompt = promptOf(request.values);
      count(prompt, 'starts');
      const operation = { readyAt: systemClock.now() + orderMs(prompt), callsBack: typeof callbackUrl === 'string' };
      if (typeof callbackUrl === 'string') {
        urls.set(prompt, callbackUrl);
        await onStart?.(prompt, callbackUrl);
      }
      return { operation, ...pace };
    },
    async check(operation, { taskId, request }) {
      count(promptOf(request.values), 'checks');
      const { readyAt } = operation as { readonly readyAt: number };
      if (systemClock.now() < readyAt) return { status: 'pending', ...pace };
      const data = plainPicture(request.output, taskId);
      return {
        status: 'succeeded',
        delivery: { outputs: [{ source: { data }, seed: 1, revisedPrompt: null, tiles: null }] },
      };
    },
    // The body stands for a signature.
    readCallback: async ({ body }) => {
      const text = Buffer.from(body).toString();
      return text === 'ended' || text === 'running' ? text : 'forged';
    },
    callsBack: (operation) => (operation as { readonly callsBack?: boolean }).callsBack === true,
  };
}

/** A service whose model `conformance` is made by an engine that may be called back. */
export async function openCallbackBench(
  t: TestContext,
  engine: Engine,
  {
    env = {},
    isCalledBack = true,
    log,
  }: { readonly env?: Record<string, string>; readonly isCalledBack?: boolean; readonly log?: Log } = {},
): Promise<TestService> {
  const routes = [{ engine: engine.name, model: 'fox', parameters: { prompt: 'prompt' }, covers: ['aspect_ratio'] }];
  const { directory } = await openCatalogOverlay(t, [conformanceEntry('conformance', routes)]);
  return await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: directory, ...env },
    service: {
      engines: [engine],
      ...(isCalledBack ? { additions: CALLED_ANYWHERE } : {}),
      ...(log === undefined ? {} : { log }),
    },
  });
}

/** Calls a callback URL. @returns status and text of the answer */
export async function callBack(url: string, body = 'ended'): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { method: 'POST', body });
  return { status: response.status, text: await response.text() };
}
