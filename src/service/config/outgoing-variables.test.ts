import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from '../../../test/helpers/config-faults.ts';
import { loadConfig } from '../../../test/helpers/load-config.ts';

test('outgoing proxies are read in both cases of their names, and a malformed one is named without its password', () => {
  const { proxies } = loadConfig({
    HTTPS_PROXY: 'http://large.example:1',
    https_proxy: 'http://ann:s3cret@small.example:2',
    HTTP_PROXY: 'proxy.example.com:3128',
    http_proxy: '',
    no_proxy: 'localhost, 10.0.0.0/8,.example.com,[::1]:80,*',
  }).outgoing;
  assert.deepEqual(proxies, {
    https: 'http://ann:s3cret@small.example:2',
    http: 'proxy.example.com:3128',
    except: ['localhost', '10.0.0.0/8', '.example.com', '[::1]:80', '*'],
    resolves: false,
  });
  const faults = faultsOf({
    https_proxy: 'socks5://ann:s3cret@proxy.example.com:1080',
    HTTP_PROXY: 'http://proxy.example.com:99999',
    NO_PROXY: 'http://example.com',
  });
  assert.deepEqual(Object.keys(faults).sort(), ['HTTP_PROXY', 'NO_PROXY', 'https_proxy']);
  assert.match(faults.https_proxy ?? '', /expected a URL such as http:\/\/proxy\.example\.com:3128/);
  assert.doesNotMatch(JSON.stringify(faults), /s3cret/);
});
