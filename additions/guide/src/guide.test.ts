import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_TABLE, TASK_FAILURE_CODES } from '@darkroom-service/contract';
import { ADDITIONS } from '../../../src/additions/list.ts';
import { openTestHttp } from '../../../test/helpers/http.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';
import { buildGuide } from '../build/build-guide.ts';
import { BUILT_DIRECTORY } from './built-guide.ts';
import { MOVED_PAGES, pagesWith } from './guide-list.ts';
import type { Section } from './section.ts';

const PAGES = pagesWith(ADDITIONS.flatMap(({ pages }) => pages ?? []));
const { app: first } = await openTestHttp(wholeFile);
// The pages as they are now, also in a checkout that was prepared earlier or never.
await buildGuide(BUILT_DIRECTORY, { pages: PAGES, document: (await first.inject('/openapi.json')).json() });
const { app, services } = await openTestHttp(wholeFile);

const moved: Readonly<Record<string, string>> = Object.assign(
  {},
  MOVED_PAGES,
  ...ADDITIONS.flatMap(({ pages = [] }) => pages.map((page) => page.moved)),
);
const ADDRESSES = PAGES.map(({ name }) => (name === 'api' ? '/docs' : `/docs/${name}`));

test('every page of the guide is HTML without inline scripts and styles, and loads one script and one style from here', async () => {
  for (const url of [...ADDRESSES, '/clients/']) {
    const page = await app.inject(url);
    assert.equal(page.statusCode, 200, url);
    assert.match(String(page.headers['content-type']), /^text\/html/);
    const loading = [...page.body.matchAll(/<(?:script|link|img|iframe|style)\b[^>]*>(?:[^<]*<\/script>)?/g)];
    assert.match(
      loading.map(([element]) => element).join(''),
      /^<link rel="stylesheet" href="([./a-z]*)guide\.css"><script type="module" src="\1guide\.js"><\/script>$/,
      url,
    );
    assert.doesNotMatch(page.body, /<[^>]*\s(?:on\w+|style)=/, url);
    assert.equal(
      page.headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    assert.match(page.body, /<meta name="viewport"/);
    for (const [, address = ''] of page.body.matchAll(/ (?:src|href)="([^"]*guide\.\w+)"/g)) {
      const { pathname } = new URL(address, `http://here${url}`);
      assert.equal((await app.inject(pathname)).statusCode, 200, pathname);
    }
  }
});

test('the index of the search has every page and every error code, each with an anchor that the page has', async () => {
  const sections: readonly Section[] = (await app.inject('/docs/search.json')).json();
  assert.deepEqual(
    [...new Set(sections.map(({ page }) => page))],
    PAGES.map(({ name }) => name),
  );
  for (const { name } of PAGES) {
    const { body } = await app.inject(name === 'api' ? '/docs' : `/docs/${name}`);
    for (const { anchor } of sections.filter(({ page }) => page === name))
      assert.ok(anchor === '' || body.includes(` id="${anchor}"`), `${name}#${anchor}`);
  }
  for (const code of Object.keys(ERROR_TABLE))
    assert.ok(
      sections.some(({ anchor, heading }) => anchor === `error-${code}` && heading.startsWith(code)),
      code,
    );
  for (const { text } of sections) assert.doesNotMatch(text, /&(?:amp|lt|gt|quot);|__PUBLIC|<\/|<pre/);
});

test('every link and anchor of the guide leads somewhere, and no two anchors of a page are equal', async () => {
  const anchors = new Map<string, readonly string[]>();
  const links: string[] = [];
  for (const url of ADDRESSES) {
    const { body } = await app.inject(url);
    const ids = [...body.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);
    assert.deepEqual(ids, [...new Set(ids)], url);
    anchors.set(url, ids);
    for (const [, href = ''] of body.matchAll(/<a [^>]*href="([^"]*)"/g))
      links.push(new URL(href, `http://here${url}`).href);
  }
  assert.ok(links.length > 100, `${links.length} links`);
  for (const link of new Set(links.filter((href) => href.startsWith('http://here/')))) {
    const { pathname, hash } = new URL(link);
    const known = anchors.get(pathname);
    if (known === undefined) assert.equal((await app.inject(pathname)).statusCode, 200, link);
    else if (hash !== '') assert.ok(known.includes(hash.slice(1)), link);
  }
  for (const [name, target] of Object.entries(moved)) {
    const { statusCode, headers } = await app.inject(`/docs/${name}`);
    assert.deepEqual([statusCode, headers.location], [301, target]);
    const { pathname, hash } = new URL(target, `http://here/docs/${name}`);
    assert.ok(anchors.get(pathname)?.includes(hash.slice(1)), target);
  }
});

test('every error code has a section with its meaning, what to do and an example answer, where docs_url leads', async () => {
  const { body } = await app.inject('/docs');
  for (const [code, { status, retryable }] of Object.entries(ERROR_TABLE)) {
    const section = new RegExp(`<section class="error" id="error-${code}">.*?</section>`, 's').exec(body)?.[0] ?? '';
    assert.match(section, /<strong>What to do:<\/strong> [A-Z<]/, code);
    const example =
      /<pre tabindex="0"><code class="language-http">(.*?)<\/code>/s.exec(section)?.[1]?.replaceAll('&quot;', '"') ??
      '';
    const [head = '', json = '{}'] = example.replaceAll('&lt;', '<').replaceAll('&gt;', '>').split('\n\n');
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} \\w`), code);
    const { error } = JSON.parse(json);
    assert.deepEqual([error.status, error.code, error.retryable], [status, code, retryable]);
    assert.equal(error.docs_url, `${services.settings.publicUrl}/docs#error-${code}`);
    assert.ok(error.message.length > 20, code);
  }
  for (const code of TASK_FAILURE_CODES) assert.ok(body.includes(`<tr id="task-error-${code}">`), code);
});

test('the guide verifies webhooks in TypeScript, in Python and by hand', async () => {
  assert.match((await app.inject('/docs')).body, /webhook-signature/);
  const { body } = await app.inject('/docs/webhooks');
  assert.match(body, /Compute HMAC-SHA256/);
  for (const [name, part] of [
    ['webhooks/receiver.ts', "from 'standardwebhooks'"],
    ['webhooks/receiver.py', 'hmac.compare_digest'],
  ] as const) {
    assert.ok(body.includes(`href="${name}"`), name);
    assert.ok((await app.inject(`/docs/${name}`)).body.includes(part), name);
  }
});

test('the guide names the public address of the service, with its path', async (t) => {
  const { app } = await openTestHttp(t, { publicUrl: 'https://pictures.example.com/darkroom' });
  for (const url of ADDRESSES)
    for (const [block] of (await app.inject(url)).body.matchAll(/<pre .*?<\/pre>/gs))
      assert.doesNotMatch(block, /127\.0\.0\.1:8080/, url);
  const { body } = await app.inject('/darkroom/docs');
  assert.match(body, /curl -sS &quot;https:\/\/pictures\.example\.com\/darkroom\/v1\/images&quot;/);
});

test('a page of the guide is answered 304 to its ETag', async () => {
  const { headers } = await app.inject('/docs/webhooks');
  const again = await app.inject({ url: '/docs/webhooks', headers: { 'if-none-match': String(headers.etag) } });
  assert.deepEqual([again.statusCode, again.body], [304, '']);
});

test('llms.txt lists every page as Markdown with its first sentence, and each is served', async () => {
  const { body, headers } = await app.inject('/llms.txt');
  assert.match(String(headers['content-type']), /^text\/plain/);
  const lines = [...body.matchAll(/^- \[[^\]]+\]\((\S+)\): (.+)$/gm)];
  const pages = lines.filter(([, address = '']) => address.endsWith('.md'));
  assert.ok(pages.length >= ADDRESSES.length);
  for (const [, address = '', summary = ''] of lines) {
    const { pathname } = new URL(address);
    const page = await app.inject(pathname);
    assert.equal(page.statusCode, 200, pathname);
    assert.ok(summary.length > 20 && summary.length < 300, `${pathname}: ${summary}`);
    if (pathname.endsWith('.md')) assert.match(String(page.headers['content-type']), /^text\/markdown/);
  }
});

test('the Markdown of the guide names the public address of the service', async (t) => {
  const publicUrl = 'https://pictures.example.com/darkroom';
  const { app } = await openTestHttp(t, { publicUrl });
  assert.ok((await app.inject('/darkroom/llms.txt')).body.includes(`(${publicUrl}/docs/api.md)`));
  const { body } = await app.inject('/darkroom/docs/client-python.md');
  assert.ok(body.includes(publicUrl) && !body.includes('127.0.0.1:8080'));
});
