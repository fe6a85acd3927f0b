import { Type } from 'typebox';
import { engineKey, text, texts, type ValuesOf, type VariableFault, webAddress } from './variable-types.ts';

const EXAMPLE_URL = 'https://my-resource.openai.azure.com';
const PAIRS = 'pairs such as gpt-image-2=my-deployment, separated by commas';

/** The settings of the engine `azure-openai`: a resource, and the deployments in it. */
export const AZURE_OPENAI_VARIABLES = {
  AZURE_OPENAI_API_KEY: engineKey('azure-openai', 'a key of an Azure OpenAI resource'),
  DARKROOM_AZURE_OPENAI_URL: webAddress(
    EXAMPLE_URL,
    'The resource of the engine `azure-openai`. Required with `AZURE_OPENAI_API_KEY`.',
  ),
  DARKROOM_AZURE_OPENAI_DEPLOYMENTS: Type.Optional(
    texts(
      {
        expected: PAIRS,
        description:
          'The deployment of each model; a model without one has no route there. Required with `AZURE_OPENAI_API_KEY`.',
      },
      (pairs) => pairs.length > 0 && pairs.every((pair) => /^[\w.-]+=[\w.-]+$/.test(pair)),
    ),
  ),
  DARKROOM_AZURE_OPENAI_API_VERSION: text(
    {
      expected: 'a version such as 2025-04-01-preview',
      default: '2025-04-01-preview',
      description: 'The `api-version` that the engine `azure-openai` sends.',
    },
    (version) => /^[\w.-]+$/.test(version),
  ),
} as const;

type Values = Partial<ValuesOf<typeof AZURE_OPENAI_VARIABLES>>;

/** The configuration of an Azure OpenAI resource. */
export interface AzureOpenaiConfig {
  readonly key: string;
  readonly url: string;
  readonly apiVersion: string;
  /** Deployments by the model's name at OpenAI. */
  readonly deployments: Readonly<Record<string, string>>;
  readonly variable: string;
}

/** Returns null without a key; `faultsOfAzureOpenai` demands the other settings. */
export function azureOpenaiOf(values: Values): AzureOpenaiConfig | null {
  const {
    AZURE_OPENAI_API_KEY: key,
    DARKROOM_AZURE_OPENAI_URL: url,
    DARKROOM_AZURE_OPENAI_DEPLOYMENTS: pairs,
  } = values;
  const { DARKROOM_AZURE_OPENAI_API_VERSION: apiVersion } = values;
  if (key === undefined || url === undefined || pairs === undefined || apiVersion === undefined) return null;
  const deployments = Object.fromEntries(pairs.map((pair) => pair.split('=')));
  return { key, url, apiVersion, deployments, variable: 'AZURE_OPENAI_API_KEY' };
}

/** Reports settings that are missing beside the key. */
export function faultsOfAzureOpenai(values: Values): VariableFault[] {
  if (values.AZURE_OPENAI_API_KEY === undefined) return [];
  const needed = {
    DARKROOM_AZURE_OPENAI_URL: `a URL such as ${EXAMPLE_URL}`,
    DARKROOM_AZURE_OPENAI_DEPLOYMENTS: PAIRS,
  } as const;
  return Object.entries(needed)
    .filter(([variable]) => values[variable as keyof typeof needed] === undefined)
    .map(([variable, expected]) => ({
      variable,
      message: `expected ${expected}, because AZURE_OPENAI_API_KEY is set; found none`,
    }));
}
