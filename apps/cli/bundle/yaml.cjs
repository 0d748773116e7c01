// The reader of front matter, loaded with the first skill or agent that has one: most prompts are sent without.
exports.parseDocument = (...given) => require('yaml').parseDocument(...given);
