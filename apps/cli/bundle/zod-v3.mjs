// The provider packages accept schemas of the older validator; we give them none, so its kinds match nothing.
export const ZodFirstPartyTypeKind = {};
