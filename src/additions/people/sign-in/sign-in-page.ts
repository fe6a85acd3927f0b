import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../../../http/docs/escape-html.ts';

const STYLE =
  ':root{color-scheme:light dark;font:16px/1.6 system-ui,sans-serif}html{background:Canvas;color:CanvasText}main{max-width:32rem;margin:15vh auto;padding:0 1rem}a{color:light-dark(#0b57a4,#8ec5ff)}';
const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** A page of one sentence and one link, where the console cannot be shown. */
export async function sendSignInPage(
  reply: FastifyReply,
  status: number,
  page: {
    readonly title: string;
    readonly text: string;
    readonly link: { readonly href: string; readonly text: string };
  },
): Promise<FastifyReply> {
  const { title, text, link } = page;
  return await reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', POLICY)
    .send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Darkroom</title>
<style>${STYLE}</style>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>
</main>
</html>
`);
}
