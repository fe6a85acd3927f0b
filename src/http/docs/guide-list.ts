/** The pages of `docs/` that a running service shows: the first one at `/docs`, the others below it. */
export const PAGES = [
  { name: 'api', title: 'Guide' },
  { name: 'client-typescript', title: 'TypeScript client' },
  { name: 'client-python', title: 'Python client' },
  { name: 'webhooks', title: 'Webhooks' },
  { name: 'mcp', title: 'Agents (MCP)' },
  { name: 'cli', title: 'Command line' },
  { name: 'openai', title: 'OpenAI clients' },
  { name: 'coming-from', title: 'Coming from …' },
  { name: 'operating', title: 'Operating' },
  { name: 'configuration', title: 'Configuration' },
  { name: 'catalog', title: 'Catalog' },
] as const;

/** Where the content of earlier pages is now, relative to `/docs/`. */
export const MOVED_PAGES = {
  errors: '../docs#errors',
  models: 'catalog#included-models',
  recipes: 'openai#applications',
  'coming-from-openai': 'coming-from#from-openai',
  'coming-from-fal': 'coming-from#from-fal',
  'coming-from-replicate': 'coming-from#from-replicate',
  'coming-from-litellm': 'coming-from#from-litellm',
  packaging: 'operating#install-the-package',
} as const;

export type GuidePage = (typeof PAGES)[number]['name'];
