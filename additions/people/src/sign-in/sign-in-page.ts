import { hash } from 'node:crypto';
import { escapeHtml } from '@darkroom-service/addition-common/http/escape-html';
import type { FastifyReply } from 'fastify';

const STYLE =
  ':root{color-scheme:light dark;font:16px/1.6 system-ui,sans-serif}html{background:Canvas;color:CanvasText}main{max-width:32rem;margin:15vh auto;padding:0 1rem}a{color:light-dark(#0b57a4,#8ec5ff)}button{font:inherit;padding:.4rem 1rem}';
const policy = (forms: 'none' | 'self') =>
  `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action '${forms}'; frame-ancestors 'none'`;

/** A button that sends one field to this service. */
export interface PageForm {
  readonly action: string;
  readonly field: string;
  readonly value: string;
  readonly submit: string;
}

/** Sends a page of one sentence, perhaps a button, and one link, where the console cannot be shown. */
export async function sendSignInPage(
  reply: FastifyReply,
  status: number,
  page: {
    readonly title: string;
    readonly text: string;
    readonly form?: PageForm;
    readonly link: { readonly href: string; readonly text: string };
  },
): Promise<FastifyReply> {
  const { title, text, form, link } = page;
  return await reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy(form === undefined ? 'none' : 'self'))
    // Without a referrer a browser would not say which page sent the form.
    .header('referrer-policy', form === undefined ? 'no-referrer' : 'same-origin')
    .send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Darkroom</title>
<style>${STYLE}</style>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${form === undefined ? '' : formOf(form)}
<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>
</main>
</html>
`);
}

function formOf({ action, field, value, submit }: PageForm): string {
  return `<form method="post" action="${escapeHtml(action)}"><input type="hidden" name="${field}" value="${escapeHtml(value)}"><button>${escapeHtml(submit)}</button></form>`;
}
