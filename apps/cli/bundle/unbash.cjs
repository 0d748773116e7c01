// The shell parser, loaded when the first command is checked against the permission rules.
exports.parse = (...args) => require('unbash').parse(...args);
exports.forEachChild = (...args) => require('unbash').forEachChild(...args);
