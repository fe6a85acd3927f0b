import type { TrustedFetch } from '@darkroom-service/media';
import { type AzureOpenAiAccess, createAzureOpenAiEngine } from './azure-openai/azure-openai-engine.ts';
import { createComfyEngine } from './comfyui/comfyui-engine.ts';
import type { Engine } from './engine.ts';
import { type ConcurrencyBounds, withLimits } from './engine-limits.ts';
import { createFalEngine } from './fal/fal-engine.ts';
import { COMFYUI_GRID, FAL_GRID, SD_SERVER_GRID } from './grid/grid-dialects.ts';
import { withGrids } from './grid/grid-engine.ts';
import type { PictureTools } from './picture-tools.ts';
import { createReplicateEngine } from './replicate/replicate-engine.ts';
import { createSdServerEngine } from './sd-server/sd-server-engine.ts';
import type { EngineTools } from './upstream/submit-poll-engine.ts';
import { openVendors, type Vendors } from './vendors.ts';
import type { VertexAccess } from './vertex/vertex-api.ts';
import { createVertexEngine } from './vertex/vertex-engine.ts';

/** The configuration of each upstream; null = not configured, so it is off. */
export interface Upstreams {
  readonly fal: UpstreamAccess | null;
  readonly replicate: UpstreamAccess | null;
  readonly vendors: Vendors;
  readonly azureOpenai: (AzureOpenAiAccess & { readonly variable: string }) | null;
  readonly vertex: (VertexAccess & { readonly variable: string }) | null;
  readonly comfyui:
    | (OwnServer & { readonly urls: readonly string[]; readonly workflowDirectories: readonly string[] })
    | null;
  readonly sdServer: (OwnServer & { readonly url: string }) | null;
}

/** A server that needs no key. */
interface OwnServer {
  /** The value of an `Authorization` header, for a reverse proxy in front; null = none. */
  readonly authorization: string | null;
  readonly variable: string;
}

interface UpstreamAccess {
  readonly key: string;
  /** The endpoint's URL; null = the upstream's own. */
  readonly url: string | null;
  /** The variable that switched the upstream on, for the log. */
  readonly variable: string;
}

/** The operator's setting for one engine; null = the engine's own default. */
export interface LimitSetting {
  readonly concurrency: ConcurrencyBounds | null;
  readonly callTimeoutMs: number | null;
}

export type UpstreamTools = EngineTools & { readonly fetch: TrustedFetch; readonly pictures: PictureTools };

/**
 * Creates the engines of the configured upstreams.
 * @param limits by engine name
 */
export function openUpstreams(
  { fal, replicate, vendors, azureOpenai, vertex, comfyui, sdServer }: Upstreams,
  given: UpstreamTools,
  limits: Readonly<Record<string, LimitSetting>>,
): { readonly engine: Engine; readonly variable: string }[] {
  const tools = (name: string): UpstreamTools => {
    const callTimeoutMs = limits[name]?.callTimeoutMs ?? given.callTimeoutMs;
    return { ...given, ...(callTimeoutMs === undefined ? {} : { callTimeoutMs }) };
  };
  const opened: { engine: Engine; variable: string }[] = [];
  if (fal !== null) {
    const engine = withGrids(createFalEngine({ ...tools('fal'), ...fal }), FAL_GRID, given);
    opened.push({ engine, variable: fal.variable });
  }
  if (replicate !== null) {
    const engine = createReplicateEngine({ ...tools('replicate'), url: replicate.url, token: replicate.key });
    opened.push({ engine, variable: replicate.variable });
  }
  if (azureOpenai !== null) {
    const engine = createAzureOpenAiEngine({ ...tools('azure-openai'), ...azureOpenai });
    opened.push({ engine, variable: azureOpenai.variable });
  }
  if (vertex !== null) {
    const engine = createVertexEngine({ ...tools('vertex'), ...vertex });
    opened.push({ engine, variable: vertex.variable });
  }
  if (comfyui !== null) {
    const engine = withGrids(createComfyEngine({ ...tools('comfyui'), ...comfyui }), COMFYUI_GRID, given);
    opened.push({ engine, variable: comfyui.variable });
  }
  if (sdServer !== null) {
    const engine = withGrids(createSdServerEngine({ ...tools('sd-server'), ...sdServer }), SD_SERVER_GRID, given);
    opened.push({ engine, variable: sdServer.variable });
  }
  return [...opened, ...openVendors(vendors, tools)].map(({ engine, variable }) => ({
    engine: withLimits(engine, limits[engine.name]?.concurrency ?? null),
    variable,
  }));
}
