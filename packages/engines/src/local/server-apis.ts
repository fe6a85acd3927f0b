import type { TrustedFetch } from '@darkroom-service/media';
import { createComfyEngine } from '../comfyui/comfyui-engine.ts';
import type { Engine } from '../engine.ts';
import { COMFYUI_GRID, SD_SERVER_GRID } from '../grid/grid-dialects.ts';
import { withGrids } from '../grid/grid-engine.ts';
import { createOwnImagesEngine } from '../openai/own-images-engine.ts';
import type { PictureTools } from '../picture-tools.ts';
import { createSdServerEngine } from '../sd-server/sd-server-engine.ts';
import type { EngineTools } from '../upstream/submit-poll-engine.ts';

export interface ServerApiSettings extends EngineTools {
  /** Directories with workflows of ComfyUI. */
  readonly workflowDirectories: readonly string[];
  /** Maximum duration of one order, in milliseconds. */
  readonly orderLimitMs: number;
  readonly fetch: TrustedFetch;
  readonly pictures: PictureTools;
}

/** Address and key of a server. */
interface Reached {
  readonly url: string;
  readonly key: string | null;
}

const CHECK_EVERY_MS = 300;
const CALL_TIMEOUT_MS = 30_000;
const PACE = { checkEveryMs: CHECK_EVERY_MS, callTimeoutMs: CALL_TIMEOUT_MS, authorization: null };

/** The interfaces that a server started by Darkroom may have. */
const APIS = {
  'sd-server': {
    open: ({ url }: Reached, settings: ServerApiSettings) => createSdServerEngine({ ...settings, ...PACE, url }),
    grid: SD_SERVER_GRID,
  },
  comfyui: {
    open: ({ url }: Reached, settings: ServerApiSettings) => createComfyEngine({ ...settings, ...PACE, urls: [url] }),
    grid: COMFYUI_GRID,
  },
  'openai-images': {
    open: ({ url, key }: Reached, settings: ServerApiSettings) =>
      createOwnImagesEngine({ ...settings, url, key, callTimeoutMs: settings.orderLimitMs }),
    grid: null,
  },
} as const;

export type ServerApi = keyof typeof APIS;

/** Creates the engine for one running server. The caller closes it. */
export function openServerEngine(api: ServerApi, server: Reached, settings: ServerApiSettings): Engine {
  return APIS[api].open(server, settings);
}

/** Adds grids and follow-up actions, as far as the interface allows them. @param engine may start its server late */
export function withGridsOf(api: ServerApi, engine: Engine, settings: ServerApiSettings): Engine {
  const { grid } = APIS[api];
  return grid === null ? engine : withGrids(engine, grid, settings);
}
