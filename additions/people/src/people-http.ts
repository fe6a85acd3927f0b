import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App, HttpOptions } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyInstance } from 'fastify';
import { accountKeyRoutes } from './account/account-key-routes.ts';
import { accountTaskRoutes } from './account/account-task-routes.ts';
import { memberRoutes } from './members/member-routes.ts';
import { peopleRoutes } from './members/people-routes.ts';
import { peopleParts } from './people-parts.ts';
import { PEOPLE_SETTINGS } from './people-settings.ts';
import { backChannelRoutes } from './sign-in/back-channel-routes.ts';
import { takeForms } from './sign-in/forms.ts';
import { sessionRoutes } from './sign-in/session-routes.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';

/** Serves the routes under `/console` that need a browser's session, or open one. */
export function consoleSignIn(
  scope: FastifyInstance,
  kernel: ServingKernel,
  options: HttpOptions,
  closers: AsyncDisposableStack,
): void {
  const app = scope as unknown as App;
  const parts = peopleParts(kernel, options, closers);
  sessionRoutes(app, parts);
  if (!parts.isOn) return;
  takeForms(app);
  signInRoutes(app, parts);
  backChannelRoutes(app, parts);
}

export function accountRoutes(v1: App, kernel: ServingKernel): void {
  memberRoutes(v1, kernel, kernel.settings.of(PEOPLE_SETTINGS));
  accountKeyRoutes(v1, kernel);
  accountTaskRoutes(v1, kernel);
}

export function operatorRoutes(admin: App, kernel: ServingKernel): void {
  peopleRoutes(admin, kernel, kernel.settings.of(PEOPLE_SETTINGS));
}
