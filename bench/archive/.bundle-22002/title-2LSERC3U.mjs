import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
import{a,b,c}from"./chunk-TNHTNX2O.mjs";import"./chunk-QETFTKGT.mjs";import"./chunk-SLVHXV6H.mjs";import"./chunk-JCMPG2U3.mjs";import"./chunk-Q3MHW2KA.mjs";export{c as givenTitle,b as promptTitle,a as showLine};
