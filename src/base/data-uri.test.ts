import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { processorCost } from '@darkroom-service/testing';
import fc from 'fast-check';
import { isDataUri, parseDataUri } from './data-uri.ts';

const LIMIT = { maxBytes: 20_000_000 };

describe('a data URI', () => {
  it('gives back the bytes that were encoded, padded or not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.boolean(), (bytes, padded) => {
        const base64 = Buffer.from(bytes).toString('base64');
        const verdict = parseDataUri(`data:image/png;base64,${padded ? base64 : base64.replace(/=+$/, '')}`, LIMIT);
        assert.ok(verdict.ok, JSON.stringify(verdict));
        assert.deepEqual([...verdict.data], [...bytes]);
      }),
    );
  });

  it('returns the media type in lower case and without parameters', () => {
    const verdict = parseDataUri('DATA:Image/SVG+xml;charset=utf-8;Base64,Zm94', LIMIT);
    assert.ok(verdict.ok);
    assert.equal(verdict.contentType, 'image/svg+xml');
    assert.equal(Buffer.from(verdict.data).toString(), 'fox');
    assert.equal(isDataUri('DATA:,'), true);
    assert.equal(isDataUri('https://example.com/data:'), false);
  });

  it('may have line breaks among its characters', () => {
    const bytes = Buffer.alloc(1000, 'fox');
    const lines = bytes.toString('base64').replace(/.{76}/g, '$&\r\n');
    const verdict = parseDataUri(`data:image/png;base64,${lines}`, { maxBytes: 1000 });
    assert.ok(verdict.ok);
    assert.ok(bytes.equals(verdict.data));
  });

  it('is refused with a sentence when it is none', () => {
    const refused: readonly (readonly [string, RegExp])[] = [
      ['', /expected a data URI/],
      ['https://example.com/,', /expected a data URI/],
      ['data:image/png;base64', /expected a data URI/],
      [`data:image/png;${'a'.repeat(300)};base64,Zm94`, /expected a data URI/],
      ['data:image/png,fox', /base64/],
      ['data:;base64,Zm94', /media type/],
      ['data:png;base64,Zm94', /media type/],
      ['data:image/png;base64,', /empty/],
      ['data:image/png;base64,=', /expected base64 after the comma/],
      ['data:image/png;base64,Zm94Zm9%2B', /expected base64 after the comma/],
      ['data:image/png;base64,Zm=94Zm94', /expected base64 after the comma/],
      ['data:image/png;base64,Zm94é', /expected base64 after the comma/],
    ];
    for (const [text, message] of refused) {
      const verdict = parseDataUri(text, LIMIT);
      assert.ok(!verdict.ok, text);
      assert.match(verdict.message, message, text);
    }
  });

  it('may hold exactly as much as its limit', () => {
    const uri = `data:image/png;base64,${Buffer.alloc(1000).toString('base64')}`;
    assert.equal(parseDataUri(uri, { maxBytes: 1000 }).ok, true);
    const verdict = parseDataUri(uri, { maxBytes: 999 });
    assert.ok(!verdict.ok);
    assert.match(verdict.message, /at most 999 bytes in a data URI, found more/);
  });

  it('of 20 MB costs hardly more than its bytes, and one too large is not decoded at all', async () => {
    const uri = `data:video/mp4;base64,${Buffer.alloc(20_000_000, 'fox').toString('base64')}`;
    let verdict: ReturnType<typeof parseDataUri> | undefined;
    const cost = await processorCost(() => {
      verdict = parseDataUri(uri, LIMIT);
    });
    assert.ok(cost < 40, `${cost} times a megabyte of JSON`);
    assert.ok(verdict?.ok === true && verdict.data.byteLength === 20_000_000);
    const used = process.memoryUsage().arrayBuffers;
    assert.equal(parseDataUri(uri, { maxBytes: 1000 }).ok, false);
    assert.ok(process.memoryUsage().arrayBuffers - used < 1_000_000);
  });
});
