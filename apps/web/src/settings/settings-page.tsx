import { useEffect, useState } from 'react';
import type { ServerFacts, TrustedFolder } from '../api-types.ts';
import { usePage } from '../page-context.ts';
import { PageTitle } from '../page-title.tsx';
import { readTheme, setTheme, type Theme } from './theme.ts';
import { TokensCard } from './tokens-card.tsx';

interface SettingsPageProps {
  readonly facts: ServerFacts | undefined;
  readonly onSignOut: () => void;
}

/** Theme, trusted folders and access. */
export function SettingsPage({ facts, onSignOut }: SettingsPageProps) {
  return (
    <div className="page">
      <div className="page-column">
        <PageTitle title="Settings and trust" facts={facts && factsLine(facts)} />
        <ThemeCard />
        <TrustCard />
        {facts?.roles.includes('admin') && <TokensCard />}
        <AccessCard onSignOut={onSignOut} />
      </div>
    </div>
  );
}

function factsLine({ node, version, user }: ServerFacts): string {
  return [node, `Robota ${version}`, user && `you are ${user}`].filter(Boolean).join(' · ');
}

function ThemeCard() {
  const [theme, setShown] = useState<Theme>(() => readTheme());
  const themes: readonly { readonly value: Theme; readonly label: string }[] = [
    { value: undefined, label: 'As the system' },
    { value: 'light', label: 'Light' },
    { value: 'dark', label: 'Dark' },
  ];
  return (
    <section className="card">
      <header>
        <h2>Appearance</h2>
      </header>
      <fieldset className="chips">
        <legend className="visually-hidden">Appearance</legend>
        {themes.map(({ value, label }) => (
          <button
            key={label}
            type="button"
            className="chip"
            aria-pressed={theme === value}
            onClick={() => {
              setTheme(value);
              setShown(value);
            }}
          >
            {label}
          </button>
        ))}
      </fieldset>
    </section>
  );
}

function TrustCard() {
  const { api, announce, may } = usePage();
  const mayChange = may('admin');
  const [folders, setFolders] = useState<readonly TrustedFolder[]>([]);
  const [path, setPath] = useState('');
  const load = () => {
    api.trustedFolders().then(setFolders, (error: Error) => announce(error.message));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once when the card is shown.
  useEffect(load, [api]);
  const change = (work: Promise<void>, done: string) => {
    work.then(
      () => {
        announce(done);
        load();
      },
      (error: Error) => announce(error.message),
    );
  };
  return (
    <section className="card">
      <header>
        <h2>Trusted folders</h2>
      </header>
      <p className="dim">
        Settings, hooks and plugins of a project are used only in these folders.
      </p>
      <ul className="lines">
        {folders.map((folder) => (
          <li key={folder.path}>
            <span className="mono grow ellipsis">{folder.path}</span>
            <button
              type="button"
              className="button"
              disabled={!mayChange}
              onClick={() => change(api.distrustFolder(folder.path), 'No longer trusted')}
            >
              Remove
            </button>
          </li>
        ))}
        {folders.length === 0 && <li className="dim">None yet.</li>}
      </ul>
      <form
        className="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (path.trim() === '') return;
          change(api.trustFolder(path.trim()), 'Trusted');
          setPath('');
        }}
      >
        <input
          className="field grow"
          aria-label="Folder to trust"
          placeholder="/home/you/project"
          value={path}
          onChange={(event) => setPath(event.target.value)}
        />
        <button type="submit" className="button" disabled={!mayChange}>
          Trust
        </button>
      </form>
    </section>
  );
}

function AccessCard({ onSignOut }: { readonly onSignOut: () => void }) {
  const { api, announce } = usePage();
  const [link, setLink] = useState<string>();
  const create = () => {
    api.createLink().then(
      ({ code }) => setLink(`${location.origin}/#code=${code}`),
      (error: Error) => announce(error.message),
    );
  };
  return (
    <section className="card">
      <header>
        <h2>Another device</h2>
      </header>
      <p className="dim">A link opens this page once, within two minutes. It contains no token.</p>
      {link !== undefined && (
        <p>
          <code className="mono one-time-link">{link}</code>
        </p>
      )}
      <div className="inline-form">
        <button type="button" className="button button-primary" onClick={create}>
          Create a link
        </button>
        <button type="button" className="button" onClick={onSignOut}>
          Remove the token from this tab
        </button>
      </div>
    </section>
  );
}
