import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contains } from '../files/workspace.ts';
import type { ConfinedCommand, ConfinedStart, Confinement } from './confinement.ts';
import { hiddenHome } from './hidden-home.ts';
import { closeSeccompFilter, openSeccompFilter } from './seccomp-filter.ts';
import { Masks, realFolder, workspaceMounts } from './workspace-mounts.ts';

/** Where distributions install the program; never looked up in PATH, which a project may have changed. */
export const BUBBLEWRAP_PLACES = [
  '/usr/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/bin/bwrap',
  '/run/current-system/sw/bin/bwrap',
];

/** Linux: namespaces without network and other processes, and a read-only file system. */
export function bubblewrap(file: string): Confinement {
  return {
    name: 'bubblewrap',
    start(command) {
      const masks = new Masks();
      const filter = openSeccompFilter();
      return {
        file,
        args: bubblewrapArguments(command, { masks, hasFilter: filter !== undefined }),
        descriptors: filter === undefined ? [] : [filter],
        started: () => closeSeccompFilter(filter),
        ended: () => masks.release(),
      } satisfies ConfinedStart;
    },
  };
}

function bubblewrapArguments(
  { kind, command, shell, workingDirectory, roots }: ConfinedCommand,
  { masks, hasFilter }: { readonly masks: Masks; readonly hasFilter: boolean },
): readonly string[] {
  const visible = kind === 'read-only' ? [...roots, workingDirectory] : roots;
  const places = [...new Set(visible.map(realFolder))].filter((place) => place !== '/');
  if (kind === 'workspace' && places.length < new Set(roots.map(realFolder)).size)
    throw new Error(
      'The whole file system is the project: there is nothing to hold a command out of',
    );
  const home = hiddenHome(places);
  const hidden = home === undefined ? [] : ['--tmpfs', home];
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/run'],
    ...(kind === 'read-only' ? ['--tmpfs', '/tmp'] : ['--bind', sessionTemp(), '/tmp']),
    // A project inside Robota's home is mounted over what hides it; a home inside the project is hidden after it.
    ...(containsAny(home, places) ? hidden : []),
    ...places.flatMap((root) =>
      kind === 'read-only' ? ['--ro-bind', root, root] : workspaceMounts(root, masks),
    ),
    ...(containsAny(home, places) ? [] : hidden),
    ...['--unshare-user-try', '--unshare-net', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...['--new-session', '--die-with-parent', '--cap-drop', 'ALL'],
    ...(hasFilter ? ['--seccomp', '3'] : []),
    ...['--chdir', realFolder(workingDirectory), '--', shell, '-c', command],
  ];
}

function containsAny(home: string | undefined, roots: readonly string[]): boolean {
  return home !== undefined && roots.some((root) => contains(home, root));
}

let temp: string | undefined;

/** The temporary folder shared by all confined commands of this process. */
function sessionTemp(): string {
  if (temp !== undefined) return temp;
  const folder = mkdtempSync(join(tmpdir(), 'robota-sandbox-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  temp = folder;
  return folder;
}
