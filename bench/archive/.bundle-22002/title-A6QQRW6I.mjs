import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
import{a,b,c}from"./chunk-XXR5O5H6.mjs";import"./chunk-QETFTKGT.mjs";import"./chunk-X6JJAQ6Q.mjs";import"./chunk-Q3MHW2KA.mjs";export{c as givenTitle,b as promptTitle,a as showLine};
