/** The address of the service that this page came from, with a slash at the end. */
export const SERVICE_URL = new URL('.', document.baseURI).href;

/** Without a slash at the end, as examples show it. */
export const BASE_URL = SERVICE_URL.replace(/\/$/, '');

/**
 * The service names itself by its public address, while this page may have been reached at another (localhost for 127.0.0.1):
 * the same address, at the service that this page came from.
 */
export function nearUrl(url: string): string {
  const place = /\/(?:v1|admin\/v1|files)\/.*$/.exec(url)?.[0];
  return place === undefined ? url : `${BASE_URL}${place}`;
}

/** The address that saves a file under its name. */
export function downloadUrl(url: string): string {
  return `${nearUrl(url)}${url.includes('?') ? '&' : '?'}download=1`;
}
