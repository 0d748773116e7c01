/** One exported name: where it is declared, whether a comment stands before it, and its declaration. */
export interface SurfaceName {
  readonly name: string;
  readonly file: string | undefined;
  readonly hasComment: boolean;
  readonly text: string;
}

export const LIBRARIES: readonly string[];
export function surfacePath(library: string): string;
export function readSurface(
  library: string,
): readonly { readonly entry: string; readonly names: readonly SurfaceName[] }[];
export function describeSurface(library: string): string;
