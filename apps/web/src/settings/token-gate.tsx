import { useState } from 'react';

interface TokenGateProps {
  /** Why the last token was refused. */
  readonly problem: string | undefined;
  readonly onToken: (token: string) => void;
}

/** Asks for a token when this tab has none. */
export function TokenGate({ problem, onToken }: TokenGateProps) {
  const [token, setToken] = useState('');
  return (
    <main className="empty">
      <img src="/icon.svg" width="40" height="40" alt="" />
      <h1>Robota</h1>
      <p>
        Run <code className="mono">robota web</code> for a link that opens this page, or paste the
        token from <code className="mono">~/.robota/server-token</code>.
      </p>
      <form
        className="inline-form token-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== '') onToken(token.trim());
        }}
      >
        <input
          className="field grow"
          type="password"
          autoComplete="off"
          aria-label="Token"
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
        <button type="submit" className="button button-primary">
          Open
        </button>
      </form>
      <p role="alert" className="bad">
        {problem}
      </p>
    </main>
  );
}
