import { systemClock } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import { openUpstreams } from '@darkroom-service/engines/adapters';
import {
  AZURE_DEPLOYMENTS,
  falInputs,
  keyFile,
  openFakeArk,
  openFakeAzureOpenAi,
  openFakeBfl,
  openFakeComfy,
  openFakeComfyRouter,
  openFakeDashscope,
  openFakeFal,
  openFakeGoogle,
  openFakeHeygen,
  openFakeHiggsfield,
  openFakeIdeogram,
  openFakeKling,
  openFakeLtx,
  openFakeLuma,
  openFakeMinimax,
  openFakeOpenAi,
  openFakeOpenRouter,
  openFakePixverse,
  openFakeRecraft,
  openFakeReplicate,
  openFakeRunway,
  openFakeSdServer,
  openFakeVertex,
  openFakeVidu,
  openFakeXai,
  REPLICATE_INPUTS,
  STRANGE_KEY,
  vertexKeyFile,
} from '@darkroom-service/engines/fakes';
import { inProcessPictures } from '@darkroom-service/engines/fakes/parts';
import { createTrustedFetch, type TrustedFetch } from '@darkroom-service/media';
import { createLog } from '../../../src/base/log.ts';
import { loadShippedCatalog } from '../../../src/catalog/fixtures/sample-catalog.ts';
import { ENGINE_SWITCHES } from '../../../src/service/config/engine-variables.ts';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { planTrial, type TrialStep } from '../src/trial/plan-trial.ts';
import { createRecorder, type Recorder } from '../src/trial/recorded-fetch.ts';

/** All engines with upstreams, for trials of their routes. */
export interface TrialBench extends AsyncDisposable {
  readonly engines: ReadonlyMap<string, Engine>;
  readonly recorder: Recorder;
  readonly steps: readonly TrialStep[];
}

const KEY = 'id:secret-0815';
const OWN_SERVERS: Readonly<Record<string, string>> = {
  DARKROOM_COMFYUI_URL: 'http://127.0.0.1:8188',
  DARKROOM_SD_SERVER_URL: 'http://127.0.0.1:1234',
};

/** Engines whose calls are recorded and not made; their keys are placeholders. */
export async function openDryBench(): Promise<TrialBench> {
  const switches = Object.values(ENGINE_SWITCHES).map((variable) => [variable, OWN_SERVERS[variable] ?? KEY]);
  return await benchOver(null, {
    ...Object.fromEntries(switches),
    DARKROOM_AZURE_OPENAI_URL: 'https://my-resource.openai.azure.com',
    DARKROOM_AZURE_OPENAI_DEPLOYMENTS: deploymentsOfAll(),
    DARKROOM_VERTEX_CREDENTIALS: keyFile('https://oauth2.googleapis.com/token', STRANGE_KEY),
  });
}

/** fal has not published the inputs of these, so the fake does not know them. */
export const UNKNOWN_TO_FAKES: readonly (string | null)[] = ['fal-ai/fast-sdxl'];

/** Engines at the fakes of their upstreams. */
export async function openFakeBench(): Promise<TrialBench> {
  const open = {
    fal: await openFakeFal(falInputs()),
    replicate: await openFakeReplicate(REPLICATE_INPUTS),
    openai: await openFakeOpenAi(),
    kling: await openFakeKling(),
    byteplus: await openFakeArk(),
    google: await openFakeGoogle(),
    xai: await openFakeXai(),
    comfyRouter: await openFakeComfyRouter(),
    comfyui: await openFakeComfy(),
    bfl: await openFakeBfl(),
    dashscope: await openFakeDashscope(),
    heygen: await openFakeHeygen(),
    ideogram: await openFakeIdeogram(),
    ltx: await openFakeLtx(),
    luma: await openFakeLuma(),
    minimax: await openFakeMinimax(),
    pixverse: await openFakePixverse(),
    higgsfield: await openFakeHiggsfield(),
    recraft: await openFakeRecraft(),
    openrouter: await openFakeOpenRouter(),
    runway: await openFakeRunway(),
    vidu: await openFakeVidu(),
    azureOpenai: await openFakeAzureOpenAi(),
    vertex: await openFakeVertex(),
    sdServer: await openFakeSdServer(),
  };
  const { fetch, close } = createTrustedFetch({ allowedAddresses: ['127.0.0.0/8', '::1/128'] });
  const bench = await benchOver(fetch, {
    FAL_KEY: open.fal.key,
    DARKROOM_FAL_URL: open.fal.url,
    REPLICATE_API_TOKEN: open.replicate.key,
    DARKROOM_REPLICATE_URL: open.replicate.url,
    OPENAI_API_KEY: open.openai.key,
    DARKROOM_OPENAI_URL: open.openai.url,
    KLING_API_KEY: open.kling.key,
    DARKROOM_KLING_URL: open.kling.url,
    ARK_API_KEY: open.byteplus.key,
    DARKROOM_BYTEPLUS_URL: open.byteplus.url,
    GEMINI_API_KEY: open.google.key,
    DARKROOM_GOOGLE_URL: open.google.url,
    XAI_API_KEY: open.xai.key,
    DARKROOM_XAI_URL: open.xai.url,
    COMFY_API_KEY: open.comfyRouter.key,
    DARKROOM_COMFY_ROUTER_URL: open.comfyRouter.url,
    BFL_API_KEY: open.bfl.key,
    DARKROOM_BFL_URL: open.bfl.url,
    DASHSCOPE_API_KEY: open.dashscope.key,
    DARKROOM_DASHSCOPE_URL: open.dashscope.url,
    HEYGEN_API_KEY: open.heygen.key,
    DARKROOM_HEYGEN_URL: open.heygen.url,
    IDEOGRAM_API_KEY: open.ideogram.key,
    DARKROOM_IDEOGRAM_URL: open.ideogram.url,
    LTXV_API_KEY: open.ltx.key,
    DARKROOM_LTX_URL: open.ltx.url,
    LUMA_AGENTS_API_KEY: open.luma.key,
    DARKROOM_LUMA_URL: open.luma.url,
    MINIMAX_API_KEY: open.minimax.key,
    DARKROOM_MINIMAX_URL: open.minimax.url,
    PIXVERSE_API_KEY: open.pixverse.key,
    DARKROOM_PIXVERSE_URL: open.pixverse.url,
    HF_CREDENTIALS: open.higgsfield.key,
    DARKROOM_HIGGSFIELD_URL: open.higgsfield.url,
    RECRAFT_API_TOKEN: open.recraft.key,
    DARKROOM_RECRAFT_URL: open.recraft.url,
    OPENROUTER_API_KEY: open.openrouter.key,
    DARKROOM_OPENROUTER_URL: open.openrouter.url,
    RUNWAYML_API_SECRET: open.runway.key,
    DARKROOM_RUNWAY_URL: open.runway.url,
    VIDU_API_KEY: open.vidu.key,
    DARKROOM_VIDU_URL: open.vidu.url,
    AZURE_OPENAI_API_KEY: open.azureOpenai.key,
    DARKROOM_AZURE_OPENAI_URL: open.azureOpenai.url,
    DARKROOM_AZURE_OPENAI_DEPLOYMENTS: deploymentsOfAll(),
    DARKROOM_VERTEX_CREDENTIALS: vertexKeyFile(open.vertex),
    DARKROOM_VERTEX_URL: open.vertex.url,
    DARKROOM_COMFYUI_URL: open.comfyui.url,
    DARKROOM_COMFYUI_AUTHORIZATION: `Bearer ${open.comfyui.key}`,
    DARKROOM_SD_SERVER_URL: open.sdServer.url,
    DARKROOM_SD_SERVER_AUTHORIZATION: `Bearer ${open.sdServer.key}`,
  });
  return {
    ...bench,
    async [Symbol.asyncDispose]() {
      await bench[Symbol.asyncDispose]();
      await close();
      for (const fake of Object.values(open)) await fake.stop();
    },
  };
}

function deploymentsOfAll(): string {
  return Object.entries(AZURE_DEPLOYMENTS)
    .map((pair) => pair.join('='))
    .join(',');
}

async function benchOver(fetch: TrustedFetch | null, variables: Readonly<Record<string, string>>): Promise<TrialBench> {
  const recorder = createRecorder(fetch);
  const tools = { clock: systemClock, log: createLog('silent'), fetch: recorder.fetch, pictures: inProcessPictures };
  const opened = openUpstreams(loadConfig(variables).upstreams, tools, {});
  const engines = new Map(opened.map(({ engine }) => [engine.name, engine]));
  const { models } = await loadShippedCatalog();
  return {
    engines,
    recorder,
    steps: planTrial(models, engines),
    async [Symbol.asyncDispose]() {
      for (const engine of engines.values()) await engine.close?.();
    },
  };
}
