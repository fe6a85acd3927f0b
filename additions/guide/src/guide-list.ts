import type { GuidePage } from '@darkroom-service/darkroom/kernel-http';

/** Pages of the guide. The first is at `/docs`, the others below it. */
const PAGES: readonly GuidePage[] = [
  { name: 'api', title: 'Guide' },
  { name: 'client-typescript', title: 'TypeScript client' },
  { name: 'client-python', title: 'Python client' },
  { name: 'webhooks', title: 'Webhooks' },
  { name: 'cli', title: 'Command line' },
  { name: 'frameworks', title: 'Frameworks' },
  { name: 'apps', title: 'Apps' },
  { name: 'coming-from', title: 'Coming from …' },
  { name: 'production', title: 'Production' },
  { name: 'operating', title: 'Operating' },
  { name: 'runbook', title: 'Runbook' },
  { name: 'high-availability', title: 'High availability' },
  { name: 'scaling', title: 'Scaling' },
  { name: 'configuration', title: 'Configuration' },
  { name: 'catalog', title: 'Catalog' },
];

/** Pages that only programs read as pages of their own: the guide has the errors on its first page. */
export const MORE_PAGES: readonly GuidePage[] = [
  { name: 'errors', title: 'Errors' },
  { name: 'SKILL', title: 'Skill for agents' },
];

/** New addresses of the content of earlier pages, relative to `/docs/`. */
export const MOVED_PAGES: Readonly<Record<string, string>> = {
  errors: '../docs#errors',
  models: 'catalog#included-models',
  'coming-from-openai': 'coming-from#from-openai',
  'coming-from-fal': 'coming-from#from-fal',
  'coming-from-replicate': 'coming-from#from-replicate',
  'coming-from-litellm': 'coming-from#from-litellm',
  packaging: 'operating#install-the-package',
};

/** Returns all pages in their order: those of additions after the page that they name. */
export function pagesWith(added: readonly (GuidePage & { readonly behind: string })[]): readonly GuidePage[] {
  return PAGES.flatMap((page) => [page, ...added.filter(({ behind }) => behind === page.name)]);
}
