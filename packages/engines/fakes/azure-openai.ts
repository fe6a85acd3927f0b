import type { FakeUpstream, InputShape } from './fake-upstream.ts';
import { listedModels } from './listed-models.ts';
import { type ImagesDialect, openFakeImages, TROUBLES } from './openai.ts';

const fault = (code: string, message: string, inner: object = {}) => ({ error: { code, message, ...inner } });

/** A deployment of each model with a route, under another name than the model's. */
export const AZURE_DEPLOYMENTS: Readonly<Record<string, string>> = Object.fromEntries(
  listedModels('azure-openai').map((model) => [model, `ours-${model}`]),
);

const NO_DEPLOYMENT = fault(
  'DeploymentNotFound',
  'The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.',
);

/** Errors as Azure words them; all others are OpenAI's. */
const BUSY = fault('RateLimitReached', 'Your requests have exceeded the call rate limit of your pricing tier.');
const AT = 'Thu, 01 Jan 2026 00:00:0';
/** Microsoft's own models, as litellm 1.110.2 sends them: sides from 768 pixels, and 1,056,768 together. */
const MAI: InputShape = {
  model: { type: 'string', enum: ['ours-MAI-Image-2.6', 'ours-MAI-Image-2.6-Flash'], required: true },
  prompt: { type: 'string', required: true },
  width: { type: 'integer', minimum: 768, maximum: 1376 },
  height: { type: 'integer', minimum: 768, maximum: 1376 },
};
const DIALECT: ImagesDialect = {
  key: 'azure-fake-0123456789',
  base: '',
  header: 'api-key',
  credentials: (key) => key,
  wrongKey: () => [401, fault('401', 'Access denied due to invalid subscription key or wrong API endpoint.')],
  troubles: {
    ...TROUBLES,
    busy: { counted: false, answer: [429, BUSY] },
    busyfor: { counted: false, answer: [429, BUSY, { 'retry-after': '1' }] },
    busyuntil: { counted: false, answer: [429, BUSY, { date: `${AT}0 GMT`, 'retry-after': `${AT}1 GMT` }] },
    content: {
      counted: false,
      answer: [
        400,
        fault('contentFilter', 'Your task failed as a result of our safety system.', {
          inner_error: { code: 'ResponsibleAIPolicyViolation' },
        }),
      ],
    },
    policy: {
      counted: false,
      answer: [400, fault('content_policy_violation', 'Your request was rejected by our safety system.')],
    },
    /** The whole resource, whatever the order says. */
    blocked: {
      counted: false,
      answer: [
        403,
        fault(
          'Forbidden',
          'Your resource has been temporarily blocked because we detected behavior that may violate our content policy.',
        ),
      ],
    },
    words: {
      counted: false,
      answer: [400, fault('OperationNotSupported', 'The operation does not work with the specified model.')],
    },
  },
  callOf({ path, query }) {
    if (path === '/mai/v1/images/generations' && query.get('api-version') === 'preview')
      return { path: '/images/generations', takes: MAI };
    if (!/^\d{4}-\d\d-\d\d(-preview)?$/.test(query.get('api-version') ?? '')) return { path: 'no version' };
    const [, deployment, own] = /^\/openai\/deployments\/([^/]+)(\/.*)$/.exec(path) ?? [];
    if (own === undefined) return { path: path.replace(/^\/openai/, '') };
    const [model = 'nobody'] = Object.entries(AZURE_DEPLOYMENTS).find(([, name]) => name === deployment) ?? [];
    return { path: own, model };
  },
  noModel: () => NO_DEPLOYMENT,
};

/** Opens a fake of an Azure OpenAI resource, where calls go to deployments. */
export async function openFakeAzureOpenAi(): Promise<FakeUpstream> {
  return await openFakeImages(DIALECT);
}
