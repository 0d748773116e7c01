// The Markdown lexer, loaded with the first answer: building its rules takes longer than drawing the first frame.
exports.lexer = (...args) => require('marked').lexer(...args);
