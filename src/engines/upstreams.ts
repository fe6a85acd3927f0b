import type { TrustedFetch } from '../net/trusted-fetch.ts';
import { createComfyEngine } from './comfyui/comfyui-engine.ts';
import type { Engine } from './engine.ts';
import { createFalEngine } from './fal/fal-engine.ts';
import { COMFYUI_GRID, FAL_GRID, SD_SERVER_GRID } from './grid/grid-dialects.ts';
import { withGrids } from './grid/grid-engine.ts';
import { createReplicateEngine } from './replicate/replicate-engine.ts';
import { createSdServerEngine } from './sd-server/sd-server-engine.ts';
import type { EngineTools } from './upstream/submit-poll-engine.ts';
import { openVendors, type Vendors } from './vendors.ts';

/** What is configured of each upstream; null = nothing, so it is off. */
export interface Upstreams {
  readonly fal: UpstreamAccess | null;
  readonly replicate: UpstreamAccess | null;
  readonly vendors: Vendors;
  readonly comfyui:
    | (OwnServer & { readonly urls: readonly string[]; readonly workflowDirectories: readonly string[] })
    | null;
  readonly sdServer: (OwnServer & { readonly url: string }) | null;
}

/** What is reached without a key. */
export interface OwnServer {
  /** The value of an `Authorization` header, for a proxy in front; null = none. */
  readonly authorization: string | null;
  readonly variable: string;
}

export interface UpstreamAccess {
  readonly key: string;
  /** Null: the upstream's own. */
  readonly url: string | null;
  /** What switched it on, for whoever reads the log. */
  readonly variable: string;
}

/** Makes the engines of the upstreams that are configured. */
export function openUpstreams(
  { fal, replicate, vendors, comfyui, sdServer }: Upstreams,
  tools: EngineTools & { readonly fetch: TrustedFetch },
): { readonly engine: Engine; readonly variable: string }[] {
  const opened: { engine: Engine; variable: string }[] = [];
  if (fal !== null)
    opened.push({
      engine: withGrids(createFalEngine({ ...tools, ...fal }), FAL_GRID, tools.fetch),
      variable: fal.variable,
    });
  if (replicate !== null) {
    const engine = createReplicateEngine({ ...tools, url: replicate.url, token: replicate.key });
    opened.push({ engine, variable: replicate.variable });
  }
  if (comfyui !== null)
    opened.push({
      engine: withGrids(createComfyEngine({ ...tools, ...comfyui }), COMFYUI_GRID, tools.fetch),
      variable: comfyui.variable,
    });
  if (sdServer !== null) {
    opened.push({
      engine: withGrids(createSdServerEngine({ ...tools, ...sdServer }), SD_SERVER_GRID, tools.fetch),
      variable: sdServer.variable,
    });
  }
  return [...opened, ...openVendors(vendors, tools)];
}
