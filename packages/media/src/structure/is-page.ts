/** Beginnings of pages from proxies and storages, and of errors in JSON. No picture, film or sound begins so. */
const PAGE = /^(?:\u00ef\u00bb\u00bf)?\s*(?:<!doctype|<!--|<html|<head|<body|<script|<\?xml|<error|[{[])/i;

/** Tells whether the first bytes of a file belong to a page or to JSON that was sent instead. */
export function isPage(head: Uint8Array): boolean {
  const text = Buffer.from(head).toString('latin1');
  return PAGE.test(text) && !/<svg/i.test(text);
}
