import { OpenBody } from '@darkroom-service/addition-openai/routes/image-request';
import type { JsonObject } from '@darkroom-service/contract';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { chooseModel, chosenModel, imageModels } from './chosen-model.ts';
import { namedModel } from './read-call.ts';

/** Lists whose choice the models of this service make themselves. */
const FIXED: Readonly<Record<string, object>> = {
  '/sd-vae': [],
  '/sd-modules': [],
  '/samplers': [{ name: 'Automatic', aliases: [], options: {} }],
  '/schedulers': [{ name: 'automatic', label: 'Automatic', aliases: null, default_rho: -1, need_inner_model: false }],
  '/upscalers': [{ name: 'None', model_name: null, model_path: null, model_url: null, scale: 1 }],
  '/latent-upscale-modes': [],
  '/scripts': { txt2img: [], img2img: [] },
};

/** Serves what apps read before they order: the models, the chosen one, and lists without a choice. */
export function listRoutes(mount: App, kernel: ServingKernel): void {
  const { http } = kernel;
  const reading = { onRequest: http.limit('reads'), schema: { hide: true } };
  for (const [path, content] of Object.entries(FIXED)) mount.get(path, reading, async () => content);

  mount.get('/sd-models', reading, async (request) =>
    (await imageModels(kernel, http.caller(request))).map((id) => ({
      title: id,
      model_name: id,
      hash: null,
      sha256: null,
      filename: id,
      config: null,
    })),
  );
  mount.get('/options', reading, async (request) => ({
    sd_model_checkpoint: await chosenModel(kernel, http.caller(request)),
    sd_checkpoint_hash: '',
    sd_vae: 'Automatic',
    samples_format: 'png',
  }));
  mount.post('/options', { ...reading, schema: { hide: true, body: OpenBody } }, async (request) => {
    const model = namedModel({ override_settings: (request.body ?? {}) as JsonObject });
    if (model !== null) await chooseModel(kernel, http.caller(request), model);
    return null;
  });
}
