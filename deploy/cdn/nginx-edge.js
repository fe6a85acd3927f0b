// Verifies signed file URLs in nginx, with njs 0.7.9 or later. Used by nginx.conf.

import crypto from 'crypto';

/** Returns "" for a URL that the service signed and that is valid, else "1". */
function unverified(r) {
  return isVerified(r.variables.request_uri, r.variables.edge_keys) ? '' : '1';
}

function isVerified(address, edgeKeys) {
  // Only `download` and `variant` may change the answer, and they are part of the cache key.
  const parts =
    /^\/files\/([\w./-]+)\?(?=(?:(?:expires|signature|download|variant)=[\w-]*(?:&|$))+$)(.+)$/.exec(address);
  if (parts === null) return false;
  const fields = parts[2].split('&').map((part) => part.split('='));
  const query = {};
  fields.forEach((field) => {
    query[field[0]] = field[1];
  });
  if (Object.keys(query).length < fields.length) return false;
  const expires = query.expires || '';
  if (!/^\d{1,15}$/.test(expires) || Number(expires) < Date.now()) return false;
  const sign = (key) => crypto.createHmac('sha256', key).update(`${parts[1]}\n${expires}`).digest('base64url');
  return edgeKeys
    .trim()
    .split(/\s+/)
    .some((key) => isSame(sign(key), query.signature || ''));
}

/** Takes as long whatever differs. */
function isSame(expected, found) {
  if (expected.length !== found.length) return false;
  let differences = 0;
  for (let index = 0; index < expected.length; index++)
    differences |= expected.charCodeAt(index) ^ found.charCodeAt(index);
  return differences === 0;
}

export default { unverified };
