/** The parameter type described by a JSON schema written as a constant. */
export type ParametersOf<Schema> = ObjectOf<Schema>;

type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? {
      readonly [Name in keyof Properties as Name extends RequiredIn<Schema>
        ? Name
        : never]: ValueOf<Properties[Name]>;
    } & {
      readonly [Name in keyof Properties as Name extends RequiredIn<Schema> ? never : Name]?:
        | ValueOf<Properties[Name]>
        | undefined;
    }
  : never;

type RequiredIn<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? Name
  : never;

type ValueOf<Schema> = Schema extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { readonly type: 'string' }
    ? string
    : Schema extends { readonly type: 'number' | 'integer' }
      ? number
      : Schema extends { readonly type: 'boolean' }
        ? boolean
        : Schema extends { readonly type: 'array'; readonly items: infer Item }
          ? readonly ValueOf<Item>[]
          : Schema extends { readonly properties: unknown }
            ? ObjectOf<Schema>
            : Schema extends { readonly additionalProperties: infer Value }
              ? Readonly<Record<string, ValueOf<Value>>>
              : unknown;
