import './component-styles.ts';
import './styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { PartMissing } from './components/lazy-part.ts';
import { loadFirstPage } from './first-page.ts';

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
  // Not awaited here: the page imports this code, so it could not run before this code has.
  void loadFirstPage().then(show);
}
