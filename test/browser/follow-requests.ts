import type { Page, Request } from 'playwright-core';

/** The requests of a page from now on. */
export interface FollowedRequests {
  /** The paths, in their order. A test may empty it. */
  readonly asked: string[];
  readonly unanswered: ReadonlySet<Request>;
}

export function followRequests(page: Page): FollowedRequests {
  const asked: string[] = [];
  const unanswered = new Set<Request>();
  page.on('request', (request) => {
    asked.push(new URL(request.url()).pathname);
    unanswered.add(request);
  });
  page.on('requestfinished', (request) => unanswered.delete(request));
  page.on('requestfailed', (request) => unanswered.delete(request));
  return { asked, unanswered };
}
