import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
import{a,b}from"./chunk-6FRYSGM6.mjs";import"./chunk-XXR5O5H6.mjs";import"./chunk-RRZGB7KC.mjs";import"./chunk-QETFTKGT.mjs";import"./chunk-X6JJAQ6Q.mjs";import"./chunk-Q3MHW2KA.mjs";export{b as digestReading,a as readSession};
