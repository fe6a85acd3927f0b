/** The URL of the service that served this page, with a trailing slash. */
export const SERVICE_URL = new URL('.', document.baseURI).href;

/** The service's URL without the trailing slash, for examples. */
export const BASE_URL = SERVICE_URL.replace(/\/$/, '');

/**
 * Replaces the public origin in a URL of the service by the one that served this page, which may differ (localhost for
 * 127.0.0.1).
 */
export function nearUrl(url: string): string {
  const place = /\/(?:v1|admin\/v1|files)\/.*$/.exec(url)?.[0];
  return place === undefined ? url : `${BASE_URL}${place}`;
}

/** Returns the URL that downloads a file under its name. */
export function downloadUrl(url: string): string {
  return `${nearUrl(url)}${url.includes('?') ? '&' : '?'}download=1`;
}
