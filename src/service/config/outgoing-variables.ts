import { isAddressRange, type OutgoingProxies, readProxy } from '@darkroom-service/media';
import { Type } from 'typebox';
import { VERSION } from '../../base/process.ts';
import { flag, list, text, texts, type ValuesOf } from './variable-types.ts';

/** Variables for the access to other hosts. */
export const OUTGOING_VARIABLES = {
  DARKROOM_ALLOWED_ADDRESSES: texts(
    {
      expected: 'addresses or address ranges such as 10.1.0.0/16, separated by commas',
      description: 'Private address ranges that references, results and webhooks may reach.',
      default: '',
    },
    (ranges) => ranges.every(isAddressRange),
  ),
  HTTPS_PROXY: proxy('The [outgoing proxy](#outgoing-proxies) for https URLs, with user and password if needed.'),
  HTTP_PROXY: proxy('The same for http URLs.'),
  NO_PROXY: list(/^[^\s/@]+(?:\/\d{1,3})?$/, {
    expected: 'hosts such as localhost,10.0.0.0/8,.example.com, separated by commas',
    description: 'Hosts that are reached without a proxy: names with their subdomains, addresses, ranges, or `*`.',
    default: '',
  }),
  DARKROOM_PROXY_RESOLVES: flag(
    'The outgoing proxy resolves the names of references, results and webhooks, and [only its own rules](security.md#boundaries) keep them from private addresses. For machines without DNS.',
    false,
  ),
} as const;

/** Variables that are also read in small letters, which then take precedence, as in other programs. */
export const SMALL_NAMES: Readonly<Record<string, string>> = {
  HTTPS_PROXY: 'https_proxy',
  HTTP_PROXY: 'http_proxy',
  NO_PROXY: 'no_proxy',
};

/** Returns the settings of every outgoing request, as `createTrustedFetch` expects them. */
export function outgoingOf(values: ValuesOf<typeof OUTGOING_VARIABLES>, publicUrl: string | undefined) {
  const name = `Darkroom/${VERSION}`;
  const proxies: OutgoingProxies = {
    https: values.HTTPS_PROXY ?? null,
    http: values.HTTP_PROXY ?? null,
    except: values.NO_PROXY,
    resolves: values.DARKROOM_PROXY_RESOLVES,
  };
  return {
    allowedAddresses: values.DARKROOM_ALLOWED_ADDRESSES,
    proxies,
    /** User agent: some hosts refuse clients that do not name a version and an address. */
    userAgent: publicUrl === undefined ? name : `${name} (+${new URL(publicUrl).href})`,
  };
}

function proxy(description: string) {
  const expected = 'a URL such as http://proxy.example.com:3128';
  return Type.Optional(text({ expected, secret: true, description }, (value) => readProxy(value) !== null));
}
