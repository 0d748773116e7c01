import { useEffect, useState } from 'react';
import type { IssuedToken } from '../api-types.ts';
import { usePage } from '../page-context.ts';

const ROLES = ['read', 'prompt', 'approve', 'admin'] as const;

/** Tokens of other users and their roles. */
export function TokensCard() {
  const { api, announce } = usePage();
  const [tokens, setTokens] = useState<readonly IssuedToken[]>([]);
  const [made, setMade] = useState<string>();
  const report = (error: Error) => announce(error.message);
  const load = () => {
    api.tokens().then(setTokens, report);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once when the card is shown.
  useEffect(load, [api]);
  return (
    <section className="card">
      <header>
        <h2>Tokens</h2>
      </header>
      <p className="dim">
        Read looks, with secrets taken out; prompt asks; approve answers questions; admin does
        everything else.
      </p>
      <ul className="lines">
        {tokens.map(({ id, user, roles }) => (
          <li key={id}>
            <span className="grow ellipsis">
              {user} <span className="dim">{roles.join(', ')}</span>
            </span>
            <button
              type="button"
              className="button"
              aria-label={`Revoke the token of ${user}`}
              onClick={() => {
                api.revokeToken(id).then(() => {
                  announce('Revoked');
                  load();
                }, report);
              }}
            >
              Revoke
            </button>
          </li>
        ))}
        {tokens.length === 0 && <li className="dim">None yet.</li>}
      </ul>
      {made !== undefined && (
        <p role="status">
          Shown once: <code className="mono one-time-link">{made}</code>
        </p>
      )}
      <NewTokenForm
        onCreate={(user, roles) => {
          api.createToken(user, roles).then((token) => {
            setMade(token);
            load();
          }, report);
        }}
      />
    </section>
  );
}

function NewTokenForm({
  onCreate,
}: {
  readonly onCreate: (user: string, roles: readonly string[]) => void;
}) {
  const [user, setUser] = useState('');
  const [roles, setRoles] = useState<readonly string[]>(['read', 'prompt']);
  return (
    <form
      className="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (user.trim() === '' || roles.length === 0) return;
        onCreate(user.trim(), roles);
        setUser('');
      }}
    >
      <input
        className="field grow"
        aria-label="User"
        placeholder="ada"
        value={user}
        onChange={(event) => setUser(event.target.value)}
      />
      <fieldset className="chips">
        <legend className="visually-hidden">Roles</legend>
        {ROLES.map((role) => (
          <button
            key={role}
            type="button"
            className="chip"
            aria-pressed={roles.includes(role)}
            onClick={() =>
              setRoles(
                roles.includes(role) ? roles.filter((one) => one !== role) : [...roles, role],
              )
            }
          >
            {role}
          </button>
        ))}
      </fieldset>
      <button type="submit" className="button">
        Create a token
      </button>
    </form>
  );
}
