export { SqliteCatalogue, type SqliteCatalogueOptions } from './sqlite-catalogue.ts';
