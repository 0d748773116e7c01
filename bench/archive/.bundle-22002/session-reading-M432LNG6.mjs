import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
import{a,b}from"./chunk-37RPGHYR.mjs";import"./chunk-TNHTNX2O.mjs";import"./chunk-RRZGB7KC.mjs";import"./chunk-QETFTKGT.mjs";import"./chunk-SLVHXV6H.mjs";import"./chunk-JCMPG2U3.mjs";import"./chunk-Q3MHW2KA.mjs";export{b as digestReading,a as readSession};
