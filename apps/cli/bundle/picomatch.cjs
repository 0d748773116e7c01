// Patterns of paths, loaded with the first one that is looked at.
const picomatch = (...given) => require('picomatch')(...given);
picomatch.scan = (...given) => require('picomatch').scan(...given);
module.exports = picomatch;
