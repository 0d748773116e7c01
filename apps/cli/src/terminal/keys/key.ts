/** One key press or one paste. */
export type KeyPress =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  /** Named as in the key table: `ctrl+c`, `shift+tab`, `meta+left`, `escape`. */
  | { readonly kind: 'key'; readonly name: string };
