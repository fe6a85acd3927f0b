/** The pages of `docs/` that a running service shows: the first one at `/docs`, the others below it. */
export const PAGES = [
  { name: 'api', title: 'Guide' },
  { name: 'webhooks', title: 'Webhooks' },
  { name: 'openai', title: 'OpenAI clients' },
  { name: 'catalog', title: 'Catalog' },
  { name: 'models', title: 'Models' },
  { name: 'mcp', title: 'Agents (MCP)' },
  { name: 'cli', title: 'Command line' },
  { name: 'configuration', title: 'Configuration' },
  { name: 'operating', title: 'Operating' },
] as const;

export type GuidePage = (typeof PAGES)[number]['name'];
