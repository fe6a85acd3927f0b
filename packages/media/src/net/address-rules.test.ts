import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { canonicalAddress, isAddressRange, judgeAddress, judgeUrl, networkOf } from './address-rules.ts';

/** Prefix as a number of 32 bits, and its length. */
const CLOSED_RANGES: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

const closedAddress = fc
  .tuple(fc.constantFrom(...CLOSED_RANGES), fc.integer({ min: 0, max: 0xffffffff }))
  .map(([[network, prefix], chance]) => (toNumber(network) + (chance % 2 ** (32 - prefix))) >>> 0);

/** The ways a number may be written in a host: decimal, octal, hexadecimal. */
const WRITINGS = [
  (value: number) => value.toString(),
  (value: number) => `0${value.toString(8)}`,
  (value: number) => `0x${value.toString(16)}`,
  (value: number) => `0X${value.toString(16).toUpperCase()}`,
];
const writing = fc.constantFrom(...WRITINGS);

/** One to four parts, of which the last takes all that is left: 127.1, 0x7f.0.0.1, 2130706433. */
const writtenHost = fc
  .tuple(
    closedAddress,
    fc.integer({ min: 1, max: 4 }),
    fc.tuple(writing, writing, writing, writing),
    fc.constantFrom('', '.'),
  )
  .map(([address, parts, writings, dot]) => {
    const values = [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255].slice(0, parts - 1);
    values.push(address % 2 ** (8 * (5 - parts)));
    return { host: values.map((value, index) => writings[index]?.(value)).join('.') + dot, address: dotted(address) };
  });

describe('the rules for addresses', () => {
  it('refuse an IPv4 address of a closed range in whatever form a URL writes it', () => {
    fc.assert(
      fc.property(writtenHost, ({ host, address }) => {
        const url = `http://${host}/fox.png`;
        assert.equal(URL.parse(url)?.hostname, address);
        assert.equal(judgeUrl(url, []).ok, false);
      }),
      { numRuns: 500 },
    );
  });

  it('refuse an IPv4 address of a closed range inside any IPv6 form that carries one', () => {
    const forms = ['::ffff:#', '::#', '64:ff9b::#', '::ffff:0:#', '64:ff9b:1::#'];
    fc.assert(
      fc.property(closedAddress, fc.constantFrom(...forms), (address, form) => {
        const text = form.replace('#', dotted(address));
        assert.notEqual(judgeAddress(text, []), 'allowed');
        assert.equal(judgeUrl(`http://[${text}]/`, []).ok, false);
      }),
    );
  });

  it('refuse all 6to4 and Teredo addresses', () => {
    assert.equal(judgeAddress('2002:808:808::1', []), 'reserved');
    assert.equal(judgeAddress('2001:0:808:808::1', []), 'reserved');
  });

  it('name what is wrong with an address', () => {
    const verdicts = {
      '127.0.0.1': 'loopback',
      '::1': 'loopback',
      '10.1.2.3': 'private',
      'fd12::1': 'private',
      '169.254.1.1': 'link_local',
      'fe80::1': 'link_local',
      'fe80::1%eth0': 'link_local',
      '169.254.169.254': 'metadata',
      '168.63.129.16': 'metadata',
      '::ffff:169.254.169.254': 'metadata',
      'fd00:ec2::254': 'metadata',
      '100.64.0.1': 'shared',
      '224.0.0.1': 'multicast',
      'ff02::1': 'multicast',
      '255.255.255.255': 'reserved',
      '::': 'reserved',
      '2001:db8::1': 'reserved',
      'fec0::1': 'reserved',
      '127.1': 'not_an_address',
      'example.com': 'not_an_address',
    };
    for (const [address, verdict] of Object.entries(verdicts))
      assert.equal(judgeAddress(address, []), verdict, address);
  });

  it('let public addresses through', () => {
    const addresses = [
      '8.8.8.8',
      '172.32.0.1',
      '192.169.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '::ffff:8.8.8.8',
      '64:ff9b::808:808',
    ];
    for (const address of addresses) assert.equal(judgeAddress(address, []), 'allowed', address);
  });

  it('let an operator open ranges, also for the IPv6 forms of an IPv4 address', () => {
    const allowed = ['10.1.0.0/16', '::1', '169.254.169.254/32'];
    for (const address of ['10.1.255.255', '::1', '::ffff:10.1.0.1', '64:ff9b::10.1.0.1', '169.254.169.254']) {
      assert.equal(judgeAddress(address, allowed), 'allowed', address);
    }
    for (const address of ['10.2.0.1', '127.0.0.1', 'fd00::1'])
      assert.notEqual(judgeAddress(address, allowed), 'allowed', address);
  });

  it('tell a range from other texts', () => {
    for (const range of ['10.0.0.0/8', '10.0.0.1', '::1', 'fd00::/8', '0.0.0.0/0'])
      assert.equal(isAddressRange(range), true, range);
    for (const text of [
      '',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10/8',
      'fd00::/129',
      'localhost',
      '10.0.0.0/8/8',
      '10.0.0.0/-1',
    ]) {
      assert.equal(isAddressRange(text), false, text);
    }
    assert.throws(() => judgeAddress('8.8.8.8', ['10/8']), RangeError);
  });
});

describe('the judging of a URL', () => {
  it('takes a web address and leaves the fragment off', () => {
    const verdict = judgeUrl('https://example.com:8443/fox.png?size=1#top', []);
    assert.ok(verdict.ok);
    assert.equal(verdict.url.href, 'https://example.com:8443/fox.png?size=1');
  });

  it('reads blanks and control characters as browsers do, and says what it read', () => {
    const read: [string, string, string][] = [
      ['https://example.com/a b ü.png?c=d e', 'https://example.com/a%20b%20%C3%BC.png?c=d%20e', 'as read'],
      ['  https://example.com/fox.png\n', 'https://example.com/fox.png', 'as read'],
      ['https://exam\nple.com/f\tox', 'https://example.com/fox', 'as read'],
      ['https:\\\\example.com\\fox.png', 'https://example.com/fox.png', 'as written'],
      ['HTTPS://Example.com/ü', 'https://example.com/%C3%BC', 'as written'],
    ];
    for (const [written, href, text] of read) {
      const verdict = judgeUrl(written, []);
      assert.ok(verdict.ok, written);
      assert.deepEqual([verdict.url.href, verdict.text], [href, text === 'as read' ? href : written]);
    }
  });

  it('refuses everything but public web addresses', () => {
    const urls = [
      'ftp://example.com/fox.png',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'fox.png',
      '//example.com/fox.png',
      'http://',
      'http://user:secret@example.com/',
      'http://user@example.com/',
      'http://example.com:0/',
      'http://exa mple.com/',
      ' http://127.0.0.1/ ',
      'http://127.0.\n0.1/',
      'ht\ttp://local\thost/',
      'http:\\\\127.0.0.1\\',
      `http://example.com/${'a'.repeat(5000)}`,
      'http://localhost/',
      'http://LOCALHOST:8080/',
      'http://localhost./',
      'http://pictures.localhost/',
      'http://metadata.google.internal/',
      'http://printer.local/',
      'http://redis:6379/',
      'http://[::1]/',
      'http://[fe80::1]/',
      'http://127。0。0。1/',
    ];
    for (const url of urls) {
      const verdict = judgeUrl(url, []);
      assert.equal(verdict.ok, false, url);
      assert.ok(!verdict.ok && !verdict.message.includes('secret'), url);
    }
  });

  it('leaves a local name to the resolver where private ranges are open', () => {
    assert.equal(judgeUrl('http://minio.internal/fox.png', ['10.0.0.0/8']).ok, true);
    assert.equal(judgeUrl('http://127.0.0.1/', ['10.0.0.0/8']).ok, false);
  });

  it('accepts a trusted origin with any host, but only with the same scheme and port', () => {
    const trusted = ['http://127.0.0.1:8188'];
    assert.equal(judgeUrl('http://127.0.0.1:8188/view?a=1', [], trusted).ok, true);
    for (const url of [
      'http://127.0.0.1/',
      'https://127.0.0.1:8188/',
      'http://127.0.0.1:81880/',
      'http://127.0.0.2:8188/',
    ]) {
      assert.equal(judgeUrl(url, [], trusted).ok, false, url);
    }
  });
});

describe('the network of a client', () => {
  it('is its address, and of IPv6 the first 64 bits', () => {
    for (const [address, network] of [
      ['192.0.2.7', '192.0.2.7'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
      ['2001:db8:1:2::9', '2001:db8:1:2::'],
      ['2001:db8:1:3::9', '2001:db8:1:3::'],
    ] as const)
      assert.equal(networkOf(address), network, address);
  });

  it('has one notation, whatever a proxy or a socket writes around it', () => {
    for (const [text, address] of [
      ['192.0.2.7', '192.0.2.7'],
      ['192.0.2.7:51820', '192.0.2.7'],
      ['::ffff:192.0.2.7', '192.0.2.7'],
      ['[::FFFF:c000:207]:443', '192.0.2.7'],
      ['2001:0DB8:0:0::9', '2001:db8::9'],
      ['[2001:db8::9]', '2001:db8::9'],
      ['[2001:db8::9]:4711', '2001:db8::9'],
      ['fe80::1%eth0', 'fe80::1'],
      ['[fe80::1%25eth0]:80', 'fe80::1'],
      ['', null],
      ['unknown', null],
      ['_hidden', null],
      ['192.0.2.777', null],
      ['192.0.2', null],
      ['0x7f.1', null],
      ['[192.0.2.7', null],
      ['[]:80', null],
      ['example.com:80', null],
    ] as const)
      assert.equal(canonicalAddress(text), address, text);
  });
});

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
}
