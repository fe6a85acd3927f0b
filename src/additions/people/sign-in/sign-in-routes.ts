import { hash, timingSafeEqual } from 'node:crypto';
import { reasonOf, ServiceError } from '@darkroom-service/contract/errors';
import { closedObject } from '@darkroom-service/contract/parts';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../../http/http-options.ts';
import type { PeopleParts } from '../people-parts.ts';
import { ProviderFault } from '../provider/provider-fault.ts';
import { LONGEST_MS } from '../session/sessions.ts';
import { admitPerson } from './admit-person.ts';
import { sendSignInPage } from './sign-in-page.ts';
import { openState, readPage, SIGN_IN_SECONDS, type SignInState, sealState } from './sign-in-state.ts';

const BeginQuery = closedObject({
  page: Type.Optional(Type.String({ maxLength: 200 })),
  invitation: Type.Optional(Type.String({ pattern: '^[\\w-]{43}$' })),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  state: Type.Optional(Type.String({ pattern: '^[\\w-]{20,100}$' })),
  challenge: Type.Optional(Type.String({ pattern: '^[\\w-]{43}$' })),
});

/** The way to the provider and back. A sign-in that failed is told on a page, never by a redirect elsewhere. */
export function signInRoutes(app: App, parts: PeopleParts): void {
  const { services, options, cookies } = parts;
  const { publicUrl } = options;
  const { clock } = services;

  app.get('/console/sign-in', { schema: { hide: true, querystring: BeginQuery } }, async (request, reply) => {
    try {
      const { page, invitation = null, port, state, challenge } = request.query;
      const provider = await parts.provider();
      const { url, checks } = await provider.begin();
      const isCommandLine = port !== undefined && state !== undefined && challenge !== undefined;
      const kept: SignInState = {
        ...checks,
        page: readPage(page),
        invitation,
        commandLine: isCommandLine ? { port, state, challenge } : null,
        expiresAt: clock.now() + SIGN_IN_SECONDS * 1000,
      };
      cookies.set(reply, 'sign-in', sealState(await parts.vault(), kept), SIGN_IN_SECONDS);
      return await reply.header('cache-control', 'no-store').redirect(url.href, 302);
    } catch (error) {
      return await failed(reply, error);
    }
  });

  app.get('/console/callback', { schema: { hide: true } }, async (request, reply) => {
    const sealed = cookies.read(request, 'sign-in');
    // Whatever comes of it, it is used up.
    cookies.set(reply, 'sign-in', '', 0);
    try {
      const kept = openState(await parts.vault(), sealed, clock.now());
      const answer = new URL(`${publicUrl}/console/callback`);
      answer.search = request.raw.url?.split('?', 2)[1] ?? '';
      if (kept === null || !isSame(answer.searchParams.get('state') ?? '', kept.state))
        throw new ServiceError(
          'forbidden',
          'This browser has not begun this sign-in, or took longer than ten minutes. Begin again.',
        );
      const provider = await parts.provider();
      const signedIn = await provider.finish(answer, kept);
      const { commandLine, invitation } = kept;
      const challenge = commandLine?.challenge ?? null;
      const { secret, name } = await admitPerson(parts, signedIn, { invitation, challenge });
      if (commandLine !== null) return await letIn(reply, commandLine, secret, name);
      cookies.set(reply, 'session', secret, LONGEST_MS / 1000);
      return await reply.header('cache-control', 'no-store').redirect(`${publicUrl}/#${kept.page}`, 303);
    } catch (error) {
      return await failed(reply, error);
    }
  });

  /** A click, so that no page elsewhere lets a command line in unseen. */
  async function letIn(
    reply: FastifyReply,
    { port, state }: NonNullable<SignInState['commandLine']>,
    code: string,
    name: string,
  ): Promise<FastifyReply> {
    return await sendSignInPage(reply, 200, {
      title: 'Let the command line in?',
      text: `A command line on this computer wants to work here as ${name}. Continue only if you have just typed "darkroom login".`,
      link: {
        href: `http://127.0.0.1:${port}/?${new URLSearchParams({ code, state })}`,
        text: `Continue as ${name}`,
      },
    });
  }

  async function failed(reply: FastifyReply, error: unknown): Promise<FastifyReply> {
    if (!(error instanceof ServiceError) && !(error instanceof ProviderFault)) throw error;
    const isAway = error instanceof ProviderFault && error.kind === 'away';
    const status = error instanceof ServiceError ? error.status : isAway ? 503 : 403;
    if (error instanceof ProviderFault)
      services.log.warn({ kind: error.kind, reason: reasonOf(error.cause ?? error) }, 'sign-in failed');
    const advice = isAway ? ' Try again in a moment, or sign in with an API key.' : '';
    return await sendSignInPage(reply, status, {
      title: 'You are not signed in',
      text: `${error.message}${advice}`,
      link: { href: `${publicUrl}/#/sign-in`, text: 'Back to the sign-in page' },
    });
  }
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
