import { hashPath } from './api/hash-location.ts';
import { isSignedIn, sessionStore } from './api/session.ts';
import { SignInPage, viewAt } from './pages.ts';

/** How long the frame waits for its page, so that both appear at once. */
const PATIENCE_MS = 1_000;

/** Loads the page of the address. Resolves when it is there, or late. */
export async function loadFirstPage(): Promise<void> {
  const path = hashPath();
  const isSignIn = path.startsWith('/sign-in') || !isSignedIn(sessionStore.get());
  const part = isSignIn ? SignInPage : viewAt(path)?.view.component;
  await Promise.race([part?.request(), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}
