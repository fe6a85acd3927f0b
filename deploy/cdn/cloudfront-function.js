// Verifies signed file URLs at CloudFront: a function of the event "viewer request", for the runtime cloudfront-js-2.0.
// Its key value store has "edge_keys": what `darkroom secrets edge` prints.

import cf from 'cloudfront';
import crypto from 'crypto';

const SERVICE = 'https://pictures.example.com';

const store = cf.kvs();

async function handler(event) {
  const request = event.request;
  if (await isVerified(request.uri, request.querystring)) return request;
  // The service decides: it knows newer and older keys, and says what is wrong. Nothing of that is kept.
  return {
    statusCode: 302,
    statusDescription: 'Found',
    headers: {
      location: { value: SERVICE + request.uri + queryOf(request.querystring) },
      'cache-control': { value: 'no-store' },
    },
  };
}

async function isVerified(uri, query) {
  const path = /^\/files\/([\w./-]+)$/.exec(uri);
  if (path === null || !query.expires || !query.signature) return false;
  // `download` and `variant` may change the answer, and are part of the cache key.
  const known = ['expires', 'signature', 'download', 'variant'];
  if (!Object.keys(query).every((name) => known.includes(name) && !query[name].multiValue)) return false;
  const expires = query.expires.value;
  if (!/^\d{1,15}$/.test(expires) || Number(expires) < Date.now()) return false;
  let keys;
  try {
    keys = (await store.get('edge_keys')).trim().split(/\s+/);
  } catch (_) {
    return false;
  }
  const sign = (key) => crypto.createHmac('sha256', key).update(`${path[1]}\n${expires}`).digest('base64url');
  return keys.some((key) => isSame(sign(key), query.signature.value));
}

/** Takes as long whatever differs. */
function isSame(expected, found) {
  if (expected.length !== found.length) return false;
  let differences = 0;
  for (let index = 0; index < expected.length; index++)
    differences |= expected.charCodeAt(index) ^ found.charCodeAt(index);
  return differences === 0;
}

function queryOf(query) {
  const parts = [];
  Object.keys(query).forEach((name) => {
    const values = query[name].multiValue || [query[name]];
    values.forEach((each) => {
      parts.push(`${name}=${each.value}`);
    });
  });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
