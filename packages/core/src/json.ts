/** What survives a round trip through JSON text. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
/** An object as JSON can hold it. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}
