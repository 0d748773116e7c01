// The parser of shell scripts, loaded with the first command that is judged.
exports.parse = (...given) => require('unbash').parse(...given);
exports.forEachChild = (...given) => require('unbash').forEachChild(...given);
