const KEY = 'robota.theme';

/** Undefined follows the system. */
export type Theme = 'light' | 'dark' | undefined;

export function readTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : undefined;
}

export function setTheme(theme: Theme): void {
  if (theme === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme(theme);
}

export function applyTheme(theme: Theme): void {
  if (theme === undefined) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function toggleTheme(): void {
  const isDark = readTheme()
    ? readTheme() === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  setTheme(isDark ? 'light' : 'dark');
}
