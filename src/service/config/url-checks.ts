import { parseS3Url } from '@darkroom-service/files';

/** Rejects user and password: the URL is used in public links, or called by code that sends no credentials. */
export function isWebAddress(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
}

/** Whether storage can be opened at this URL. */
export function isS3Url(value: string): boolean {
  try {
    parseS3Url(value);
    return true;
  } catch {
    return false;
  }
}
