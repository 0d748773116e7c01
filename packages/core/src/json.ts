/** What survives a round trip through JSON text. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
/** An object that JSON can represent. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}
