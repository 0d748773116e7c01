import { RemoteError } from '@robota-sdk/agent-transport/client';
import { StrictMode, useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import {
  awaitLateToken,
  browserTokenPlace,
  findToken,
  forgetToken,
  keepToken,
} from './access-token.ts';
import { PageApi } from './api.ts';
import { App } from './app.tsx';
import { followOwnLinks } from './route.ts';
import { applyTheme, readTheme } from './settings/theme.ts';
import { TokenGate } from './settings/token-gate.tsx';

const place = browserTokenPlace();

/** Shows the app with a token, or asks for one; a refused token is asked for again. */
function Page({ firstToken }: { readonly firstToken: string | undefined }) {
  const [token, setToken] = useState(firstToken);
  const [problem, setProblem] = useState<string>();
  const api = useMemo(
    () => (token === undefined ? undefined : new PageApi({ url: location.origin, token })),
    [token],
  );
  useEffect(() => {
    api?.facts().catch((error: unknown) => {
      if (!(error instanceof RemoteError) || error.status !== 401) return;
      forgetToken(place);
      setProblem('The server refused this token.');
      setToken(undefined);
    });
  }, [api]);
  const isFirstLook = token === undefined && firstToken === undefined && problem === undefined;
  useEffect(() => (isFirstLook ? awaitLateToken(place, setToken) : undefined), [isFirstLook]);
  if (!api) {
    return (
      <TokenGate
        problem={problem}
        onToken={(given) => {
          setProblem(undefined);
          setToken(keepToken(place, given));
        }}
      />
    );
  }
  const signOut = () => {
    forgetToken(place);
    setToken(undefined);
  };
  return <App api={api} onSignOut={signOut} />;
}

applyTheme(readTheme());
const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
followOwnLinks(root);
void findToken(place).then((token) => {
  createRoot(root).render(
    <StrictMode>
      <Page firstToken={token} />
    </StrictMode>,
  );
});
