import { type Engine, EngineError } from '../engine.ts';
import { createImagesEngine, MAX_ANSWER_BYTES, TIMEOUT_MS } from '../openai/images-engine.ts';
import { explainOpenAiError } from '../openai/openai-errors.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { createUpstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';

/** The configuration of an Azure OpenAI resource. */
export interface AzureOpenAiAccess {
  readonly key: string;
  /** The resource, such as `https://name.openai.azure.com`. */
  readonly url: string;
  readonly apiVersion: string;
  /** The deployment of each model, by the model's name at its vendor. */
  readonly deployments: Readonly<Record<string, string>>;
}

/** Microsoft's own models, which have a path and a version of their own (litellm 1.110.2, its adapter for MAI). */
const OWN = { models: /^MAI-/, path: '/mai/v1', version: 'preview' };

/**
 * Creates the engine for the images of an Azure resource, OpenAI's and Microsoft's: the calls go to deployments, whose
 * names the operator has chosen. It serves only models with a deployment.
 */
export function createAzureOpenAiEngine(settings: Omit<VendorSettings, 'url'> & AzureOpenAiAccess): Engine {
  const { key, fetch, pictures, apiVersion, deployments } = settings;
  const upstream = createUpstream({
    name: 'Azure OpenAI',
    baseUrl: settings.url.replace(/\/+$/, ''),
    headers: { 'api-key': key },
    secrets: [key],
    fetch,
    explain: explainOpenAiError,
    timeoutMs: settings.callTimeoutMs ?? TIMEOUT_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });
  const version = `api-version=${encodeURIComponent(apiVersion)}`;
  const engine = createImagesEngine({
    name: 'azure-openai',
    secrets: [key],
    upstream,
    pictures,
    callFor(path, model) {
      const deployment = deployments[model];
      if (deployment === undefined) {
        const message = `Azure OpenAI has no deployment for ${model}; name one in DARKROOM_AZURE_OPENAI_DEPLOYMENTS`;
        throw new EngineError('auth', message, { took: 'no', scope: 'route' });
      }
      if (OWN.models.test(model)) return { url: `${OWN.path}${path}?api-version=${OWN.version}`, model: deployment };
      return { url: `/openai/deployments/${encodeURIComponent(deployment)}${path}?${version}`, model: deployment };
    },
    probe: createFreeProbe(upstream, `/openai/models?${version}`, { has: ['data'] }),
  });
  return { ...engine, serves: (model) => deployments[model] !== undefined };
}
