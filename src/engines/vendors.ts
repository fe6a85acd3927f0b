import type { TrustedFetch } from '../net/trusted-fetch.ts';
import { createByteplusEngine } from './byteplus/byteplus-engine.ts';
import type { Engine } from './engine.ts';
import { createGoogleEngine } from './google/google-engine.ts';
import { createKlingEngine } from './kling/kling-engine.ts';
import { createOpenAiEngine } from './openai/openai-engine.ts';
import type { EngineTools } from './upstream/submit-poll-engine.ts';
import { createXaiEngine } from './xai/xai-engine.ts';

type Tools = EngineTools & { readonly fetch: TrustedFetch };

/** How the engines of the vendors' own interfaces are made, by their names. */
const MAKERS = {
  openai: createOpenAiEngine,
  kling: createKlingEngine,
  byteplus: createByteplusEngine,
  google: createGoogleEngine,
  xai: createXaiEngine,
} as const satisfies Record<
  string,
  (settings: Tools & { readonly key: string; readonly url: string | null }) => Engine
>;

/** What is configured of each vendor; null = nothing, so it is off. */
export type Vendors = { readonly [Name in keyof typeof MAKERS]: VendorAccess | null };

export interface VendorAccess {
  readonly key: string;
  /** Null: the vendor's own. */
  readonly url: string | null;
  /** What switched it on, for whoever reads the log. */
  readonly variable: string;
}

/** Makes the engines of the vendors that are configured. */
export function openVendors(vendors: Vendors, tools: Tools): { readonly engine: Engine; readonly variable: string }[] {
  return (Object.keys(MAKERS) as (keyof Vendors)[]).flatMap((name) => {
    const access = vendors[name];
    if (access === null) return [];
    const { key, url, variable } = access;
    return [{ engine: MAKERS[name]({ ...tools, key, url }), variable }];
  });
}
