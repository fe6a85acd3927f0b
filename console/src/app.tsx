import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { followBookedBatches } from './api/follow-booked-batches.ts';
import { followOrders } from './api/follow-orders.ts';
import { useHashPath } from './api/hash-location.ts';
import { loadPerson, personStore, useAccountChoice } from './api/person.ts';
import { resolveOrders } from './api/send-orders.ts';
import { isSignedIn, useSession } from './api/session.ts';
import { useStore } from './api/store.ts';
import { queryClient } from './api/use-api.ts';
import { useAccess } from './frame/access.ts';
import { ErrorBoundary } from './frame/error-boundary.tsx';
import { Frame } from './frame/frame.tsx';
import { PageLoading } from './frame/page-loading.tsx';
import { NotFound, ViewGate } from './frame/view-gate.tsx';
import { ChooseAccountPage, places, routesOf, SignInPage } from './pages.ts';
import { theme } from './theme.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// Dialogs need the nonce here to stop the page behind them from scrolling.
Object.assign(window, { __webpack_nonce__: nonce });

/** The console. Page paths follow the `#`, so that it works below any path and the service need not know them. */
export function App() {
  useEffect(() => {
    void loadPerson();
    const stops = [resolveOrders(), followOrders(), followBookedBatches()];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queryClient}>
        <ErrorBoundary>
          <Router hook={useHashPath}>
            <Switch>
              <Route path="/sign-in/:token?">{({ token }) => <SignIn token={token} />}</Route>
              <Route>
                <SignedInConsole />
              </Route>
            </Switch>
          </Router>
        </ErrorBoundary>
      </QueryClientProvider>
    </MantineProvider>
  );
}

function SignIn({ token }: { readonly token: string | undefined }) {
  return (
    <Suspense fallback={<PageLoading />}>
      <SignInPage token={token} />
    </Suspense>
  );
}

function SignedInConsole() {
  const isSignedInNow = isSignedIn(useSession());
  const { isAwaited } = useStore(personStore);
  const accounts = useAccountChoice();
  if (accounts.length > 0)
    return (
      <Suspense fallback={<PageLoading />}>
        <ChooseAccountPage accounts={accounts} />
      </Suspense>
    );
  if (!isSignedInNow) return isAwaited ? <PageLoading /> : <SignIn token={undefined} />;
  return (
    <Frame>
      <Switch>
        {places.map((place) =>
          place.views.map((view) =>
            routesOf(view).map((path) => (
              <Route key={view.name} path={path}>
                <ViewGate place={place} view={view} />
              </Route>
            )),
          ),
        )}
        <Route>
          <Elsewhere />
        </Route>
      </Switch>
    </Frame>
  );
}

/** Redirects the address of a place to its first open view. */
function Elsewhere() {
  const [location] = useLocation();
  const first = useAccess().open.find(({ path }) => path.startsWith(`${location}/`));
  return first === undefined ? <NotFound /> : <Redirect to={first.path} replace />;
}
