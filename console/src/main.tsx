import './styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { hashPath } from './api/hash-location.ts';
import { isSignedIn, sessionStore } from './api/session.ts';
import { App } from './app.tsx';
import { PartMissing } from './components/lazy-part.ts';
import { SignInPage, viewAt } from './pages.ts';

/** Maximum time that the frame waits for its page, in milliseconds, so that both appear at once. */
const PATIENCE_MS = 1_000;

const root = document.getElementById('root');
if (root !== null) {
  // A part that is missing during an outage is not an error of the console.
  const onCaughtError = (error: unknown) => {
    if (!(error instanceof PartMissing)) console.error(error);
  };
  const show = () =>
    createRoot(root, { onCaughtError }).render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
  // Not awaited here: the page imports this module, so it cannot run before this module has.
  void loadFirstPage().then(show);
}

/** Loads the page of the address. Resolves once it is loaded, or after the maximum wait. */
async function loadFirstPage(): Promise<void> {
  const path = hashPath();
  const isSignIn = path.startsWith('/sign-in') || !isSignedIn(sessionStore.get());
  const part = isSignIn ? SignInPage : viewAt(path)?.view.component;
  await Promise.race([part?.request(), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}
