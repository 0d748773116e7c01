export type { CatalogueParity } from './parity.ts';
export { SqliteCatalogue, type SqliteCatalogueOptions } from './sqlite-catalogue.ts';
