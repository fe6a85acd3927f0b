/** How pages of proxies and of storages begin, and errors in JSON. No picture, film or sound begins so. */
const PAGE = /^(?:\u00ef\u00bb\u00bf)?\s*(?:<!doctype|<!--|<html|<head|<body|<script|<\?xml|<error|[{[])/i;

/** Tells whether the first bytes of a file are of a page or of JSON that came in its place. */
export function isPage(head: Uint8Array): boolean {
  const text = Buffer.from(head).toString('latin1');
  return PAGE.test(text) && !/<svg/i.test(text);
}
