/** The parsed request. */
export type Intent =
  | { readonly kind: 'list'; readonly pattern: string; readonly path: string | undefined }
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  | { readonly kind: 'search'; readonly pattern: string; readonly path: string | undefined }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'edit'; readonly path: string; readonly from: string; readonly to: string }
  | { readonly kind: 'delegate'; readonly task: string }
  | { readonly kind: 'plan'; readonly goal: string }
  | { readonly kind: 'think'; readonly about: string }
  | { readonly kind: 'fail'; readonly how: string }
  | { readonly kind: 'long' }
  | { readonly kind: 'summary' }
  | { readonly kind: 'greeting' }
  | { readonly kind: 'unknown' };
