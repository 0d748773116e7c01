// The front matter parser, loaded with the first skill or agent file that has any: most prompts need none.
exports.parseDocument = (...args) => require('yaml').parseDocument(...args);
