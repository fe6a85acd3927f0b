import type { TrustedFetch } from '@darkroom-service/media';
import { createBflEngine } from './bfl/bfl-engine.ts';
import { createByteplusEngine } from './byteplus/byteplus-engine.ts';
import { createComfyRouterEngine } from './comfy-router/comfy-router-engine.ts';
import { createDashscopeEngine } from './dashscope/dashscope-engine.ts';
import type { Engine } from './engine.ts';
import { createGoogleBatchEngine } from './google/google-batch-engine.ts';
import { createGoogleEngine } from './google/google-engine.ts';
import { createHeygenEngine } from './heygen/heygen-engine.ts';
import { createHiggsfieldEngine } from './higgsfield/higgsfield-engine.ts';
import { createIdeogramEngine } from './ideogram/ideogram-engine.ts';
import { createKlingEngine } from './kling/kling-engine.ts';
import { createLtxEngine } from './ltx/ltx-engine.ts';
import { createLumaEngine } from './luma/luma-engine.ts';
import { createMinimaxEngine } from './minimax/minimax-engine.ts';
import { createOpenAiBatchEngine } from './openai/openai-batch-engine.ts';
import { createOpenAiEngine } from './openai/openai-engine.ts';
import { createOpenRouterEngine } from './openrouter/openrouter-engine.ts';
import type { PictureTools } from './picture-tools.ts';
import { createPixverseEngine } from './pixverse/pixverse-engine.ts';
import { createRecraftEngine } from './recraft/recraft-engine.ts';
import { createRunwayEngine } from './runway/runway-engine.ts';
import type { EngineTools } from './upstream/submit-poll-engine.ts';
import { BATCH_VENDORS, type BatchVendor, VENDOR_NAMES, type VendorName } from './vendor-descriptors.ts';
import { createViduEngine } from './vidu/vidu-engine.ts';
import { createXaiEngine } from './xai/xai-engine.ts';

type Tools = EngineTools & { readonly fetch: TrustedFetch; readonly pictures: PictureTools };

/** Creators of the engines for the vendors' own APIs, by engine name. */
const CREATORS = {
  openai: createOpenAiEngine,
  kling: createKlingEngine,
  byteplus: createByteplusEngine,
  google: createGoogleEngine,
  xai: createXaiEngine,
  bfl: createBflEngine,
  dashscope: createDashscopeEngine,
  heygen: createHeygenEngine,
  ideogram: createIdeogramEngine,
  ltx: createLtxEngine,
  luma: createLumaEngine,
  minimax: createMinimaxEngine,
  pixverse: createPixverseEngine,
  higgsfield: createHiggsfieldEngine,
  recraft: createRecraftEngine,
  runway: createRunwayEngine,
  vidu: createViduEngine,
  'comfy-router': createComfyRouterEngine,
  openrouter: createOpenRouterEngine,
} as const satisfies Record<
  VendorName,
  (settings: Tools & { readonly key: string; readonly url: string | null }) => Engine
>;

/** Creators of the engines for vendors' batch interfaces, by the name of the vendor's engine. */
const BATCH_CREATORS = {
  openai: createOpenAiBatchEngine,
  google: createGoogleBatchEngine,
} as const satisfies Record<
  BatchVendor,
  (settings: Tools & { readonly key: string; readonly url: string | null }) => Engine
>;

/** The configuration of each vendor; null = not configured, so it is off. */
export type Vendors = { readonly [Name in VendorName]: VendorAccess | null };

interface VendorAccess {
  readonly key: string;
  /** The endpoint's URL; null = the vendor's own. */
  readonly url: string | null;
  /** The variable that switched the vendor on, for the log. */
  readonly variable: string;
}

/** Creates the engines of the configured vendors. @param tools by engine name */
export function openVendors(
  vendors: Vendors,
  tools: (name: string) => Tools,
): { readonly engine: Engine; readonly variable: string }[] {
  return VENDOR_NAMES.flatMap((name) => {
    const access = vendors[name];
    if (access === null) return [];
    const { key, url, variable } = access;
    const settings = { ...tools(name), key, url };
    const batches = BATCH_VENDORS.find((vendor) => vendor === name);
    return [
      { engine: CREATORS[name](settings), variable },
      ...(batches === undefined ? [] : [{ engine: BATCH_CREATORS[batches](settings), variable }]),
    ];
  });
}
