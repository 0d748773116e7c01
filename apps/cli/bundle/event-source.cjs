// The reader of streamed answers, loaded with the first one: it is built on web streams, which no request needs.
exports.EventSourceParserStream = function EventSourceParserStream(...given) {
  const loaded = require('eventsource-parser/stream');
  return new loaded.EventSourceParserStream(...given);
};
