// The provider packages accept zod 3 schemas too; we pass none, so an empty table of its kinds is enough.
export const ZodFirstPartyTypeKind = {};
