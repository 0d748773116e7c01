// The layout engine behind Ink. Its own entry waits for WebAssembly at the top level, which a file with a compile
// cache cannot do, and fetches its code from a data address, which loads a web client. Here it is handed its code and
// loaded when asked, before anything is drawn.
import wasmBinary from 'yoga-layout.wasm';
import loadEngine from '../../../node_modules/yoga-layout/dist/binaries/yoga-wasm-base64-esm.js';
import wrapAssembly from '../../../node_modules/yoga-layout/dist/src/wrapAssembly.js';
import engine from './yoga-engine.cjs';

export async function loadLayoutEngine() {
  Object.assign(engine, wrapAssembly(await loadEngine({ wasmBinary })));
}
